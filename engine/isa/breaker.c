#include "isa/breaker.h"

#include <string.h>

#include "isa/architecture.h"
#include "isa/companions.h"
#include "isa/stack.h"

static bool is_fixed_register(const ptl_operand* o) {
    return o->kind == PTL_REGISTER && o->fixed && o->register_class != PTL_FLAGS;
}

static bool reads_place(const ptl_scheme* s, ptl_file file, unsigned number, unsigned r) {
    for (unsigned k = 0; k < s->operand_count; k++) {
        const ptl_operand* o = &s->operands[k];
        if (!is_fixed_register(o) || !ptl_operand_reads(o)) continue;
        unsigned other;
        ptl_file of = ptl_register_place(s->architecture, o->fixed, &other);
        if (of == PTL_FILES ? o->fixed == r : of == file && other == number) return true;
    }
    return false;
}

static bool among(const uint8_t* numbers, int n, unsigned number) {
    for (int i = 0; i < n; i++)
        if (numbers[i] == number) return true;
    return false;
}

static bool is_conditional_branch(const ptl_scheme* s) {
    return s->branch_type && s->flags_read != 0;
}

/* Is it rsp, and do cores follow how the scheme moves it? */
static bool is_followed(const ptl_scheme* s, ptl_file file, unsigned number) {
    return file == PTL_FILE_GPR && number == s->architecture->stack_pointer && ptl_scheme_stack_bytes(s) != 0;
}

static bool is_instruction_pointer(const ptl_operand* o) {
    return o->register_class == PTL_IP;
}

/* The registers that the scheme updates; -1 if one of them cannot be zeroed. */
static int updated_registers(const ptl_scheme* s, uint8_t numbers[PTL_BREAKERS_MAX]) {
    int n = 0;
    for (unsigned k = 0; k < s->operand_count; k++) {
        const ptl_operand* o = &s->operands[k];
        if (!is_fixed_register(o) || !ptl_operand_writes(o) || is_instruction_pointer(o)) continue;
        unsigned number = 0;
        ptl_file file = ptl_register_place(s->architecture, o->fixed, &number);
        if (!reads_place(s, file, number, o->fixed)) continue;
        if (is_followed(s, file, number)) continue;
        if (file != PTL_FILE_GPR || number == s->architecture->stack_pointer || n == PTL_BREAKERS_MAX)
            return -1;
        if (!among(numbers, n, number)) numbers[n++] = (uint8_t)number;
    }
    return n;
}

int ptl_scheme_breakers(const ptl_scheme* s, unsigned scratch, uint8_t numbers[PTL_BREAKERS_MAX]) {
    bool is_cut = ptl_scheme_companions(s).count > 0; /* by what stands around it */
    int n = ptl_scheme_updates_fixed(s) && !is_cut ? updated_registers(s, numbers) : 0;
    if (n == 0 && (is_conditional_branch(s) || (ptl_scheme_updates_flags(s) && !is_cut)))
        numbers[n++] = (uint8_t)scratch; /* every zeroing idiom writes all flags */
    return n;
}

static unsigned scratch_of(const ptl_policy* policy) {
    const ptl_register_set* written = &policy->sets[PTL_FILE_GPR][PTL_USE_WRITTEN];
    return written->count ? written->numbers[0] : 0;
}

int ptl_scheme_spacers(const ptl_scheme* s) {
    if (!s->branch_type || s->architecture->is_never_taken(s)) return 0;
    bool is_alone =
        ptl_scheme_companions(s).count == 0; /* companions of a return are taken, too: a call, a jump */
    return is_alone ? PTL_SPACERS_MAX / 2 : PTL_SPACERS_MAX;
}

size_t ptl_write_breakers(const ptl_scheme* s, const ptl_policy* policy, uint8_t out[PTL_AHEAD_SIZE]) {
    uint8_t numbers[PTL_BREAKERS_MAX];
    int n = ptl_scheme_breakers(s, scratch_of(policy), numbers);
    size_t size = 0;
    const ptl_architecture* a = s->architecture;
    for (int i = 0; i < ptl_scheme_spacers(s); i++, size += a->spacer_size)
        memcpy(out + size, a->spacer, a->spacer_size);
    for (int i = 0; i < n; i++) size += a->breaker(s, policy, numbers[i], out + size);
    return size;
}
