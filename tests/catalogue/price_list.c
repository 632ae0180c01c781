/* SPDX-License-Identifier: Apache-2.0
 * Generator of price lists. */
#include "price_list.h"
#include "base/buf.h"

#include <stdio.h>
#include <string.h>

static const char *const types[] = {"g5.xlarge",    "g5.48xlarge",    "g6.xlarge",   "p5.48xlarge",
                                    "p4d.24xlarge", "g4dn.xlarge",    "m7i.xlarge",  "c7i.4xlarge",
                                    "t3.micro",     "r7i.4xlarge",    "x2idn.metal", "i4i.large",
                                    "g6e.xlarge",   "hpc7a.48xlarge", "inf2.xlarge"};
static const double prices[] = {1.006,  16.288, 0.8048, 55.04, 21.957642, 0.526, 0.2016, 0.714,
                                0.0104, 1.0584, 13.338, 0.172, 1.861,     7.2,   0.7582};
static const char *const systems[] = {"Linux", "Windows", "RHEL", "SUSE", "Linux", "Ubuntu Pro"};
static const char *const tenancies[] = {"Shared", "Dedicated", "Host"};
static const char *const capacities[] = {"Used", "UnusedCapacityReservation",
                                         "AllocatedCapacityReservation"};

enum { TYPES = sizeof types / sizeof *types };

/* The i-th combination; the plain Linux one of each type comes round now and then. */
typedef struct {
    int type;
    const char *system, *tenancy, *capacity;
    bool plain;
} Combination;

static Combination combination(unsigned long i)
{
    Combination c = {(int)(i % TYPES), systems[i / TYPES % 6], tenancies[i / (TYPES * 6) % 3],
                     capacities[i / (TYPES * 18) % 3], false};
    c.plain = strcmp(c.system, "Linux") == 0 && strcmp(c.tenancy, "Shared") == 0 &&
              strcmp(c.capacity, "Used") == 0;
    return c;
}

static void csv_row(Buf *b, unsigned long i)
{
    Combination c = combination(i);
    buf_printf(
        b,
        "\"SKU%09lu\",\"JRTCKXETXF\",\"SKU%09lu.JRTCKXETXF.6YS6EN2CT7\",\"OnDemand\",\"$%.4f per "
        "On Demand %s "
        "%s Instance "
        "Hour\",\"2026-11-01\",\"0\",\"Inf\",\"Hrs\",\"%.10f\",\"USD\",\"\",\"\",\"\",\"\","
        "\"Compute "
        "Instance\",\"AmazonEC2\",\"US East (N. Virginia)\",\"AWS Region\",\"%s\",\"Yes\",\"GPU "
        "instance\","
        "\"8\",\"Intel Xeon Platinum 8275L\",\"3 GHz\",\"1,152 GiB\",\"8 x 1000 SSD\",\"400 "
        "Gigabit\","
        "\"64-bit\",\"\",\"\",\"\",\"\",\"\",\"%s\",\"\",\"%s\",\"No License "
        "required\",\"\",\"\",\"\",\"\",\"\","
        "\"BoxUsage:%s\",\"RunInstances\",\"%s\",\"19000 Mbps\",\"345\",\"\",\"1\",\"22.5 "
        "GB\",\"Yes\",\"\","
        "\"\",\"\",\"\",\"NA\",\"OnDemand\",\"us-east-1\",\"Amazon Elastic Compute Cloud\"\n",
        i, i, prices[c.type], c.system, types[c.type], prices[c.type], types[c.type], c.tenancy,
        c.system, types[c.type], c.capacity);
}

static void csv_head(Buf *b)
{
    buf_puts(
        b,
        "\"FormatVersion\",\"v1.0\"\n\"Disclaimer\",\"generated for tests\"\n\"Publication Date\","
        "\"2026-11-28T10:00:00Z\"\n\"Version\",\"20261128100000\"\n\"OfferCode\",\"AmazonEC2\"\n"
        "\"SKU\",\"OfferTermCode\",\"RateCode\",\"TermType\",\"PriceDescription\","
        "\"EffectiveDate\","
        "\"StartingRange\",\"EndingRange\",\"Unit\",\"PricePerUnit\",\"Currency\",\"RelatedTo\","
        "\"LeaseContractLength\",\"PurchaseOption\",\"OfferingClass\",\"Product "
        "Family\",\"serviceCode\","
        "\"Location\",\"Location Type\",\"Instance Type\",\"Current Generation\",\"Instance "
        "Family\",\"vCPU\","
        "\"Physical Processor\",\"Clock Speed\",\"Memory\",\"Storage\",\"Network Performance\","
        "\"Processor Architecture\",\"Storage Media\",\"Volume Type\",\"Max Volume Size\",\"Max "
        "IOPS/volume\","
        "\"Max IOPS Burst Performance\",\"Tenancy\",\"EBS Optimized\",\"Operating "
        "System\",\"License Model\","
        "\"Group\",\"Group Description\",\"Transfer Type\",\"From Location\",\"From Location "
        "Type\","
        "\"usageType\",\"operation\",\"CapacityStatus\",\"Dedicated EBS "
        "Throughput\",\"ECU\",\"Elastic Graphics "
        "Type\",\"GPU\",\"GPU Memory\",\"Enhanced Networking Supported\",\"Instance Capacity - "
        "large\","
        "\"a\",\"b\",\"c\",\"Pre Installed S/W\",\"MarketOption\",\"Region "
        "Code\",\"serviceName\"\n");
}

