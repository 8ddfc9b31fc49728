/* Machine code from templates, held to the decoder and to the plain encoder: every scheme, every register in
 * every place, every slot and base (engine/isa/template.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <Zydis/Zydis.h>

#include "anica/plan.h"
#include "base/rng.h"
#include "isa/catalogue.h"
#include "isa/x86_64/x86_64.h"
#include "sampling_policy.h"

typedef struct fixture {
    ptl_policy policy;
    ptl_catalogue* catalogue;
    size_t count;
    ptl_plan* plans;
} fixture;

static int setup(void** state) {
    fixture* f = calloc(1, sizeof *f);
    sampling_policy(&f->policy, 32);
    if (ptl_catalogue_new(&f->catalogue, &ptl_x86_64, PTL_X86_ALL, NULL) != PTL_OK) return -1;
    f->count = ptl_catalogue_count(f->catalogue);
    f->plans = calloc(f->count, sizeof *f->plans);
    for (size_t i = 0; i < f->count; i++) {
        ptl_plan_operands(ptl_catalogue_at(f->catalogue, i), &f->policy, &f->plans[i]);
        ptl_plan_finish(ptl_catalogue_at(f->catalogue, i), &f->policy, &f->plans[i]);
    }
    *state = f;
    return 0;
}

static int teardown(void** state) {
    fixture* f = *state;
    ptl_catalogue_free(f->catalogue);
    free(f->plans);
    free(f);
    return 0;
}

static bool is_register(const ptl_plan_operand* o) {
    return o->role == PTL_ROLE_FREE && o->space != PTL_SPACE_MEMORY;
}

static bool has_slot(const ptl_plan_operand* o) {
    return o->role == PTL_ROLE_ADDRESS || (o->role == PTL_ROLE_FREE && o->space == PTL_SPACE_MEMORY);
}

/* Random values; those of operands that must be distinct are. */
static void random_values(const ptl_plan* p, ptl_rng* rng, uint8_t* values) {
    bool again = true;
    while (again) {
        again = false;
        for (unsigned k = 0; k < p->operand_count; k++) {
            const ptl_plan_operand* o = &p->operands[k];
            values[k] = o->role == PTL_ROLE_FIXED ? o->value : (uint8_t)ptl_rng_below(rng, 32);
            while (is_register(o) && !(o->allowed >> values[k] & 1))
                values[k] = (uint8_t)ptl_rng_below(rng, 32);
        }
        for (unsigned k = 0; k < p->operand_count; k++)
            for (unsigned l = 0; l < p->operand_count; l++)
                if ((p->operands[k].distinct >> l & 1) && values[k] == values[l]) again = true;
    }
}

/* Whether the template's code decodes to the instance of these values. */
static bool is_right(const fixture* f, size_t scheme, const uint8_t* values, unsigned slot_shift) {
    ptl_instance wanted, back;
    uint8_t bytes[PTL_INSTRUCTION_MAX];
    size_t size = ptl_template_write(&ptl_x86_64, &f->plans[scheme].code, values, slot_shift, bytes), n;
    ptl_plan_instance(ptl_catalogue_at(f->catalogue, scheme), &f->policy, values, slot_shift, &wanted);
    return ptl_decode(&ptl_x86_64, bytes, size, &back, &n, NULL) == PTL_OK && n == size &&
           ptl_instance_equal(&wanted, &back) &&
           memcmp(&wanted.scheme, &back.scheme, sizeof back.scheme) == 0;
}

static void expect_right(const fixture* f, size_t scheme, const uint8_t* values, unsigned slot_shift) {
    if (is_right(f, scheme, values, slot_shift)) return;
    const char* name = ptl_catalogue_at(f->catalogue, scheme)->name;
    fail_msg("%s: values %u %u %u %u, slot shift %u", name, values[0], values[1], values[2], values[3],
             slot_shift);
}

static void nearly_every_scheme_has_a_template(void** state) {
    fixture* f = *state;
    size_t unusable = 0, none = 0, distinct = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (f->plans[i].unusable)
            unusable++;
        else if (!f->plans[i].has_code)
            none++;
        for (unsigned k = 0; k < f->plans[i].operand_count; k++)
            distinct += f->plans[i].operands[k].distinct != 0;
    }
    assert_true(f->count > 15000);
    assert_true(unusable < 50);  /* segment, control, debug, bound registers; absolute addresses */
    assert_true(none < 50);      /* left to the encoder; none with Zydis 4.0 */
    assert_true(distinct > 100); /* gathers, complex multiplications */
}

static void every_register_goes_everywhere(void** state) {
    fixture* f = *state;
    ptl_rng rng = ptl_rng_seed(1);
    size_t tried = 0;
    for (size_t i = 0; i < f->count; i++) {
        const ptl_plan* p = &f->plans[i];
        if (p->unusable || !p->has_code) continue;
        for (unsigned k = 0; k < p->operand_count; k++) {
            for (uint32_t left = is_register(&p->operands[k]) ? p->operands[k].allowed : 0; left;
                 left &= left - 1) {
                uint8_t values[PTL_OPERANDS_MAX];
                do random_values(p, &rng, values);
                while (values[k] != __builtin_ctz(left));
                expect_right(f, i, values, 3 + (unsigned)ptl_rng_below(&rng, 7));
                tried++;
            }
        }
    }
    assert_true(tried > 300000);
}

