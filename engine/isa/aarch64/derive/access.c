#include "isa/aarch64/derive/access.h"

#include <string.h>

#include "isa/aarch64/derive/traits.h"

enum { R = PTL_A64_READS, W = PTL_A64_WRITES, RW = R | W };

static const char* const texts[PTL_REPAIRS] = {
    [PTL_REPAIR_LOAD_DATA] = "a load writes all its registers and reads none of them",
    [PTL_REPAIR_LOAD_LANE] = "a load into one element keeps the others",
    [PTL_REPAIR_STORE_DATA] = "a store reads all its registers and writes none of them",
    [PTL_REPAIR_LOAD_MEMORY] = "loads and prefetches read memory",
    [PTL_REPAIR_STORE_MEMORY] = "stores write memory and do not read it",
    [PTL_REPAIR_NO_RESULT] =
        "comparisons, branches and writes to system registers have no register as result",
    [PTL_REPAIR_UPDATED] = "the old value counts: accumulators, insertions, upper halves",
    [PTL_REPAIR_RESULT] = "the first operand is the result and is not read",
    [PTL_REPAIR_SOURCE] = "the operands behind the result are read and not written",
    [PTL_REPAIR_FLAGS] = "a write to a field of the processor state (interrupt masks, ...) writes no flags",
};

const char* ptl_repair_text(ptl_a64_repair repair) {
    return (unsigned)repair < PTL_REPAIRS && texts[repair] ? texts[repair] : "";
}

/* ---- what is true */

static bool is_before_memory(const ptl_a64_form* f, unsigned k) {
    while (++k < f->operand_count)
        if (f->operands[k].kind == PTL_A64_MEMORY) return true;
    return false;
}

static bool has_lane(const ptl_a64_form* f, unsigned k) {
    return k + 1 < f->operand_count && f->operands[k + 1].modifier == PTL_A64_LANE;
}

static uint8_t memory_access(const char* m, ptl_a64_repair* rule) {
    *rule = ptl_trait_is_store(m) ? PTL_REPAIR_STORE_MEMORY : PTL_REPAIR_LOAD_MEMORY;
    return ptl_trait_is_store(m) ? W : R;
}

static uint8_t transferred_access(const char* m, const ptl_a64_form* f, unsigned k, ptl_a64_repair* rule) {
    if (!is_before_memory(f, k)) {
        *rule = PTL_REPAIR_SOURCE; /* what is added to the base afterwards */
        return R;
    }
    if (ptl_trait_is_store(m)) {
        bool is_status = k == 0 && ptl_trait_has_status(m); /* the outcome of an exclusive store */
        *rule = is_status ? PTL_REPAIR_NONE : PTL_REPAIR_STORE_DATA;
        return is_status ? W : R;
    }
    *rule = has_lane(f, k) ? PTL_REPAIR_LOAD_LANE : PTL_REPAIR_LOAD_DATA;
    return has_lane(f, k) ? RW : W;
}

static uint8_t register_access(const char* m, const ptl_a64_form* f, unsigned k, ptl_a64_repair* rule) {
    if (ptl_trait_is_load(m) || ptl_trait_is_store(m)) return transferred_access(m, f, k, rule);
    if (ptl_trait_has_no_result(m)) {
        *rule = PTL_REPAIR_NO_RESULT;
        return R;
    }
    if (k > 0) {
        *rule = PTL_REPAIR_SOURCE;
        return R;
    }
    bool is_updated = ptl_trait_updates(m, f) || has_lane(f, 0);
    *rule = is_updated ? PTL_REPAIR_UPDATED : PTL_REPAIR_RESULT;
    return is_updated ? RW : W;
}

/* ---- what Capstone says */

/* Their operands are registers one by one and memory; immediates, lanes and shifts are parts of them or
 * follow. */
static void take_their_access(const cs_arm64* detail, ptl_derived* d, bool differs[]) {
    unsigned theirs = 0;
    for (unsigned k = 0; k < d->form.operand_count; k++) {
        const ptl_a64_operand* o = &d->form.operands[k];
        if (o->kind != PTL_A64_REGISTER && o->kind != PTL_A64_MEMORY) continue;
        arm64_op_type type = o->kind == PTL_A64_MEMORY ? ARM64_OP_MEM : ARM64_OP_REG;
        for (unsigned n = 0; n < (o->list ? o->list : 1u); n++, theirs++) {
            while (theirs < detail->op_count && detail->operands[theirs].type != type &&
                   !(o->is_literal && detail->operands[theirs].type == ARM64_OP_IMM))
                theirs++;
            if (theirs >= detail->op_count) return;
            uint8_t access = detail->operands[theirs].access;
            if (n == 0) d->theirs[k] = access;
            if (access != o->access) differs[k] = true;
        }
    }
}

static uint8_t their_flags(const uint16_t* registers, unsigned count) {
    for (unsigned k = 0; k < count; k++)
        if (registers[k] == ARM64_REG_NZCV) return PTL_A64_FLAGS;
    return 0;
}

/* False where they differ and no rule says why. */
static bool compare_flags(const cs_detail* detail, ptl_derived* d) {
    bool read = their_flags(detail->regs_read, detail->regs_read_count) != 0;
    bool written = their_flags(detail->regs_write, detail->regs_write_count) != 0;
    if (read != (d->form.flags_read != 0)) return false;
    if (written != (d->form.flags_written != 0)) d->flags_repair = PTL_REPAIR_FLAGS;
    return !d->flags_repair || !strcmp(d->mnemonic, "msr");
}

bool ptl_derive_access(ptl_probe* probe, ptl_derived* d) {
    uint8_t rules[PTL_A64_OPERANDS_MAX] = {0};
    bool differs[PTL_A64_OPERANDS_MAX] = {false};
    for (unsigned k = 0; k < d->form.operand_count; k++) {
        ptl_a64_operand* o = &d->form.operands[k];
        ptl_a64_repair rule = PTL_REPAIR_NONE;
        if (o->kind == PTL_A64_MEMORY) o->access = memory_access(d->mnemonic, &rule);
        if (o->kind == PTL_A64_REGISTER) o->access = register_access(d->mnemonic, &d->form, k, &rule);
        rules[k] = (uint8_t)rule;
    }
    ptl_trait_fill(d);
    if (!ptl_probe_decode(probe, d->word)) return false;
    take_their_access(&probe->instruction->detail->arm64, d, differs);
    bool is_explained = compare_flags(probe->instruction->detail, d);
    for (unsigned k = 0; k < d->form.operand_count; k++) {
        d->repairs[k] = differs[k] ? rules[k] : PTL_REPAIR_NONE;
        if (differs[k] && !rules[k]) is_explained = false;
    }
    return is_explained;
}
