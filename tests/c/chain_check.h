/* Chains checked: decoded again, with other accesses ten times as slow, the longest way round is the chain.
 * Shared by the tests of the architectures. */
#ifndef CHAIN_CHECK_H
#define CHAIN_CHECK_H

#include "chain_resources.h"
#include "isa/catalogue.h"
#include "isa/sequence.h"

/* The place in the body of link k in round r. */
static size_t place_of(const fixture* f, size_t r, size_t k) {
    return r * f->chain.each + f->chain.position[k];
}

static bool is_flag(unsigned resource) {
    return resource >= FLAG && resource < MEMORY;
}

/* Are both flags that cores rename as one? */
static bool is_one(const fixture* f, unsigned p, unsigned q) {
    uint32_t one = f->architecture->chains->flags_as_one;
    return is_flag(p) && is_flag(q) && one >> (p - FLAG) & 1 && one >> (q - FLAG) & 1;
}

/* Does link k lead from p to q, as instance i of the body? Flags may come together. */
static bool leads(const fixture* f, const ptl_link* links, size_t n, size_t k, size_t i, unsigned p,
                  unsigned q) {
    unsigned from = place_resource(f, i, &links[k].from, false);
    unsigned to = place_resource(f, i, &links[k].to, true);
    bool in = p == from || (f->chain.together[k] && is_flag(from) && is_flag(p)) || is_one(f, from, p);
    return in &&
           (q == to || (f->chain.together[(k + 1) % n] && is_flag(to) && is_flag(q)) || is_one(f, to, q));
}

static double latency(const fixture* f, const ptl_link* links, size_t n, size_t i, unsigned p, unsigned q) {
    for (size_t k = 0; k < n && i < f->chain.count; k++)
        if (i % f->chain.each == f->chain.position[k] && leads(f, links, n, k, i, p, q)) return 1;
    return HEAVY;
}

/* Who wrote the resource last before instance i; -1: nobody. *distance: 1 if in the iteration before. */
static long writer_before(const fixture* f, size_t all, size_t i, unsigned q, uint32_t* distance) {
    for (size_t back = 1; back <= all; back++) {
        size_t w = (i + all - back) % all;
        *distance = w >= i;
        if (f->writes[w][q]) return (long)w;
    }
    return -1;
}

static size_t add_edges(fixture* f, const ptl_link* links, size_t n, size_t all, size_t* nodes) {
    size_t count = 0;
    *nodes = 0;
    for (size_t i = 0; i < all; i++)
        for (unsigned q = 0; q < RESOURCES; q++) f->nodes[i][q] = f->reads[i][q] ? (uint32_t)++ * nodes : 0;
    for (size_t i = 0; i < all; i++) {
        for (unsigned q = 0; q < RESOURCES; q++) {
            uint32_t distance = 0;
            long w = f->reads[i][q] ? writer_before(f, all, i, q, &distance) : -1;
            for (unsigned p = 0; w >= 0 && p < RESOURCES; p++) {
                if (!f->nodes[w][p]) continue;
                assert_true(count < EDGES);
                f->edges[count++] = (ptl_wait){.from = f->nodes[w][p] - 1,
                                               .to = f->nodes[i][q] - 1,
                                               .latency = latency(f, links, n, (size_t)w, p, q),
                                               .distance = distance};
            }
        }
    }
    return count;
}

static double ratio_of(fixture* f, const ptl_link* links, size_t n) {
    size_t all = f->chain.count + 1, nodes = 0, length;
    for (size_t i = 0; i < f->chain.count; i++) {
        note_accesses(f, i, &f->instances[i]);
        f->top[i + 1] = f->top[i] + ptl_scheme_top_moves(&f->instances[i].scheme);
    }
    assert_int_equal(f->top[f->chain.count], f->top[0]); /* the stack is as deep as before */
    memset(f->reads[all - 1], 0, RESOURCES);             /* the loop's own counter */
    memset(f->writes[all - 1], 0, RESOURCES);
    for (unsigned bit = 0; bit < 32; bit++)
        f->writes[all - 1][FLAG + bit] = !(f->architecture->chains->flags_kept >> bit & 1);
    size_t count = add_edges(f, links, n, all, &nodes);
    double ratio = 0;
    ptl_waits waits = {.nodes = nodes, .count = count, .edges = f->edges};
    assert_int_equal(ptl_cycle_ratio(&waits, &ratio, NULL, &length, NULL), PTL_OK);
    return ratio;
}

