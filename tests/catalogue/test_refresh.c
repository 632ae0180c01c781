/* SPDX-License-Identifier: Apache-2.0
 * Refresh: each format, nonsense refused with its row, history, new types, atomic writing under
 * kill -9, http from a local server, bounded memory, and a deterministic mutation fuzz of every
 * importer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/fs.h"
#include "catalogue/csv_stream.h"
#include "catalogue/fetch.h"
#include "catalogue/json_stream.h"
#include "catalogue/refresh.h"
#include "price_list.h"

#define DATABASE BUILD_DIR "/catalogue/catalogue.db"

static Catalogue *c;
static char folder[] = "/tmp/gpukit-refresh-XXXXXX";
static char user_path[64];

static Catalogue *open_with(const char *user)
{
    Diags diags;
    diags_init(&diags);
    Catalogue *catalogue = catalogue_open(DATABASE, user, &diags);
    diags_print(&diags, stderr);
    assert_int_equal(diags.list.count, 0);
    diags_fini(&diags);
    return catalogue;
}

static int setup(void **state)
{
    (void)state;
    setenv("SOURCE_DATE_EPOCH", "1796083200", 1); /* 2026-12-01 */
    if (!mkdtemp(folder))
        return -1;
    snprintf(user_path, sizeof user_path, "%s/refreshed.db", folder);
    c = open_with("");
    return c ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    catalogue_close(c);
    char *command = NULL;
    if (asprintf(&command, "rm -rf %s", folder) < 0 || system(command) != 0)
        return -1;
    free(command);
    return 0;
}

static Refresh *fed(const Catalogue *catalogue, const char *text, size_t count, bool *good)
{
    Refresh *r = refresh_new(catalogue, "test", NULL, NULL, catalogue->today);
    *good = refresh_feed(r, text, count) && refresh_end(r);
    return r;
}

static Refresh *taken(const char *text)
{
    bool good;
    Refresh *r = fed(c, text, strlen(text), &good);
    if (!good)
        print_error("%s\n", refresh_error(r));
    assert_true(good);
    return r;
}

static bool refused(const RefreshReport *report, long row, const char *words)
{
    for (size_t i = 0; i < report->refusals.count; ++i)
        if (report->refusals.items[i].row == row && strstr(report->refusals.items[i].reason, words))
            return true;
    return false;
}

