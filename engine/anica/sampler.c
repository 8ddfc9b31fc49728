#include "anica/sampler.h"

#include <stdlib.h>
#include <string.h>

#include "anica/choose.h"

struct ptl_sampler {
    size_t count;
    ptl_policy policy;
    ptl_scheme* schemes;
    ptl_plan* plans;
};

enum { HOPELESS = 4 }; /* blocks given up before the first was drawn */

ptl_status ptl_sampler_new(ptl_sampler** out, const ptl_scheme* universe, const uint8_t* immediates,
                           size_t count, const ptl_policy* policy, ptl_error* error) {
    *out = NULL;
    ptl_status status = ptl_policy_check(policy, error);
    if (status) return status;
    ptl_sampler* s = calloc(1, sizeof *s);
    if (s) {
        s->schemes = malloc((count ? count : 1) * sizeof *s->schemes);
        s->plans = malloc((count ? count : 1) * sizeof *s->plans);
    }
    if (!s || !s->schemes || !s->plans || count > UINT32_MAX) {
        ptl_sampler_free(s);
        return ptl_fail(error, PTL_NO_MEMORY, NULL, NULL, "no memory for a sampler of %zu schemes", count);
    }
    s->count = count;
    for (size_t i = 0; i < count; i++)
        if (universe[i].architecture != policy->architecture) {
            ptl_sampler_free(s);
            return ptl_fail(error, PTL_BAD_INPUT, universe[i].name, "take the policy of its architecture",
                            "a scheme of another architecture than the policy");
        }
    s->policy = *policy;
    if (count) memcpy(s->schemes, universe, count * sizeof *universe);
    for (size_t i = 0; i < count; i++) {
        ptl_plan_operands(&s->schemes[i], &s->policy, &s->plans[i]);
        if (immediates) s->plans[i].immediate = immediates[i];
        ptl_plan_finish(&s->schemes[i], &s->policy, &s->plans[i]);
    }
    *out = s;
    return PTL_OK;
}

void ptl_sampler_free(ptl_sampler* s) {
    if (!s) return;
    free(s->schemes);
    free(s->plans);
    free(s);
}

void ptl_sampler_use_encoder(ptl_sampler* s) {
    for (size_t i = 0; i < s->count; i++) s->plans[i].has_code = false;
}

bool ptl_sampler_can_draw(const ptl_sampler* s, uint32_t scheme, const char** why) {
    const char* unusable = scheme < s->count ? s->plans[scheme].unusable : "no place in the universe";
    if (why) *why = unusable;
    return !unusable;
}

static ptl_status check_list(const ptl_sampler* s, const ptl_scheme_list* list, size_t position,
                             ptl_error* error) {
    bool any = false;
    for (size_t i = 0; i < list->count; i++) {
        if (list->schemes[i] >= s->count)
            return ptl_fail(error, PTL_BAD_INPUT, NULL,
                            "schemes are numbered by their position in the universe",
                            "scheme %u of instruction %zu is not in the universe of %zu", list->schemes[i],
                            position + 1, s->count);
        any = any || !s->plans[list->schemes[i]].unusable;
    }
    if (list->count == 0)
        return ptl_fail(error, PTL_BAD_INPUT, NULL,
                        "its constraints exclude each other or the universe is too small",
                        "no scheme is admissible for instruction %zu", position + 1);
    if (!any)
        return ptl_fail(error, PTL_UNSUPPORTED, s->schemes[list->schemes[0]].name, "leave such schemes out",
                        "no scheme for instruction %zu can be drawn; the first one needs %s", position + 1,
                        s->plans[list->schemes[0]].unusable);
    return PTL_OK;
}

static ptl_status check_request(const ptl_sampler* s, const ptl_sample_request* r, ptl_error* error) {
    if (r->length == 0 || r->length > PTL_BLOCK_LENGTH_MAX)
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "blocks have 1 to 16 instructions",
                        "a block of %zu instructions cannot be drawn", r->length);
    for (size_t i = 0; i < r->length; i++) {
        ptl_status status = check_list(s, &r->instructions[i], i, error);
        if (status) return status;
    }
    return PTL_OK;
}

