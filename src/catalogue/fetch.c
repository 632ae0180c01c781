/* SPDX-License-Identifier: Apache-2.0
 * Reading of local files, and of addresses by libcurl at run time. */
#include "catalogue/fetch.h"

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 18 };

bool fetch_is_address(const char *from)
{
    return strncasecmp(from, "http://", 7) == 0 || strncasecmp(from, "https://", 8) == 0;
}

static bool read_file(const char *path, const FetchSink *sink, int *day, Diags *diags)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0 || S_ISDIR(st.st_mode)) {
        diag_add(diags, DIAG_ERROR, path, 0, 0, "%s", fd < 0 ? strerror(errno) : "is a folder");
        diag_help(
            diags,
            "--from takes a file, an http(s) address or a name of `gpukit catalogue sources`");
        if (fd >= 0)
            close(fd);
        return false;
    }
    *day = (int)(st.st_mtime / 86400);
    unsigned long long done = 0, total = S_ISREG(st.st_mode) ? (unsigned long long)st.st_size : 0;
    char *piece = malloc(PIECE);
    ssize_t got = 0;
    bool go = piece != NULL;
    while (go && (got = read(fd, piece, PIECE)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            diag_add(diags, DIAG_ERROR, path, 0, 0, "%s", strerror(errno));
            break;
        }
        done += (unsigned long long)got;
        go = sink->bytes(sink->user, piece, (size_t)got);
        if (sink->progress)
            sink->progress(sink->user, done, total);
    }
    free(piece);
    close(fd);
    return go && got == 0;
}

typedef struct {
    const FetchSink *sink;
    bool stopped;
} Transfer;

static size_t on_bytes(char *bytes, size_t size, size_t count, void *user)
{
    Transfer *t = user;
    t->stopped = !t->sink->bytes(t->sink->user, bytes, size * count);
    return t->stopped ? 0 : size * count;
}

static int on_progress(void *user, curl_off_t total, curl_off_t done, curl_off_t up_total,
                       curl_off_t up)
{
    Transfer *t = user;
    (void)up_total, (void)up;
    if (t->sink->progress)
        t->sink->progress(t->sink->user, (unsigned long long)done, (unsigned long long)total);
    return 0;
}

/* What is used of libcurl. */
typedef struct {
    void *library;
    CURL *(*init)(void);
    CURLcode (*setopt)(CURL *, CURLoption, ...);
    CURLcode (*perform)(CURL *);
    CURLcode (*getinfo)(CURL *, CURLINFO, ...);
    void (*cleanup)(CURL *);
    const char *(*strerror)(CURLcode);
} Curl;

static bool open_curl(Curl *curl, Diags *diags)
{
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !curl->library; ++i)
        curl->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (curl->library) {
        *(void **)&curl->init = dlsym(curl->library, "curl_easy_init");
        *(void **)&curl->setopt = dlsym(curl->library, "curl_easy_setopt");
        *(void **)&curl->perform = dlsym(curl->library, "curl_easy_perform");
        *(void **)&curl->getinfo = dlsym(curl->library, "curl_easy_getinfo");
        *(void **)&curl->cleanup = dlsym(curl->library, "curl_easy_cleanup");
        *(void **)&curl->strerror = dlsym(curl->library, "curl_easy_strerror");
    }
    if (curl->init && curl->setopt && curl->perform && curl->getinfo && curl->cleanup &&
        curl->strerror)
        return true;
    diag_add(diags, DIAG_ERROR, NULL, 0, 0, "libcurl is not installed: addresses cannot be read");
    diag_help(diags,
              "sudo apt install libcurl4, or fetch the file by other means and give it to --from");
    return false;
}

static bool read_address(const char *address, const FetchSink *sink, Diags *diags)
{
    static Curl curl;
    Transfer transfer = {sink, false};
    long status = 0;
    if (!curl.library && !open_curl(&curl, diags))
        return false;
    CURL *easy = curl.init();
    if (!easy)
        return false;
    curl.setopt(easy, CURLOPT_URL, address);
    curl.setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl.setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl.setopt(easy, CURLOPT_FOLLOWLOCATION, 1L);
    curl.setopt(easy, CURLOPT_MAXREDIRS, 5L);
    curl.setopt(easy, CURLOPT_FAILONERROR, 1L);
    curl.setopt(easy, CURLOPT_CONNECTTIMEOUT, 20L);
    curl.setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 100L);
    curl.setopt(easy, CURLOPT_LOW_SPEED_TIME, 60L);
    curl.setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl.setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl.setopt(easy, CURLOPT_USERAGENT, "gpukit");
    curl.setopt(easy, CURLOPT_WRITEFUNCTION, on_bytes);
    curl.setopt(easy, CURLOPT_WRITEDATA, &transfer);
    curl.setopt(easy, CURLOPT_NOPROGRESS, 0L);
    curl.setopt(easy, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl.setopt(easy, CURLOPT_XFERINFODATA, &transfer);
    CURLcode code = curl.perform(easy);
    curl.getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    curl.cleanup(easy);
    if (code != CURLE_OK && !transfer.stopped) {
        if (code == CURLE_HTTP_RETURNED_ERROR)
            diag_add(diags, DIAG_ERROR, address, 0, 0, "the server answers %ld", status);
        else
            diag_add(diags, DIAG_ERROR, address, 0, 0, "%s", curl.strerror(code));
        diag_help(diags, "nothing was changed; --from FILE reads a copy");
    }
    return code == CURLE_OK;
}

bool fetch(const char *from, const FetchSink *sink, int *day, Diags *diags)
{
    *day = 0;
    return fetch_is_address(from) ? read_address(from, sink, diags)
                                  : read_file(from, sink, day, diags);
}