static bool named(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

// clang-format off
#define SKY_HEAD                                                                                   \
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region," \
    "AvailabilityZone,Arch\n"
#define INFO(mib) "\"{'Gpus': [{'Name': 'X', 'Count': 8, 'MemoryInfo': {'SizeInMiB': " mib "}}]}\""
#define SKY_P5(price, spot, zone)                                                                  \
    "p5.48xlarge,H100,8.0,192.0,2048.0," INFO("81920") "," price "," spot ",us-east-1," zone ",x86_64\n"

static const char sky[] = SKY_HEAD
    "i8g.2xlarge,,,8.0,64.0,,0.6864,0.150900,us-east-1,use1-az2,arm64\n"
    SKY_P5("52.04", "14.5", "use1-az5")
    SKY_P5("52.04", "52.04", "use1-az1")
    "g6f.xlarge,L4,0.125,4.0,16.0," INFO("2861") ",0.2375,0.066900,us-east-1,use1-az2,x86_64\n"
    "g9.xlarge,L40S,1.0,4.0,16.0," INFO("45776") ",1.5,0.15,eu-west-1,euw1-az1,x86_64\n"
    "g5.xlarge,A10G,1,4.0,16.0,,-1.006,0,us-east-1,use1-az2,x86_64\n"
    "g6.xlarge,L4,1,4.0,16.0,,80.48,abc,us-east-1,use1-az2,x86_64\n"
    "g6.2xlarge,L4,1,4.0,16.0,,nan,,us-east-1,use1-az2,x86_64\n"
    "g6.4xlarge,L4,1,4.0,16.0,,1.3232,,us-east-1,use1-az2,x86_64\n"
    "g6.4xlarge,L4,1,4.0,16.0,,9.9999,,us-east-1,use1-az3,x86_64\n"
    "short,row\n";
// clang-format on

static void test_skypilot(void **state)
{
    (void)state;
    Refresh *r = taken(sky);
    const RefreshReport *report = refresh_report(r);
    assert_string_equal(report->format, "skypilot");
    assert_string_equal(report->date, "2026-12-01");
    assert_int_equal(report->moves.count, 2); /* p5 on demand, and its cheapest spot zone */
    for (size_t i = 0; i < 2; ++i)
        assert_string_equal(report->moves.items[i].name, "p5.48xlarge");
    assert_true(named(report->new_types.items, report->new_types.count, "g9.xlarge"));
    assert_int_equal(report->new_types.count, 1); /* i8g has no accelerator */
    assert_true(named(report->gone.items, report->gone.count, "g4dn.xlarge"));
    assert_false(
        named(report->gone.items, report->gone.count, "p3.2xlarge")); /* retired long ago */
    assert_int_equal(report->skipped, 1); /* the spot price of g9 is a tenth: a placeholder */
    assert_true(refused(report, 7, "-1.006 is not above zero"));
    assert_true(refused(report, 7, "price 0 is not above zero"));
    assert_true(
        refused(report, 8, "80.48 is no believable change from 0.8048")); /* a hundred times */
    assert_true(refused(report, 8, "'abc' is not a number"));
    assert_true(refused(report, 9, "'nan' is not a number"));
    assert_true(refused(report, 11, "contradicts 1.3232"));
    assert_true(refused(report, 12, "too few fields"));
    refresh_free(r);
}

/* v7 has no Arch and another order; CRLF; a byte order mark. */
static void test_skypilot_columns(void **state)
{
    (void)state;
    Refresh *r = taken("\xef\xbb\xbfRegion,Price,InstanceType\r\nus-east-1,1.1,g5.xlarge\r\n");
    assert_int_equal(refresh_report(r)->moves.count, 1);
    assert_true(fabs(refresh_report(r)->moves.items[0].new_usd_h - 1.1) < 1e-9);
    refresh_free(r);
}

static void test_history(void **state)
{
    (void)state;
    Diags diags;
    diags_init(&diags);
    Refresh *r = taken(sky);
    assert_true(refresh_commit(r, user_path, &diags));
    refresh_free(r);
    Catalogue *after = open_with(user_path);
    CatalogueQuote q;
    const CatalogueInstance *p5 = catalogue_find_instance(after, "p5.48xlarge");
    assert_true(catalogue_quote(after, p5, "us-east-1", PRICE_ONDEMAND, &q));
    assert_true(fabs(q.usd_h - 52.04) < 1e-9 && q.age_days == 0);
    assert_true(catalogue_quote(after, p5, "us-east-1", PRICE_SPOT, &q));
    assert_true(fabs(q.usd_h - 14.5) < 1e-9 && fabs(q.usd_h_max - 52.04) < 1e-9);
    assert_string_equal(q.zone, "use1-az5");
    const CatalogueInstance *g9 = catalogue_find_instance(after, "g9.xlarge");
    assert_non_null(g9);
    assert_string_equal(g9->gpu->name, "L40S");
    assert_true(catalogue_mem_mib(g9) == 45776 && g9->imported);
    assert_true(catalogue_quote(after, g9, "any", PRICE_ONDEMAND, &q));
    assert_string_equal(q.region, "eu-west-1");
    /* A later file: the price of before is kept with its date; types not in the file stay. */
    static const char later[] = SKY_HEAD SKY_P5("50.00", "", "");
    bool good;
    r = fed(after, later, sizeof later - 1, &good);
    assert_true(good);
    assert_true(fabs(refresh_report(r)->moves.items[0].old_usd_h - 52.04) < 1e-9);
    assert_true(refresh_commit(r, user_path, &diags));
    refresh_free(r);
    void *rows;
    int count = catalogue_read(after, user_path, TABLE_PRICE, "history",
                               "name=? AND kind='ondemand' ORDER BY usd_h", "p5.48xlarge", &rows);
    assert_int_equal(count, 2);
    assert_true(fabs(((CataloguePrice *)rows)[0].usd_h - 52.04) < 1e-9);
    assert_true(fabs(((CataloguePrice *)rows)[1].usd_h - 55.04) < 1e-9);
    assert_string_equal(((CataloguePrice *)rows)[1].date, "2026-07-20");
    catalogue_close(after);
    after = open_with(user_path);
    assert_non_null(catalogue_find_instance(after, "g9.xlarge"));
    assert_true(catalogue_quote(after, catalogue_find_instance(after, "p5.48xlarge"), "us-east-1",
                                PRICE_ONDEMAND, &q));
    assert_true(fabs(q.usd_h - 50) < 1e-9);
    catalogue_close(after);
    assert_int_equal(diags.list.count, 0);
    diags_fini(&diags);
    unlink(user_path);
}

/* skypilot#2892, #2933, #3492: across regions the cheapest one counts, and is named; #3111: also
 * for spot. */
static void test_regions(void **state)
{
    (void)state;
    static const char text[] =
        "InstanceType,Price,SpotPrice,Region,AvailabilityZone\n"
        "g6e.xlarge,1.861,0.93,us-east-1,use1-az1\ng6e.xlarge,1.861,0.75,us-east-1,use1-az2\n"
        "g6e.xlarge,1.861,0.53,us-east-2,use2-az1\ng6e.xlarge,2.1,0.61,eu-west-1,euw1-az1\n"
        "g6e.2xlarge,2.0,,us-west-2,usw2-az1\n";
    Diags diags;
    CatalogueQuote q;
    diags_init(&diags);
    Refresh *r = taken(text);
    assert_true(refresh_commit(r, user_path, &diags));
    refresh_free(r);
    Catalogue *after = open_with(user_path);
    const CatalogueInstance *g6e = catalogue_find_instance(after, "g6e.xlarge");
    assert_true(catalogue_quote(after, g6e, "us-east-1", PRICE_SPOT, &q));
    assert_true(q.usd_h == 0.75 && q.usd_h_max == 0.93);
    assert_string_equal(q.zone, "use1-az2");
    assert_true(catalogue_quote(after, g6e, "any", PRICE_SPOT, &q));
    assert_true(q.usd_h == 0.53);
    assert_string_equal(q.region, "us-east-2");
    assert_true(catalogue_quote(after, catalogue_find_instance(after, "g6e.2xlarge"), "any",
                                PRICE_ONDEMAND, &q));
    assert_true(q.usd_h == 2.0); /* cheaper than us-east-1 at 2.24 */
    assert_string_equal(q.region, "us-west-2");
    assert_true(catalogue_quote(after, g6e, "eu-west-1", PRICE_ONDEMAND, &q));
    assert_true(q.usd_h == 2.1);
    catalogue_close(after);
    diags_fini(&diags);
    unlink(user_path);
}

// clang-format off
#define AWS_ROW(type, price, currency, tenancy, system, capacity, software, market)                \
    "\"S\",\"OnDemand\",\"Hrs\",\"" price "\",\"" currency "\",\"" type "\",\"8\",\"2,048 GiB\",\"1\",\"" \
    tenancy "\",\"" system "\",\"" capacity "\",\"" software "\",\"" market "\",\"us-east-1\"\n"

static const char aws_csv[] =
    "\"FormatVersion\",\"v1.0\"\n\"Disclaimer\",\"a \"\"quoted\"\" word, and\na line end\"\n"
    "\"Publication Date\",\"2026-11-28T10:00:00Z\"\n\"Version\",\"1\"\n\"OfferCode\",\"AmazonEC2\"\n"
    "\"SKU\",\"TermType\",\"Unit\",\"PricePerUnit\",\"Currency\",\"Instance Type\",\"vCPU\",\"Memory\","
    "\"GPU\",\"Tenancy\",\"Operating System\",\"CapacityStatus\",\"Pre Installed S/W\",\"MarketOption\","
    "\"Region Code\"\n"
    AWS_ROW("p5.48xlarge", "55.0400000000", "USD", "Shared", "Linux", "Used", "NA", "OnDemand")
    AWS_ROW("p5.48xlarge", "31.4640000000", "USD", "Shared", "Linux", "Used", "NA", "CapacityBlock")
    AWS_ROW("p5.48xlarge", "60.0000000000", "USD", "Dedicated", "Linux", "Used", "NA", "OnDemand")
    AWS_ROW("p5.48xlarge", "99.0000000000", "USD", "Shared", "Windows", "Used", "NA", "OnDemand")
    AWS_ROW("p5.48xlarge", "70.0000000000", "USD", "Shared", "Linux", "Used", "SQL Std", "OnDemand")
    AWS_ROW("p5.48xlarge", "0.0000000000", "USD", "Shared", "Linux", "UnusedReservation", "NA", "OnDemand")
    AWS_ROW("g5.xlarge", "7.2000000000", "CNY", "Shared", "Linux", "Used", "NA", "OnDemand")
    AWS_ROW("g6.xlarge", "0.0000000000", "USD", "Shared", "Linux", "Used", "NA", "OnDemand")
    AWS_ROW("g99.xlarge", "2.5000000000", "USD", "Shared", "Linux", "Used", "NA", "OnDemand");
// clang-format on

static void test_aws_csv(void **state)
{
    (void)state;
    Refresh *r = taken(aws_csv);
    const RefreshReport *report = refresh_report(r);
    assert_string_equal(report->format, "aws-csv");
    assert_string_equal(report->date, "2026-11-28");
    assert_int_equal(report->offers, 2); /* p5 at 55.04, and the new g99 */
    assert_int_equal(report->unchanged, 1);
    assert_int_equal(report->moves.count, 0); /* neither the block nor Windows nor the yuan */
    assert_int_equal(report->skipped, 5);     /* the Windows row is not even split */
    assert_true(refused(report, 15, "not above zero"));
    assert_true(named(report->new_types.items, report->new_types.count, "g99.xlarge"));
    refresh_free(r);
}

// clang-format off
#define PRODUCT(sku, type, system, market)                                                         \
    "\"" sku "\":{\"sku\":\"" sku "\",\"productFamily\":\"Compute Instance\",\"attributes\":{"     \
    "\"instanceType\":\"" type "\",\"regionCode\":\"us-east-1\",\"operatingSystem\":\"" system     \
    "\",\"tenancy\":\"Shared\",\"capacitystatus\":\"Used\",\"preInstalledSw\":\"NA\","             \
    "\"marketoption\":\"" market "\",\"vcpu\":\"192\",\"memory\":\"2,048 GiB\",\"gpu\":\"8\"}},"
#define MANAGED(sku, attributes)                                                                   \
    "\"" sku "\":{\"attributes\":{" attributes ",\"regionCode\":\"us-east-1\"}}"
#define TERM(sku, currency, price)                                                                 \
    "\"" sku "\":{\"" sku ".JRTC\":{\"offerTermCode\":\"JRTC\",\"priceDimensions\":{\"" sku        \
    ".JRTC.6YS6\":{\"unit\":\"Hrs\",\"description\":\"\\u0024 \\\"x\\\"\",\"pricePerUnit\":{\""    \
    currency "\":\"" price "\"}}},\"termAttributes\":{}}}"

static const char aws_json[] =
    "{\"formatVersion\":\"v1.0\",\"publicationDate\":\"2026-11-28T10:00:00Z\",\"products\":{"
    PRODUCT("A1", "p5.48xlarge", "Linux", "OnDemand")
    PRODUCT("A2", "p5.48xlarge", "Windows", "OnDemand")
    PRODUCT("A3", "p5.48xlarge", "Linux", "CapacityBlock")
    PRODUCT("A4", "g5.xlarge", "Linux", "OnDemand")
    PRODUCT("A5", "g6.xlarge", "Linux", "OnDemand")
    MANAGED("B1", "\"instanceName\":\"ml.g5.xlarge\",\"component\":\"Training\"") ","
    MANAGED("B2", "\"instanceName\":\"ml.g5.xlarge\",\"component\":\"Hosting\"") ","
    MANAGED("B3", "\"instanceType\":\"ml.g6.xlarge-Training\"") ","
    MANAGED("B4", "\"instanceType\":\"ml.g6.xlarge-Notebook\"") ","
    MANAGED("B5", "\"platoinstancename\":\"ml.g4dn.xlarge\",\"platoinstancetype\":\"Training\"")
    "},\"terms\":{\"OnDemand\":{"
    TERM("A1", "USD", "54.0000000000") "," TERM("A2", "USD", "99") "," TERM("A3", "USD", "31.464") ","
    TERM("A4", "CNY", "7.2") "," TERM("A5", "USD", "-3") "," TERM("B1", "USD", "1.41") ","
    TERM("B2", "USD", "1.50") "," TERM("B3", "USD", "1.127") "," TERM("B4", "USD", "1.3") ","
    TERM("B5", "USD", "0.7364")
    "},\"Reserved\":{" TERM("A1", "USD", "20") "}},\"attributesList\":{}}";
// clang-format on

static void test_aws_json(void **state)
{
    (void)state;
    Refresh *r = taken(aws_json);
    const RefreshReport *report = refresh_report(r);
    assert_string_equal(report->format, "aws-json");
    assert_string_equal(report->date, "2026-11-28");
    assert_int_equal(report->moves.count, 1);
    assert_true(fabs(report->moves.items[0].new_usd_h - 54) < 1e-9); /* not 99, 31.464 or 20 */
    assert_int_equal(report->offers, 4); /* and SageMaker's training prices, three spellings */
    assert_int_equal(report->refused, 1);
    assert_true(strstr(report->refusals.items[0].reason, "-3 is not above zero") != NULL);
    refresh_free(r);
    static const char *const wrong[] = {"{\"terms\":{\"OnDemand\":{}},\"products\":{}}",
                                        "{\"a\":1}",
                                        "{\"products\":{},\"terms\":{}",
                                        "{\"products\":{},\"terms\":{}} x",
                                        "{\"products\":{\"a\":tru}}",
                                        "[1,2]",
                                        "{\"products\":{}}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        bool good;
        r = fed(c, wrong[i], strlen(wrong[i]), &good);
        assert_false(good);
        assert_non_null(refresh_error(r));
        refresh_free(r);
    }
}

static const char vantage[] = "[{\"pretty_name\":\"P5\",\"pricing\":{\"us-east-1\":{\"mswin\":{"
                              "\"ondemand\":\"77\"},\"linux\":{\"ondemand\":\"53.5\","
                              "\"spot_avg\":\"17.25\",\"reserved\":{\"yrTerm1Standard.noUpfront\":"
                              "\"16.4\"}}},\"eu-west-1\":{\"linux\":{\"ondemand\":\"N/A\"}}},"
                              "\"instance_type\":\"p5.48xlarge\",\"vCPU\":192,\"memory\":2048.0,"
                              "\"GPU\":8,\"compute_capability\":99,\"arch\":[\"x86_64\"]},"
                              "{\"instance_type\":\"g6f.xlarge\",\"GPU\":0.125,\"pricing\":{\"us-"
                              "east-1\":{\"linux\":{\"ondemand\":\"0\"}}}},"
                              "{\"instance_type\":\"t3.micro\",\"pricing\":{\"us-east-1\":{"
                              "\"linux\":{\"ondemand\":\"0.0104\"}}}}]";

static void test_vantage(void **state)
{
    (void)state;
    Refresh *r = taken(vantage);
    const RefreshReport *report = refresh_report(r);
    assert_string_equal(report->format, "vantage");
    assert_int_equal(report->offers, 2); /* on demand and spot of p5 */
    assert_true(fabs(report->moves.items[0].new_usd_h - 53.5) < 1e-9 ||
                fabs(report->moves.items[1].new_usd_h - 53.5) < 1e-9);
    assert_int_equal(report->refused, 1);
    assert_true(refused(report, 2, "0 is not above zero"));
    refresh_free(r);
}

static void test_not_a_price_file(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "hello",
                                        "<html><body>404</body></html>",
                                        "a,b,c\n1,2,3\n",
                                        SKY_HEAD,
                                        SKY_HEAD "t3.micro,,,1,1,,0.01,,us-east-1,,x86_64\n",
                                        "\"SKU\",\"x\"\n\"a\",\"b\"\n",
                                        SKY_HEAD "g5.xlarge,\"A10G\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        bool good;
        Refresh *r = fed(c, wrong[i], strlen(wrong[i]), &good);
        assert_false(good);
        assert_non_null(refresh_error(r));
        refresh_free(r);
    }
}