/* Decodes the code of the chain into f->instances. */
static void decode_again(fixture* f) {
    size_t size, n;
    ptl_error error;
    ptl_chain* c = &f->chain;
    ptl_status status =
        ptl_assemble_instances(c->body, c->count, NULL, f->code, sizeof f->code, &size, f->offsets, &error);
    if (status) fail_msg("%s: %s", error.where, error.what);
    for (size_t i = 0; i < c->count; i++) {
        assert_int_equal(ptl_decode(f->architecture, f->code + f->offsets[i], size - f->offsets[i],
                                    &f->instances[i], &n, &error),
                         PTL_OK);
        if (!ptl_instance_equal(&f->instances[i], &c->body[i]))
            fail_msg("%s became %s", c->body[i].scheme.name, f->instances[i].scheme.name);
    }
    if (ptl_assemble_instances(c->ahead, c->ahead_count, NULL, f->code, sizeof f->code, &size, NULL, &error))
        fail_msg("ahead: %s: %s", error.where, error.what);
}

static void show(const ptl_link* links, size_t n) {
    for (size_t k = 0; k < n; k++) {
        char from[PTL_PLACE_SIZE], to[PTL_PLACE_SIZE];
        ptl_place_write(links[k].scheme->architecture, &links[k].from, from);
        ptl_place_write(links[k].scheme->architecture, &links[k].to, to);
        print_message("%s%s [%s > %s]", k ? " -> " : "", links[k].scheme->name, from, to);
    }
    print_message("\n");
}

/* Builds and checks a chain; false if it is refused. */
static bool check(fixture* f, const ptl_link* links, size_t n) {
    ptl_error error;
    ptl_status status = ptl_chain_build(links, n, ROUNDS, &f->policy, &f->chain, &error);
    if (status) {
        assert_true(status == PTL_UNSUPPORTED || status == PTL_BAD_INPUT);
        f->mismatched += status == PTL_BAD_INPUT;
        return false;
    }
    assert_int_equal(f->chain.count, f->chain.each * ROUNDS);
    assert_int_equal(place_of(f, ROUNDS - 1, 0), f->chain.count - f->chain.each + f->chain.position[0]);
    for (size_t k = 0; k < n; k++)
        assert_string_equal(f->chain.body[f->chain.position[k]].scheme.name, links[k].scheme->name);
    decode_again(f);
    double ratio = ratio_of(f, links, n);
    if (ratio > n * ROUNDS * (1 - 1e-9) && ratio < n * ROUNDS * (1 + 1e-9)) return true;
    show(links, n);
    fail_msg("an iteration of %d rounds waits for %g cycles, not %zu", ROUNDS, ratio, n * ROUNDS);
    return false;
}

static ptl_link link_of(const connector* c, ptl_scheme* scheme) {
    ptl_link link = {.scheme = scheme};
    assert_int_equal(ptl_scheme_from_name(c->scheme, scheme, NULL), PTL_OK);
    assert_int_equal(ptl_place_find(scheme, c->from, &link.from, NULL), PTL_OK);
    assert_int_equal(ptl_place_find(scheme, c->to, &link.to, NULL), PTL_OK);
    return link;
}

/* Alone if it can be, otherwise by way of general registers. */
static inline void check_pair(fixture* f, const ptl_scheme* s, const ptl_place* from, const ptl_place* to) {
    ptl_scheme schemes[2];
    ptl_link links[3] = {{.scheme = s, .from = *from, .to = *to}};
    bool alone = check(f, links, 1), connected = false;
    const connector *out = f->out_of(s, to), *in = f->into(s, from);
    if (out && in) {
        links[1] = link_of(out, &schemes[0]);
        links[2] = link_of(in, &schemes[1]);
        connected = check(f, links, 3);
    }
    f->built += alone || connected;
    f->refused += !alone && !connected;
}

static inline void check_scheme(fixture* f, const ptl_scheme* s) {
    ptl_place places[PTL_PLACES_MAX];
    unsigned n = ptl_places(s, places);
    for (unsigned i = 0; i < n; i++)
        for (unsigned o = 0; o < n; o++)
            if (places[i].input && places[o].output) check_pair(f, s, &places[i], &places[o]);
}

static inline void check_sets(fixture* f, unsigned sets, size_t step) {
    ptl_catalogue* c;
    assert_int_equal(ptl_catalogue_new(&c, f->architecture, sets, NULL), PTL_OK);
    f->built = f->refused = 0;
    for (size_t k = 0; k < ptl_catalogue_count(c); k += step) check_scheme(f, ptl_catalogue_at(c, k));
    print_message("%zu pairs of places in chains, %zu not\n", f->built, f->refused);
    ptl_catalogue_free(c);
}

static bool builds(fixture* f, const connector* list, size_t n) {
    ptl_scheme schemes[4];
    ptl_link links[4];
    for (size_t k = 0; k < n; k++) links[k] = link_of(&list[k], &schemes[k]);
    return check(f, links, n);
}

static fixture* new_fixture(void) {
    fixture* f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->chain.body = calloc(INSTANCES, sizeof *f->chain.body);
    return f;
}

static int free_fixture(void** state) {
    fixture* f = *state;
    free(f->chain.body);
    free(f);
    return 0;
}

#endif
