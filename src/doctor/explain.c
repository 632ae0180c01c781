/* SPDX-License-Identifier: Apache-2.0
 * gpukit doctor --explain: what a number, a name or a pasted message means. Looks for doctor's own
 * ids, Xid and NVML numbers, CUDA error names, words of known messages, then bare numbers. */
#include "base/table.h"
#include "doctor/codes.h"
#include "doctor/doctor.h"

#include <ctype.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *words, *check, *meaning, *fix;
} messages[] = {
#define MESSAGE(words, check, meaning, fix) {words, check, meaning, fix},
#include "doctor/messages.def"
#undef MESSAGE
};

typedef struct {
    FILE *out;
    struct json_object *list; /* NULL: text */
    int count;
} Answer;

static void field(struct json_object *object, const char *key, const char *text)
{
    if (text && *text)
        json_object_object_add(object, key, json_object_new_string(text));
}

static void line(FILE *out, const char *name, const char *text)
{
    fprintf(out, "  %-9s", name);
    print_wrapped(out, text, 11, 11);
}

static void say(Answer *answer, const char *kind, const char *title, const char *meaning,
                const char *cause, const char *fix, const char *check)
{
    answer->count++;
    if (answer->list) {
        struct json_object *object = json_object_new_object();
        field(object, "kind", kind);
        field(object, "title", title);
        field(object, "meaning", meaning);
        field(object, "cause", cause);
        field(object, "fix", fix);
        field(object, "check", check);
        json_object_array_add(answer->list, object);
        return;
    }
    fprintf(answer->out, "%s%s\n", answer->count > 1 ? "\n" : "", title);
    line(answer->out, "meaning:", meaning);
    if (cause && *cause)
        line(answer->out, "cause:", cause);
    if (!strchr(fix, '\n'))
        line(answer->out, "fix:", fix);
    else /* commands to paste are never broken */
        for (const char *p = fix; *p; p += strcspn(p, "\n"), p += *p == '\n')
            fprintf(answer->out, "  %-9s%.*s\n", p == fix ? "fix:" : "", (int)strcspn(p, "\n"), p);
    if (check && *check)
        fprintf(answer->out, "  see:     gpukit doctor --explain %s\n", check);
}

static void say_code(Answer *answer, const CudaCode *code)
{
    char title[160];
    snprintf(title, sizeof title, "%d  %s%s%s", code->number, code->runtime ? code->runtime : "",
             code->runtime && code->driver ? ", " : "", code->driver ? code->driver : "");
    say(answer, "cuda", title, code->meaning, code->cause, code->fix, NULL);
}

static void say_check(Answer *answer, const CheckRow *row)
{
    char title[160];
    snprintf(title, sizeof title, "%s  %s", row->id, row->title);
    Machine machine;
    Doctor doctor;
    machine_init(&machine, "");
    doctor_init(&doctor, &machine);
    probe_box(&doctor); /* for this machine's commands */
    probe_toolkits(&doctor);
    probe_compilers(&doctor);
    say(answer, "check", title, row->cause, NULL, distro_expand(&doctor, row->fix), NULL);
    doctor_fini(&doctor);
    machine_fini(&machine);
}

static void say_xid(Answer *answer, int number, const XidCode *code)
{
    static const char *const blame[] = {"the program that ran, not the GPU", "the driver",
                                        "the hardware"};
    char title[64];
    snprintf(title, sizeof title, "Xid %d", number);
    say(answer, "xid", title, code->meaning, blame[code->blame], code->fix, NULL);
}

static bool word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* name stands in text as a whole word. */
static bool has_word(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; (at = strcasestr(at, name)); at += length)
        if ((at == text || !word_char(at[-1])) && !word_char(at[length]))
            return true;
    return false;
}

/* The number after a word such as "Xid", "error" or "code"; -1 when there is none.
 * "(PCI:0000:01:00)" between Xid and its number is skipped. */