/* ---- atomic ---- */

static double price_in(const char *path)
{
    Catalogue *after = open_with(path);
    CatalogueQuote q = {.usd_h = NAN};
    assert_true(catalogue_quote(after, catalogue_find_instance(after, "p5.48xlarge"), "us-east-1",
                                PRICE_ONDEMAND, &q));
    catalogue_close(after);
    return q.usd_h;
}

static void commit_many(double price)
{
    Buf text = {0};
    buf_puts(&text, SKY_HEAD);
    buf_printf(&text, "p5.48xlarge,H100,8,192,2048,,%g,,us-east-1,,x86_64\n", price);
    for (int i = 0; i < 3000; ++i) /* so that writing takes a while */
        buf_printf(&text, "g5.xlarge,A10G,1,4,16,,,%g,us-east-1,use1-az%d,x86_64\n", 0.3 + i * 1e-5,
                   i);
    Diags diags;
    bool good;
    diags_init(&diags);
    Catalogue *mine = open_with(user_path);
    Refresh *r = fed(mine, text.data, text.count, &good);
    if (!good || !refresh_commit(r, user_path, &diags))
        _exit(9);
    _exit(0);
}

/* A refresh that is killed at any moment leaves the old prices or the new ones, never a mixture or
 * a broken file; and the next one works. */
