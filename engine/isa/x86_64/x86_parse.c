#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "isa/text_labels.h"
#include "isa/x86_64/text_encode.h"
#include "isa/x86_64/x86_64.h"

/* A branch to a label: encoded at the end, when all distances are known. */
typedef struct fixup {
    uint32_t instruction;
    uint32_t target; /* the instruction it jumps to */
    ZydisBranchWidth width;
    ptl_statement statement;
} fixup;

typedef struct assembly {
    ptl_lexer lexer;
    ptl_labels labels;
    uint8_t (*code)[PTL_TEXT_CODE];
    uint8_t* lengths;
    uint32_t* offsets;
    size_t count, capacity;
    fixup* fixups;
    size_t fixup_count, fixup_capacity;
} assembly;

static ptl_status no_memory(assembly* a) {
    return ptl_fail(a->lexer.error, PTL_NO_MEMORY, NULL, "assemble less text", "out of memory");
}

static ptl_status make_room(assembly* a) {
    if (a->count + 1 < a->capacity) return PTL_OK; /* one more for the last offset */
    size_t larger = a->capacity ? a->capacity * 2 : 16;
    if (!ptl_resize(&a->code, larger, sizeof *a->code) ||
        !ptl_resize(&a->lengths, larger, sizeof *a->lengths) ||
        !ptl_resize(&a->offsets, larger, sizeof *a->offsets)) {
        return no_memory(a);
    }
    a->capacity = larger;
    return PTL_OK;
}

static ptl_status add_label(assembly* a, ptl_token name) {
    if (ptl_labels_find(&a->labels, name.start, name.length)) {
        char shown[32];
        return ptl_lexer_fail(&a->lexer, name.start, "use each label once", "label '%s' is defined twice",
                              ptl_token_show(name.start, name.length, shown));
    }
    ptl_label label = {name.start, name.length, (uint32_t)a->count};
    return ptl_labels_add(&a->labels, label) ? PTL_OK : no_memory(a);
}

/* `name:` in front of a statement. *found says whether there was one; if not, the lexer is where it was. */
static ptl_status parse_label(assembly* a, bool* found) {
    ptl_lexer before = a->lexer;
    *found = false;
    const char* p = before.next;
    while (p < before.end && (*p == ' ' || *p == '\t')) p++;
    if (before.token.kind != PTL_TOKEN_WORD || p == before.end || *p != ':') return PTL_OK;
    *found = true;
    ptl_status status = add_label(a, before.token);
    if (!status) status = ptl_lexer_advance(&a->lexer); /* ':' */
    return status ? status : ptl_lexer_advance(&a->lexer);
}

static bool encode_branch(assembly* a, fixup* f, int64_t distance, uint8_t* length) {
    size_t n;
    ptl_branch branch = {distance, f->width};
    ptl_error* error = a->lexer.error;
    ptl_error ignored;
    a->lexer.error = &ignored;
    bool ok = !ptl_encode_statement(&a->lexer, &f->statement, &branch, a->code[f->instruction], &n);
    a->lexer.error = error;
    *length = ok ? (uint8_t)n : 0;
    return ok;
}

/* Branches start short and grow when their target is too far. */
static ptl_status add_fixup(assembly* a, const ptl_statement* statement) {
    if (!ptl_room(&a->fixups, &a->fixup_capacity, a->fixup_count + 1, sizeof *a->fixups)) return no_memory(a);
    fixup* f = &a->fixups[a->fixup_count++];
    *f = (fixup){.instruction = (uint32_t)a->count, .width = ZYDIS_BRANCH_WIDTH_8, .statement = *statement};
    uint8_t* length = &a->lengths[a->count++];
    if (statement->branch != PTL_BRANCH_NEAR && encode_branch(a, f, 0, length)) return PTL_OK;
    f->width = ZYDIS_BRANCH_WIDTH_32;
    if (encode_branch(a, f, 0, length)) return PTL_OK;
    return ptl_lexer_fail(&a->lexer, statement->start, "write it without prefixes and 'near' or 'short'",
                          "this branch to a label cannot be encoded");
}

static ptl_status parse_instruction(assembly* a) {
    ptl_statement statement;
    ptl_status status = ptl_parse_statement(&a->lexer, &statement);
    if (!status) status = make_room(a);
    if (status) return status;
    if (statement.operand_count == 1 && statement.operands[0].kind == PTL_TEXT_LABEL &&
        ptl_takes_label(statement.mnemonic)) {
        return add_fixup(a, &statement);
    }
    size_t length;
    status = ptl_encode_statement(&a->lexer, &statement, NULL, a->code[a->count], &length);
    if (!status) a->lengths[a->count++] = (uint8_t)length;
    return status;
}

