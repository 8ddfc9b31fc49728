/* Assembler text of A64, GNU syntax, to machine code. One statement a line, or separated by ';'; comments
 * begin with
 * "//", or with '#' at the beginning of a line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "isa/aarch64/aarch64.h"
#include "isa/aarch64/match.h"
#include "isa/aarch64/words.h"
#include "isa/text_labels.h"

#define STATEMENT_SIZE 160

/* A branch to a label, whose distance is known at the end. */
typedef struct fixup {
    uint32_t instruction;
    ptl_label label; /* name and length, in the text */
    ptl_shape shape; /* its last operand is the distance */
} fixup;

typedef struct assembly {
    const char* text;
    ptl_error* error;
    ptl_labels labels;
    uint32_t* words;
    size_t count, capacity;
    fixup* fixups;
    size_t fixup_count, fixup_capacity;
} assembly;

static void locate(const assembly* a, const char* at, unsigned* line, unsigned* column) {
    *line = *column = 1;
    for (const char* c = a->text; c < at; c++) {
        ++*column;
        if (*c == '\n') ++*line, *column = 1;
    }
}

/* "what 'shown'", with the place of `at`. */
static ptl_status fail_at(assembly* a, const char* at, const char* mend, const char* what, const char* shown,
                          size_t length) {
    unsigned line, column;
    char text[32], where[48];
    size_t n = length < 24 ? length : 24;
    for (size_t k = 0; k < n; k++) text[k] = shown[k] >= ' ' && shown[k] <= '~' ? shown[k] : '?';
    text[n] = 0;
    locate(a, at, &line, &column);
    snprintf(where, sizeof where, "line %u, column %u", line, column);
    return ptl_fail(a->error, PTL_BAD_INPUT, where, mend, "%s '%s'", what, text);
}

static ptl_status no_memory(assembly* a) {
    return ptl_fail(a->error, PTL_NO_MEMORY, NULL, "assemble less text", "out of memory");
}

/* ---- one statement */

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$';
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* Mnemonic and operands in lower case, blanks as single spaces. */
typedef struct statement {
    const char* begin; /* in the text */
    const char* operands_begin;
    char mnemonic[16];
    char operands[STATEMENT_SIZE];
} statement;

/* beq is b.eq. */
static void dot_branch(char mnemonic[16]) {
    if (mnemonic[0] != 'b' || strlen(mnemonic) != 3 || ptl_a64_find_condition(mnemonic + 1) < 0) return;
    memmove(mnemonic + 2, mnemonic + 1, 3);
    mnemonic[1] = '.';
}

static ptl_status take_statement(assembly* a, const char* begin, const char* end, statement* s) {
    size_t n = 0;
    const char* at = begin;
    s->begin = begin;
    for (; at < end && is_name(*at); at++) {
        if (n + 1 >= sizeof s->mnemonic)
            return fail_at(a, begin, NULL, "unknown mnemonic", begin, (size_t)(end - begin));
        s->mnemonic[n++] = lower(*at);
    }
    s->mnemonic[n] = 0;
    dot_branch(s->mnemonic);
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    s->operands_begin = at;
    for (n = 0; at < end; at++) {
        if (n + 1 >= sizeof s->operands)
            return fail_at(a, begin, "an instruction is shorter", "this statement is too long:", begin,
                           (size_t)(end - begin));
        if (*at != '\t' && (*at < ' ' || *at > '~'))
            return fail_at(a, at, "text is ASCII", "this character stands in no instruction:", at, 1);
        s->operands[n++] = *at == '\t' ? ' ' : lower(*at);
    }
    s->operands[n] = 0;
    return PTL_OK;
}

static bool takes_label(const char* m) {
    return !strcmp(m, "b") || !strcmp(m, "bl") || !strncmp(m, "b.", 2) || !strcmp(m, "cbz") ||
           !strcmp(m, "cbnz") || !strcmp(m, "tbz") || !strcmp(m, "tbnz");
}

/* The last operand of a branch, if it is a name: cut off, and given back as it stands in the text. */
static bool cut_label(statement* s, ptl_label* label) {
    if (!takes_label(s->mnemonic)) return false;
    size_t n = strlen(s->operands);
    while (n && s->operands[n - 1] == ' ') n--;
    size_t first = n;
    while (first && is_name(s->operands[first - 1])) first--;
    char c = s->operands[first];
    if (first == n || (c >= '0' && c <= '9') || (first && s->operands[first - 1] == '#') ||
        (first && s->operands[first - 1] == '-'))
        return false;
    *label = (ptl_label){.name = s->operands_begin + first, .length = n - first};
    memcpy(s->operands + first, "0", 2);
    return true;
}

static ptl_status add_fixup(assembly* a, const ptl_label* label, const ptl_shape* shape) {
    if (!ptl_room(&a->fixups, &a->fixup_capacity, a->fixup_count + 1, sizeof *a->fixups)) return no_memory(a);
    a->fixups[a->fixup_count++] = (fixup){(uint32_t)a->count, *label, *shape};
    return PTL_OK;
}