static void test_killed(void **state)
{
    (void)state;
    unlink(user_path);
    double old = 55.04;
    int kept = 0, replaced = 0;
    for (int i = 0; i < 24; ++i) {
        double fresh = 50 + i * 0.1;
        pid_t child = fork();
        if (child == 0)
            commit_many(fresh);
        assert_true(child > 0);
        struct timespec wait = {0, (long)(i * 2 + 1) * 1000000};
        nanosleep(&wait, NULL);
        kill(child, SIGKILL);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_false(WIFEXITED(status) && WEXITSTATUS(status) != 0);
        double now = price_in(user_path);
        assert_true(fabs(now - old) < 1e-9 || fabs(now - fresh) < 1e-9);
        *(fabs(now - fresh) < 1e-9 ? &replaced : &kept) += 1;
        old = now;
    }
    assert_true(kept > 0);
    pid_t child = fork();
    if (child == 0)
        commit_many(49);
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(fabs(price_in(user_path) - 49) < 1e-9);
    char stale[80];
    snprintf(stale, sizeof stale, "%s.new", user_path);
    assert_false(fs_exists(stale));
    unlink(user_path);
}

static void test_locked(void **state)
{
    (void)state;
    char lock_path[80];
    snprintf(lock_path, sizeof lock_path, "%s.lock", user_path);
    int lock = open(lock_path, O_RDWR | O_CREAT, 0600);
    assert_true(lock >= 0 && flock(lock, LOCK_EX) == 0);
    Diags diags;
    diags_init(&diags);
    Refresh *r = taken(sky);
    assert_false(refresh_commit(r, user_path, &diags));
    char *text = diags_text(&diags);
    assert_non_null(strstr(text, "another refresh"));
    free(text);
    close(lock);
    assert_true(refresh_commit(r, user_path, &diags));
    refresh_free(r);
    diags_fini(&diags);
    unlink(user_path);
}