/* Two registers of one file: every pair that is the same decodes, or the plan says that they must differ. */
static void equal_registers_work_unless_distinct(void** state) {
    fixture* f = *state;
    ptl_rng rng = ptl_rng_seed(2);
    size_t tried = 0;
    for (size_t i = 0; i < f->count; i++) {
        const ptl_plan* p = &f->plans[i];
        if (p->unusable || !p->has_code) continue;
        for (unsigned k = 0; k < p->operand_count; k++) {
            for (unsigned l = k + 1; l < p->operand_count; l++) {
                const ptl_plan_operand *a = &p->operands[k], *b = &p->operands[l];
                if (!is_register(a) || !is_register(b) || a->space != b->space) continue;
                for (uint32_t left = a->allowed & b->allowed; left; left &= left - 1) {
                    uint8_t values[PTL_OPERANDS_MAX];
                    random_values(p, &rng, values);
                    values[k] = values[l] = (uint8_t)__builtin_ctz(left);
                    bool others = false; /* must a third one differ from these? */
                    for (unsigned m = 0; m < p->operand_count; m++)
                        for (unsigned n = 0; n < p->operand_count; n++)
                            if ((p->operands[m].distinct >> n & 1) && values[m] == values[n] &&
                                !(m == k && n == l))
                                others = true;
                    if (others) continue;
                    if (is_right(f, i, values, 3) != !(a->distinct >> l & 1))
                        fail_msg("%s: operands %u, %u", ptl_catalogue_at(f->catalogue, i)->name, k, l);
                    tried++;
                }
            }
        }
    }
    assert_true(tried > 100000);
}

/* Slots of all widths (displacements of 0, 8, 32 bits, scaled and not), and all bases that hidden memory has.
 */
static void memory_is_where_it_should_be(void** state) {
    fixture* f = *state;
    ptl_rng rng = ptl_rng_seed(3);
    size_t tried = 0;
    for (size_t i = 0; i < f->count; i++) {
        const ptl_plan* p = &f->plans[i];
        unsigned memory = 0;
        while (memory < p->operand_count && !has_slot(&p->operands[memory])) memory++;
        if (p->unusable || !p->has_code || memory == p->operand_count) continue;
        const ptl_plan_operand* o = &p->operands[memory];
        for (unsigned shift = 3; shift <= 10; shift++) {
            uint8_t values[PTL_OPERANDS_MAX];
            random_values(p, &rng, values);
            values[memory] = (uint8_t)((shift * 5 + i) % PTL_SLOTS);
            expect_right(f, i, values, shift);
            values[memory] = (uint8_t)(shift - 3); /* 0 and the first few */
            expect_right(f, i, values, 3);
            if (o->role == PTL_ROLE_FREE && o->shape == PTL_SHAPE_PLAIN) {
                values[memory] = (uint8_t)(PTL_AT_REGISTER + (shift + i) % 16);
                expect_right(f, i, values, shift);
            }
            tried++;
        }
    }
    assert_true(tried > 30000);
}

/* The encoder agrees that these are instructions; where it writes other bytes, they mean the same. */
static void the_encoder_agrees(void** state) {
    fixture* f = *state;
    ptl_rng rng = ptl_rng_seed(4);
    size_t tried = 0, same = 0;
    for (size_t i = 0; i < f->count; i++) {
        const ptl_plan* p = &f->plans[i];
        for (unsigned times = 0; times < 4 && !p->unusable && p->has_code; times++) {
            ptl_instance wanted;
            ptl_error e;
            uint8_t values[PTL_OPERANDS_MAX], bytes[PTL_INSTRUCTION_MAX], ours[PTL_INSTRUCTION_MAX];
            size_t n;
            random_values(p, &rng, values);
            ptl_plan_instance(ptl_catalogue_at(f->catalogue, i), &f->policy, values, 4, &wanted);
            if (ptl_encode(&wanted, bytes, &n, &e) != PTL_OK) fail_msg("%s: %s", e.where, e.what);
            same += ptl_template_write(&ptl_x86_64, &p->code, values, 4, ours) == n &&
                    memcmp(bytes, ours, n) == 0;
            tried++;
        }
    }
    assert_true(tried > 60000);
    assert_true(same > tried - tried / 100); /* the rest: short forms for al, ax, eax, rax */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearly_every_scheme_has_a_template),
        cmocka_unit_test(every_register_goes_everywhere),
        cmocka_unit_test(equal_registers_work_unless_distinct),
        cmocka_unit_test(memory_is_where_it_should_be),
        cmocka_unit_test(the_encoder_agrees),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