static ptl_status add_instruction(assembly* a, const char* begin, const char* end) {
    statement s;
    ptl_label label;
    ptl_shape shape;
    const char* fault;
    ptl_status status = take_statement(a, begin, end, &s);
    if (status) return status;
    if (!ptl_room(&a->words, &a->capacity, a->count + 1, sizeof *a->words)) return no_memory(a);
    if (!ptl_a64_is_mnemonic(s.mnemonic))
        return fail_at(a, begin, "'portolan isa list --arch aarch64' shows all", "unknown mnemonic", begin,
                       strlen(s.mnemonic));
    bool has_label = cut_label(&s, &label);
    if (!ptl_shape_read(s.mnemonic, s.operands, &shape, &fault))
        return fail_at(a, s.operands_begin + (fault - s.operands), "see docs/assembler.md",
                       "no operand of A64:", fault, strcspn(fault, ","));
    if (has_label) {
        status = add_fixup(a, &label, &shape);
        if (status) return status;
    } else if (!ptl_a64_match_any(&shape, &a->words[a->count])) {
        char forms[180];
        return fail_at(a, begin, ptl_a64_describe_forms(&shape, forms, sizeof forms),
                       "these operands go with no form of", begin, strlen(s.mnemonic));
    }
    a->count++;
    return PTL_OK;
}

/* ---- the text */

static ptl_status add_label(assembly* a, const char* name, size_t length) {
    if (ptl_labels_find(&a->labels, name, length))
        return fail_at(a, name, "use each label once", "this label is defined twice:", name, length);
    return ptl_labels_add(&a->labels, (ptl_label){name, length, (uint32_t)a->count}) ? PTL_OK : no_memory(a);
}

static const char* skip_blanks(const char* at, const char* end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) at++;
    return at;
}

/* Adds what stands between two separators: labels, then an instruction, or nothing. */
static ptl_status add_line(assembly* a, const char* at, const char* end) {
    while (end > at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) end--;
    for (at = skip_blanks(at, end); at < end; at = skip_blanks(at, end)) {
        const char* name = at;
        while (at < end && is_name(*at)) at++;
        const char* behind = skip_blanks(at, end);
        if (at == name || behind == end || *behind != ':') return add_instruction(a, name, end);
        ptl_status status = add_label(a, name, (size_t)(at - name));
        if (status) return status;
        at = behind + 1;
    }
    return PTL_OK;
}

/* The end of a statement: a separator, a comment or the end of the text. */
static const char* statement_end(const char* at, const char* end) {
    while (at < end && *at != '\n' && *at != ';' && !(at + 1 < end && at[0] == '/' && at[1] == '/')) at++;
    return at;
}

static ptl_status read_text(assembly* a, const char* end) {
    const char* at = a->text;
    bool is_line_start = true;
    while (at < end) {
        const char* first = skip_blanks(at, end);
        bool is_comment = is_line_start && first < end && *first == '#';
        const char* stop = is_comment ? first : statement_end(at, end);
        ptl_status status = is_comment ? PTL_OK : add_line(a, at, stop);
        if (status) return status;
        is_line_start = !(stop < end && *stop == ';');
        if (is_line_start)
            while (stop < end && *stop != '\n') stop++; /* the comment */
        at = stop < end ? stop + 1 : end;
    }
    return PTL_OK;
}

static ptl_status resolve(assembly* a) {
    for (size_t k = 0; k < a->fixup_count; k++) {
        fixup* f = &a->fixups[k];
        const ptl_label* target = ptl_labels_find(&a->labels, f->label.name, f->label.length);
        if (!target)
            return fail_at(a, f->label.name, "define it as 'name:'", "unknown label", f->label.name,
                           f->label.length);
        int64_t distance = 4 * ((int64_t)target->instruction - (int64_t)f->instruction - 1);
        f->shape.operands[f->shape.count - 1].values[0] = distance;
        if (!ptl_a64_match_any(&f->shape, &a->words[f->instruction]))
            return fail_at(a, f->label.name, "jump by way of another label",
                           "too far, or no operands of this branch:", f->label.name, f->label.length);
    }
    return PTL_OK;
}

static ptl_status write_code(assembly* a, ptl_code* out) {
    *out = (ptl_code){.bytes = malloc(4 * a->count + 1),
                      .size = 4 * a->count,
                      .count = a->count,
                      .offsets = malloc((a->count + 1) * sizeof *out->offsets)};
    if (!out->bytes || !out->offsets) {
        free(out->bytes);
        free(out->offsets);
        *out = (ptl_code){0};
        return no_memory(a);
    }
    for (size_t k = 0; k < a->count; k++)
        for (unsigned b = 0; b < 4; b++) out->bytes[4 * k + b] = (uint8_t)(a->words[k] >> 8 * b);
    for (size_t k = 0; k <= a->count; k++) out->offsets[k] = (uint32_t)(4 * k);
    return PTL_OK;
}

ptl_status ptl_a64_assemble(const char* text, size_t length, ptl_code* out, ptl_error* error) {
    assembly a = {.text = text, .error = error};
    *out = (ptl_code){0};
    if (length > PTL_TEXT_MAX)
        return ptl_fail(error, PTL_LIMIT, NULL, "assemble it in pieces", "the text has more than %u bytes",
                        PTL_TEXT_MAX);
    ptl_status status = read_text(&a, text + length);
    if (!status) status = resolve(&a);
    if (!status) status = write_code(&a, out);
    ptl_labels_free(&a.labels);
    free(a.words);
    free(a.fixups);
    return status;
}