static void json_product(Buf *b, unsigned long i)
{
    Combination c = combination(i);
    buf_printf(
        b,
        "%s\n    \"SKU%09lu\" : {\n      \"sku\" : \"SKU%09lu\",\n      \"productFamily\" : "
        "\"Compute Instance\",\n"
        "      \"attributes\" : {\n        \"servicecode\" : \"AmazonEC2\",\n        \"location\" "
        ": \"US East (N. "
        "Virginia)\",\n        \"locationType\" : \"AWS Region\",\n        \"instanceType\" : "
        "\"%s\",\n        "
        "\"currentGeneration\" : \"Yes\",\n        \"instanceFamily\" : \"GPU instance\",\n        "
        "\"vcpu\" : "
        "\"8\",\n        \"physicalProcessor\" : \"AMD EPYC 7R32\",\n        \"clockSpeed\" : "
        "\"3.3 GHz\",\n        "
        "\"memory\" : \"1,152 GiB\",\n        \"storage\" : \"1 x 250 GB NVMe SSD\",\n        "
        "\"networkPerformance\" : \"Up to 10 Gigabit\",\n        \"processorArchitecture\" : "
        "\"64-bit\",\n        "
        "\"tenancy\" : \"%s\",\n        \"operatingSystem\" : \"%s\",\n        \"licenseModel\" : "
        "\"No License "
        "required\",\n        \"usagetype\" : \"BoxUsage:%s\",\n        \"operation\" : "
        "\"RunInstances\",\n        "
        "\"availabilityzone\" : \"NA\",\n        \"capacitystatus\" : \"%s\",\n        "
        "\"gpuMemory\" : \"NA\",\n  "
        "      \"gpu\" : \"1\",\n        \"marketoption\" : \"OnDemand\",\n        "
        "\"preInstalledSw\" : \"NA\",\n   "
        "     \"regionCode\" : \"us-east-1\",\n        \"servicename\" : \"Amazon Elastic Compute "
        "Cloud\"\n      "
        "}\n    }",
        i ? "," : "", i, i, types[c.type], c.tenancy, c.system, types[c.type], c.capacity);
}

static void json_term(Buf *b, unsigned long i, const char *code)
{
    Combination c = combination(i);
    buf_printf(b,
               "%s\n      \"SKU%09lu\" : {\n        \"SKU%09lu.%s\" : {\n          "
               "\"offerTermCode\" : \"%s\",\n          "
               "\"sku\" : \"SKU%09lu\",\n          \"effectiveDate\" : \"2026-11-01T00:00:00Z\",\n "
               "         "
               "\"priceDimensions\" : {\n            \"SKU%09lu.%s.6YS6EN2CT7\" : {\n              "
               "\"rateCode\" : "
               "\"SKU%09lu.%s.6YS6EN2CT7\",\n              \"description\" : \"$%.4f per On Demand "
               "%s %s Instance "
               "Hour\",\n              \"beginRange\" : \"0\",\n              \"endRange\" : "
               "\"Inf\",\n              "
               "\"unit\" : \"Hrs\",\n              \"pricePerUnit\" : {\n                \"USD\" : "
               "\"%.10f\"\n           "
               "   },\n              \"appliesTo\" : [ ]\n            }\n          },\n          "
               "\"termAttributes\" : { "
               "}\n        }\n      }",
               i ? "," : "", i, i, code, code, i, i, code, i, code, prices[c.type], c.system,
               types[c.type], prices[c.type]);
}

typedef struct {
    Buf piece;
    unsigned long long made;
    bool go;
    bool (*take)(void *, const char *, size_t);
    void *user;
} Out;

static bool give(Out *o, bool force)
{
    if (o->piece.count >= 1 << 18 || force) {
        o->made += o->piece.count;
        o->go = o->go && o->take(o->user, o->piece.data, o->piece.count);
        o->piece.count = 0;
    }
    return o->go;
}

void price_list(bool json, unsigned long long bytes, bool (*take)(void *, const char *, size_t),
                void *user)
{
    Out o = {.go = true, .take = take, .user = user};
    unsigned long i = 0, products;
    if (!json) {
        csv_head(&o.piece);
        for (; o.made + o.piece.count < bytes && give(&o, false); ++i)
            csv_row(&o.piece, i);
        give(&o, true);
    } else {
        buf_puts(
            &o.piece,
            "{\n  \"formatVersion\" : \"v1.0\",\n  \"disclaimer\" : \"generated for tests\",\n  "
            "\"offerCode\" : \"AmazonEC2\",\n  \"version\" : \"20261128100000\",\n  "
            "\"publicationDate\" : \"2026-11-28T10:00:00Z\",\n  \"products\" : {");
        /* A product is about 1.2 KB, its two terms 1.9 KB. */
        for (; o.made + o.piece.count < bytes * 38 / 100 && give(&o, false); ++i)
            json_product(&o.piece, i);
        products = i;
        buf_puts(&o.piece, "\n  },\n  \"terms\" : {\n    \"OnDemand\" : {");
        for (i = 0; i < products && give(&o, false); ++i)
            json_term(&o.piece, i, "JRTCKXETXF");
        buf_puts(&o.piece, "\n    },\n    \"Reserved\" : {");
        for (i = 0; i < products && give(&o, false); ++i)
            json_term(&o.piece, i, "HU7G6KETJZ");
        buf_puts(&o.piece, "\n    }\n  }\n}\n");
        give(&o, true);
    }
    buf_free(&o.piece);
}