/* A damaged database of the user is left out with a warning, and replaced by the next refresh. */
static void test_damaged(void **state)
{
    (void)state;
    assert_int_equal(fs_write_atomic(user_path, "not a database", 14), 0);
    Diags diags;
    diags_init(&diags);
    Catalogue *after = catalogue_open(DATABASE, user_path, &diags);
    assert_non_null(after);
    assert_int_equal(diags.list.count, 1);
    assert_int_equal(diags.list.items[0].severity, DIAG_WARNING);
    catalogue_close(after);
    Refresh *r = taken(sky);
    assert_true(refresh_commit(r, user_path, &diags));
    refresh_free(r);
    diags_fini(&diags);
    assert_true(fabs(price_in(user_path) - 52.04) < 1e-9);
    unlink(user_path);
}

/* ---- http ---- */

typedef struct {
    int socket, port;
    pthread_t thread;
} Server;

static void *serve(void *argument)
{
    Server *server = argument;
    for (;;) {
        char request[2048];
        int peer = accept(server->socket, NULL, NULL);
        if (peer < 0)
            return NULL;
        ssize_t got = read(peer, request, sizeof request - 1);
        request[got > 0 ? got : 0] = 0;
        if (strstr(request, "GET /stop"))
            return close(peer), NULL;
        bool found = strstr(request, "GET /vms.csv") != NULL,
             cut = strstr(request, "GET /cut.csv") != NULL;
        if (strstr(request, "GET /moved"))
            dprintf(peer, "HTTP/1.1 302 Found\r\nLocation: /vms.csv\r\nContent-Length: "
                          "0\r\nConnection: close\r\n\r\n");
        else if (found || cut)
            dprintf(peer, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%.*s",
                    strlen(sky), (int)(cut ? strlen(sky) / 2 : strlen(sky)), sky);
        else
            dprintf(peer,
                    "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        close(peer);
    }
}

static bool to_refresh(void *user, const char *bytes, size_t count)
{
    return refresh_feed(user, bytes, count);
}

static bool fetched(int port, const char *path, long *offers, char **complaint)
{
    char address[64];
    int day;
    Diags diags;
    diags_init(&diags);
    snprintf(address, sizeof address, "http://127.0.0.1:%d/%s", port, path);
    Refresh *r = refresh_new(c, "http", NULL, NULL, c->today);
    FetchSink sink = {r, to_refresh, NULL};
    bool good = fetch(address, &sink, &day, &diags) && refresh_end(r);
    *offers = refresh_report(r)->offers;
    *complaint = diags_text(&diags);
    refresh_free(r);
    diags_fini(&diags);
    return good;
}

static void test_http(void **state)
{
    (void)state;
    Server server = {socket(AF_INET, SOCK_STREAM, 0), 0, 0};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    assert_int_equal(bind(server.socket, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(server.socket, 4), 0);
    assert_int_equal(getsockname(server.socket, (struct sockaddr *)&address, &length), 0);
    server.port = ntohs(address.sin_port);
    setenv("no_proxy", "127.0.0.1", 1);
    setenv("NO_PROXY", "127.0.0.1", 1);
    assert_int_equal(pthread_create(&server.thread, NULL, serve, &server), 0);
    long offers;
    char *complaint;
    assert_true(fetched(server.port, "vms.csv", &offers, &complaint));
    assert_int_equal(offers, 7);
    free(complaint);
    assert_true(fetched(server.port, "moved", &offers, &complaint)); /* one redirection */
    free(complaint);
    assert_false(fetched(server.port, "none.csv", &offers, &complaint));
    assert_non_null(strstr(complaint, "404"));
    free(complaint);
    assert_false(fetched(server.port, "cut.csv", &offers, &complaint)); /* the connection breaks */
    assert_true(complaint[0] != 0);
    free(complaint);
    fetched(server.port, "stop", &offers, &complaint);
    free(complaint);
    pthread_join(server.thread, NULL);
    close(server.socket);
    assert_false(fetched(server.port, "vms.csv", &offers, &complaint)); /* nobody listens */
    assert_true(complaint[0] != 0);
    free(complaint);
}

/* ---- size ---- */

static void test_big_lists(void **state)
{
    (void)state;
    for (int json = 0; json < 2; ++json) {
        struct rusage before, after;
        struct timespec t0, t1;
        Refresh *r = refresh_new(c, "generated", NULL, NULL, c->today);
        getrusage(RUSAGE_SELF, &before);
        clock_gettime(CLOCK_MONOTONIC, &t0);
        price_list(json, 40 * 1000 * 1000, to_refresh, r);
        assert_true(refresh_end(r));
        clock_gettime(CLOCK_MONOTONIC, &t1);
        getrusage(RUSAGE_SELF, &after);
        double seconds = (double)(t1.tv_sec - t0.tv_sec) + (double)(t1.tv_nsec - t0.tv_nsec) * 1e-9;
        print_message("%s: 40 MB made and read in %.2f s, %ld KB more memory\n",
                      json ? "json" : "csv", seconds, after.ru_maxrss - before.ru_maxrss);
        assert_true(after.ru_maxrss - before.ru_maxrss < 30 * 1024);
        const RefreshReport *report = refresh_report(r);
        assert_int_equal(report->offers, 11);
        assert_int_equal(report->refused, 0);
        assert_int_equal(report->moves.count, 0);
        refresh_free(r);
    }
}

/* ---- streams: fed whole or byte by byte, the same comes out ---- */

static JsonAnswer log_event(void *user, JsonEvent event, const char *text, size_t length, int depth)
{
    Buf *log = user;
    assert_int_equal(strlen(text) <= length, 1);
    buf_printf(log, "%d%d%s|", (int)event, depth, text);
    return event == JSON_KEY && strcmp(text, "skip") == 0 ? JSON_SKIP : JSON_GO;
}

static bool json_log(const char *text, size_t count, size_t step, Buf *log)
{
    JsonStream *s = json_stream_new(log_event, log);
    bool good = true;
    for (size_t i = 0; i < count && good; i += step)
        good = json_stream_feed(s, text + i, count - i < step ? count - i : step);
    good = good && json_stream_end(s);
    assert_int_equal(good, json_stream_error(s) == NULL);
    json_stream_free(s);
    return good;
}

static void test_json_stream(void **state)
{
    (void)state;
    static const struct {
        const char *text, *log; /* log NULL: not JSON */
    } cases[] = {{"{}", "00|10|"},
                 {" [ ] ", "20|30|"},
                 {"[1,-2.5e+3,true,null,\"a\"]", "20|61|1" /* prefix checked below */},
                 {"{\"a\":{\"skip\":[1,{\"x\":\"]\\\"}\"}],\"b\":2}}", NULL},
                 {"\"\\u00e9\\ud83d\\ude00\\n\"", "50\xc3\xa9\xf0\x9f\x98\x80\n|"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Buf whole = {0}, bytes = {0};
        size_t count = strlen(cases[i].text);
        assert_true(json_log(cases[i].text, count, count, &whole));
        assert_true(json_log(cases[i].text, count, 1, &bytes));
        assert_string_equal(buf_text(&whole), buf_text(&bytes));
        if (cases[i].log && i != 2)
            assert_string_equal(buf_text(&whole), cases[i].log);
        if (i == 3)
            assert_null(strstr(buf_text(&whole), "]\\"));
        buf_free(&whole);
        buf_free(&bytes);
    }
    static const char *const wrong[] = {"",      "{",       "[1,]",        "{\"a\"}", "{\"a\":1,}",
                                        "[1 2]", "tru",     "01",          "1.",      "-",
                                        "\"a",   "\"\\x\"", "\"\\u12g4\"", "[}",      "}",
                                        "{} {}", "\"\t\"",  "[\"a\":1]",   "nul"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        for (size_t step = 1; step < 20; step += 9) {
            Buf log = {0};
            assert_false(json_log(wrong[i], strlen(wrong[i]), step, &log));
            buf_free(&log);
        }
    char deep[200];
    memset(deep, '[', sizeof deep);
    Buf log = {0};
    assert_false(json_log(deep, sizeof deep, 7, &log));
    buf_free(&log);
}

static void test_csv_split(void **state)
{
    (void)state;
    char line[] = "a,\"b \"\"x\"\", y\",,\"\",\"open";
    char *fields[8];
    assert_int_equal(csv_split(line, fields, 8), 5);
    assert_string_equal(fields[0], "a");
    assert_string_equal(fields[1], "b \"x\", y");
    assert_string_equal(fields[2], "");
    assert_string_equal(fields[3], "");
    assert_string_equal(fields[4], "open");
    char many[] = "1,2,3,4";
    assert_int_equal(csv_split(many, fields, 2), 4);
    char empty[] = "";
    assert_int_equal(csv_split(empty, fields, 2), 1);
}

/* ---- fuzz ---- */

static uint64_t seed = 0x9e3779b97f4a7c15u;

static unsigned pick(unsigned below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed >> 33) % below;
}

static void mutate(Buf *text)
{
    static const char *const bits[] = {
        "\"", ",", "\n",      "{",   "}",    "[",        "]",     ":", "\\",          "1e999",
        "-",  "0", "\"USD\"", "nan", "\xff", "OnDemand", "Linux", ".", "99999999999", "null"};
    for (unsigned n = 1 + pick(4); n && text->count; --n) {
        size_t at = pick((unsigned)text->count), length = 1 + pick(12);
        switch (pick(5)) {
        case 0:
            text->data[at] = (char)pick(256);
            break;
        case 1: /* cut */
            if (at + length < text->count) {
                memmove(text->data + at, text->data + at + length, text->count - at - length);
                text->count -= length;
            }
            break;
        case 2: { /* put in */
            const char *bit = bits[pick(sizeof bits / sizeof *bits)];
            size_t more = strlen(bit);
            buf_add(text, bit, more);
            memmove(text->data + at + more, text->data + at, text->count - more - at);
            memcpy(text->data + at, bit, more);
            break;
        }
        case 3:
            text->count = at; /* truncate */
            break;
        default: { /* swap two pieces */
            size_t other = pick((unsigned)text->count);
            char keep = text->data[at];
            text->data[at] = text->data[other];
            text->data[other] = keep;
        }
        }
    }
}

/* Whatever comes in: no crash, no offer that is not a sane price of a sane name, and the report
 * adds up; fed in random pieces. */
static void test_fuzz(void **state)
{
    (void)state;
    static const struct {
        const char *format, *text;
    } seeds[] = {
        {"skypilot", sky}, {"aws-csv", aws_csv}, {"aws-json", aws_json}, {"vantage", vantage}};
    int read_whole = 0, rounds = 4000;
    const char *soak = getenv("GPUKIT_FUZZ_SEED"); /* for longer runs by hand */
    if (soak) {
        seed ^= strtoull(soak, NULL, 0) * 0x2545f4914f6cdd1du;
        rounds = 20000;
    }
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; ++k)
        for (int i = 0; i < rounds; ++i) {
            Buf text = {0};
            buf_puts(&text, seeds[k].text);
            mutate(&text);
            Refresh *r = refresh_new(c, "fuzz", pick(4) ? seeds[k].format : NULL, NULL, c->today);
            bool good = true;
            for (size_t at = 0; at < text.count && good;) {
                size_t piece = 1 + pick(pick(2) ? 16 : 4096);
                piece = piece < text.count - at ? piece : text.count - at;
                good = refresh_feed(r, text.data + at, piece);
                at += piece;
            }
            good = good && refresh_end(r);
            assert_int_equal(good, refresh_error(r) == NULL);
            const RefreshReport *report = refresh_report(r);
            for (size_t m = 0; m < report->moves.count; ++m) {
                assert_true(isfinite(report->moves.items[m].new_usd_h) &&
                            report->moves.items[m].new_usd_h > 0);
                assert_true(report->moves.items[m].new_usd_h <
                            100 * report->moves.items[m].old_usd_h);
            }
            for (size_t n = 0; n < report->new_types.count; ++n)
                assert_true(import_is_accelerated(report->new_types.items[n]));
            read_whole += good;
            refresh_free(r);
            buf_free(&text);
        }
    assert_true(read_whole > 2000); /* the mutations are not all fatal: the insides are reached */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skypilot),  cmocka_unit_test(test_skypilot_columns),
        cmocka_unit_test(test_history),   cmocka_unit_test(test_regions),
        cmocka_unit_test(test_aws_csv),   cmocka_unit_test(test_aws_json),
        cmocka_unit_test(test_vantage),   cmocka_unit_test(test_not_a_price_file),
        cmocka_unit_test(test_killed),    cmocka_unit_test(test_locked),
        cmocka_unit_test(test_damaged),   cmocka_unit_test(test_http),
        cmocka_unit_test(test_big_lists), cmocka_unit_test(test_json_stream),
        cmocka_unit_test(test_csv_split), cmocka_unit_test(test_fuzz)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