static int number_after(const char *text, const char *word)
{
    for (const char *at = text; (at = strcasestr(at, word)); ++at) {
        const char *p = at + strlen(word);
        if (at > text && word_char(at[-1]))
            continue;
        p += strspn(p, " :=#");
        const char *closing =
            *p == '(' && strncasecmp(p + 1, "pci", 3) == 0 ? strchr(p, ')') : NULL;
        if (closing)
            p = closing + 1;
        p += strspn(p, " :=#(");
        if (isdigit((unsigned char)*p))
            return (int)strtol(p, NULL, 0);
    }
    return -1;
}

static bool explain_special(Answer *answer, const char *text)
{
    for (int i = 0; i < CHECK_COUNT; ++i)
        if (has_word(text, check_rows[i].id))
            say_check(answer, &check_rows[i]);
    int xid = number_after(text, "xid");
    if (xid >= 0 && xid_code(xid))
        say_xid(answer, xid, xid_code(xid));
    int nvml = number_after(text, "nvml");
    for (int i = 0; i < 1000; ++i) {
        const NvmlCode *code = nvml_code(i);
        if (!code || !(i == nvml || has_word(text, code->name)))
            continue;
        char title[96];
        snprintf(title, sizeof title, "NVML %d  %s", code->number, code->name);
        say(answer, "nvml", title, code->meaning, NULL, code->fix, NULL);
    }
    return answer->count > 0;
}

static bool explain_names(Answer *answer, const char *text)
{
    for (int i = 0; i < cuda_code_count; ++i) {
        const CudaCode *code = &cuda_codes[i];
        if ((code->runtime && has_word(text, code->runtime)) ||
            (code->driver && has_word(text, code->driver)))
            say_code(answer, code);
    }
    return answer->count > 0;
}

static const CheckRow *row_of(const char *id)
{
    for (int i = 0; i < CHECK_COUNT; ++i)
        if (strcmp(check_rows[i].id, id) == 0)
            return &check_rows[i];
    return NULL;
}

static bool explain_messages(Answer *answer, const char *text)
{
    for (size_t i = 0; i < sizeof messages / sizeof *messages; ++i) {
        if (!strcasestr(text, messages[i].words))
            continue;
        const CheckRow *row = row_of(messages[i].check);
        say(answer, "message", messages[i].words, messages[i].meaning, row ? row->cause : NULL,
            messages[i].fix, messages[i].check);
        break;
    }
    /* The longest piece of an API message that occurs: "driver version" must not beat
     * "driver version is insufficient". */
    const CudaCode *best = NULL;
    for (int i = 0; i < cuda_code_count; ++i) {
        const CudaCode *code = &cuda_codes[i];
        if (code->fragment && strcasestr(text, code->fragment) &&
            (!best || strlen(code->fragment) > strlen(best->fragment)))
            best = code;
    }
    if (best)
        say_code(answer, best);
    return answer->count > 0;
}

static bool explain_number(Answer *answer, const char *text)
{
    static const char *const before[] = {"error code", "error", "code", "status",
                                         "returned",   "cuda",  "err"};
    char *end;
    const char *start = text + strspn(text, " \t#");
    long number = strtol(start, &end, 0);
    bool bare = end != start && end[strspn(end, " \t\r\n.")] == 0;
    for (size_t i = 0; !bare && i < sizeof before / sizeof *before; ++i) {
        number = number_after(text, before[i]);
        if (number >= 0)
            break;
    }
    const CudaCode *code = number >= 0 && number < 100000 ? cuda_code((int)number) : NULL;
    if (code)
        say_code(answer, code);
    if (bare && xid_code((int)number))
        say_xid(answer, (int)number, xid_code((int)number));
    return code != NULL || answer->count > 0;
}

bool explain(const char *text, FILE *out, bool json)
{
    Answer answer = {.out = out, .list = json ? json_object_new_array() : NULL};
    bool known = explain_special(&answer, text) || explain_names(&answer, text) ||
                 explain_messages(&answer, text) || explain_number(&answer, text);
    if (json) {
        fprintf(out, "%s\n",
                json_object_to_json_string_ext(answer.list, JSON_C_TO_STRING_PRETTY |
                                                                JSON_C_TO_STRING_NOSLASHESCAPE));
        json_object_put(answer.list);
    }
    return known;
}