/* Uniform among those of the list that can be drawn; there is one. */
static uint32_t pick_scheme(const ptl_sampler* s, const ptl_scheme_list* list, ptl_rng* rng) {
    for (unsigned tries = 0; tries < 64; tries++) {
        uint32_t scheme = list->schemes[ptl_pick(rng, (uint32_t)list->count)];
        if (!s->plans[scheme].unusable) return scheme;
    }
    size_t usable = 0;
    for (size_t i = 0; i < list->count; i++) usable += !s->plans[list->schemes[i]].unusable;
    uint32_t skip = ptl_pick(rng, (uint32_t)usable);
    for (size_t i = 0;; i++)
        if (!s->plans[list->schemes[i]].unusable && skip-- == 0) return list->schemes[i];
}

static bool write_instruction(const ptl_sampler* s, ptl_block* b, size_t i) {
    const ptl_plan* plan = &s->plans[b->schemes[i]];
    size_t n;
    if (plan->has_code) {
        n = ptl_template_write(s->policy.architecture, &plan->code, b->values[i], b->slot_shift,
                               b->bytes + b->size);
        if (!n) return false;
    } else {
        ptl_instance instance;
        ptl_block_instance(s, b, i, &instance);
        if (ptl_encode(&instance, b->bytes + b->size, &n, NULL)) return false;
    }
    b->size = b->ends[i] = (uint16_t)(b->size + n);
    return true;
}

static ptl_choice try_block(const ptl_sampler* s, const ptl_sample_request* r, ptl_rng* rng, ptl_block* b) {
    const ptl_plan* plans[PTL_BLOCK_LENGTH_MAX];
    b->length = (uint8_t)r->length;
    b->size = 0;
    for (size_t i = 0; i < r->length; i++) {
        b->schemes[i] = pick_scheme(s, &r->instructions[i], rng);
        plans[i] = &s->plans[b->schemes[i]];
    }
    ptl_choice result = ptl_choose(plans, r->length, r->aliases, r->alias_count, s->policy.memory_bytes, rng,
                                   &b->slot_shift, b->values);
    for (size_t i = 0; i < r->length && result == PTL_CHOSEN; i++)
        if (!write_instruction(s, b, i)) result = PTL_CLASH_RESERVED;
    return result;
}

static bool draw_block(const ptl_sampler* s, const ptl_sample_request* r, ptl_rng* rng, ptl_block* b,
                       ptl_sample_figures* figures, size_t failures[PTL_CHOICES]) {
    unsigned tries = r->tries ? r->tries : PTL_SAMPLE_RETRIES;
    for (unsigned i = 0; i < tries; i++) {
        figures->tries++;
        ptl_choice result = try_block(s, r, rng, b);
        if (result == PTL_CHOSEN) return true;
        failures[result]++;
    }
    return false;
}

static ptl_status give_up(const ptl_sample_figures* figures, const size_t failures[PTL_CHOICES],
                          ptl_error* error) {
    unsigned worst = 1;
    for (unsigned c = 1; c < PTL_CHOICES; c++)
        if (failures[c] > failures[worst]) worst = c;
    return ptl_fail(error, PTL_UNSUPPORTED, NULL, "drop constraints or admit more schemes",
                    "no block could be drawn in %zu tries, mostly because %s", figures->tries,
                    ptl_choice_text((ptl_choice)worst));
}

ptl_status ptl_sampler_draw(const ptl_sampler* s, const ptl_sample_request* request, ptl_rng* rng, size_t n,
                            ptl_block* out, ptl_sample_figures* figures, ptl_error* error) {
    size_t failures[PTL_CHOICES] = {0};
    *figures = (ptl_sample_figures){0};
    ptl_status status = check_request(s, request, error);
    if (status) return status;
    for (size_t i = 0; i < n; i++) {
        if (draw_block(s, request, rng, &out[figures->drawn], figures, failures))
            figures->drawn++;
        else if (++figures->failed == HOPELESS && figures->drawn == 0)
            break;
    }
    return n && figures->drawn == 0 ? give_up(figures, failures, error) : PTL_OK;
}

void ptl_block_instance(const ptl_sampler* s, const ptl_block* block, size_t i, ptl_instance* out) {
    uint32_t scheme = block->schemes[i];
    ptl_plan_instance(&s->schemes[scheme], &s->policy, block->values[i], block->slot_shift, out);
    ptl_immediate_set(out, (ptl_immediate)s->plans[scheme].immediate, &s->policy);
}