static ptl_status parse_all(assembly* a) {
    ptl_status status = PTL_OK;
    while (!status && a->lexer.token.kind != PTL_TOKEN_END) {
        bool is_label = false;
        if (a->lexer.token.kind == PTL_TOKEN_SEPARATOR) {
            status = ptl_lexer_advance(&a->lexer);
            continue;
        }
        status = parse_label(a, &is_label);
        if (!status && !is_label) status = parse_instruction(a);
    }
    return status;
}

static ptl_status resolve(assembly* a) {
    for (size_t i = 0; i < a->fixup_count; i++) {
        const ptl_text_operand* operand = &a->fixups[i].statement.operands[0];
        const ptl_label* label = ptl_labels_find(&a->labels, operand->label, operand->label_length);
        if (!label) {
            char shown[32];
            return ptl_lexer_fail(&a->lexer, operand->label, "define it as 'name:'",
                                  "unknown label or register '%s'",
                                  ptl_token_show(operand->label, operand->label_length, shown));
        }
        a->fixups[i].target = label->instruction;
    }
    return PTL_OK;
}

static void place(assembly* a) {
    uint32_t offset = 0;
    for (size_t i = 0; i < a->count; i++) {
        a->offsets[i] = offset;
        offset += a->lengths[i];
    }
    a->offsets[a->count] = offset;
}

static int64_t distance_of(const assembly* a, const fixup* f) {
    return (int64_t)a->offsets[f->target] - (int64_t)a->offsets[f->instruction + 1];
}

static bool fits_short(int64_t distance) {
    return distance >= -128 && distance <= 127;
}

static bool may_grow(const fixup* f) {
    return f->width == ZYDIS_BRANCH_WIDTH_8 && f->statement.branch == PTL_BRANCH_ANY &&
           !ptl_is_short_only(f->statement.mnemonic);
}

/* Grows the branches that do not reach their target, or all. True if there was one. */
static bool grow(assembly* a, bool all) {
    bool grown = false;
    for (size_t i = 0; i < a->fixup_count; i++) {
        fixup* f = &a->fixups[i];
        if (!may_grow(f) || (!all && fits_short(distance_of(a, f)))) continue;
        f->width = ZYDIS_BRANCH_WIDTH_32;
        encode_branch(a, f, 0, &a->lengths[f->instruction]);
        grown = true;
    }
    return grown;
}

#define ROUNDS 16 /* after so many the rest is made long: linear time for any text */

/* Growing one branch can push another's target out of reach, so again until nothing changes. */
static ptl_status relax(assembly* a) {
    place(a);
    for (int round = 0; grow(a, round == ROUNDS); round++) place(a);
    for (size_t i = 0; i < a->fixup_count; i++) {
        fixup* f = &a->fixups[i];
        int64_t distance = distance_of(a, f);
        bool fits = f->width != ZYDIS_BRANCH_WIDTH_8 || fits_short(distance);
        uint8_t before = a->lengths[f->instruction];
        if (!fits || !encode_branch(a, f, distance, &a->lengths[f->instruction]) ||
            a->lengths[f->instruction] != before) {
            return ptl_lexer_fail(&a->lexer, f->statement.start, "move the label nearer",
                                  "the label is too far for this branch (%lld bytes)", (long long)distance);
        }
    }
    return PTL_OK;
}

static ptl_status emit(assembly* a, ptl_code* out) {
    uint32_t size = a->offsets[a->count];
    out->bytes = malloc(size ? size : 1);
    if (!out->bytes) return no_memory(a);
    for (size_t i = 0; i < a->count; i++) memcpy(out->bytes + a->offsets[i], a->code[i], a->lengths[i]);
    out->size = size;
    out->count = a->count;
    out->offsets = a->offsets;
    a->offsets = NULL;
    return PTL_OK;
}

ptl_status ptl_x86_assemble(const char* text, size_t length, ptl_code* out, ptl_error* error) {
    assembly a = {0};
    ptl_status status = ptl_lexer_init(&a.lexer, text, length, error);
    if (!status) status = make_room(&a);
    if (!status) status = parse_all(&a);
    if (!status) status = resolve(&a);
    if (!status) status = relax(&a);
    if (!status) status = emit(&a, out);
    ptl_labels_free(&a.labels);
    free(a.code);
    free(a.lengths);
    free(a.offsets);
    free(a.fixups);
    return status;
}
