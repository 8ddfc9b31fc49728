/* An abstract domain: a universe of instruction schemes and the features that describe them (dissertation
 * §8.1.4).
 *
 * An abstract instruction (eq. 8.8) is a row of nodes, one per feature; it represents the schemes that all of
 * its nodes represent. Asking may grow lattices: one thread at a time. */
#ifndef PTL_ANICA_DOMAIN_H
#define PTL_ANICA_DOMAIN_H

#include "anica/lattice.h"
#include "isa/scheme.h"

#define PTL_FEATURES_MAX 32

typedef struct ptl_domain {
    size_t scheme_count;
    ptl_scheme* schemes; /* in the order of their names */
    ptl_names names;     /* a scheme's number is its index */
    size_t feature_count;
    ptl_lattice* features[PTL_FEATURES_MAX];
    /* Representation answers with these; ptl_domain_seal makes them: */
    ptl_node* rows;   /* scheme_count rows of feature_count nodes: beta_in (eq. 8.11) */
    ptl_bitset* sets; /* by scheme: gamma_in(beta_in(scheme)); words is NULL until it is asked for */
    ptl_arena arena;
} ptl_domain;

/* A domain of these schemes, without features. PTL_BAD_INPUT if there is none, one is there
 * twice, or they are of two architectures. The caller frees. */
ptl_status ptl_domain_new(ptl_domain** out, const ptl_scheme* schemes, size_t n, ptl_error* error);
void ptl_domain_free(ptl_domain* d);

/* The architecture of its schemes. */
const ptl_architecture* ptl_domain_architecture(const ptl_domain* d);

/* Adds a feature; the domain frees it, also if this fails. Its values may be set until the domain is sealed.
 */
ptl_status ptl_domain_add(ptl_domain* d, ptl_lattice* feature, ptl_error* error);

/* After the last feature and value: finishes the lattices, represents all schemes. */
ptl_status ptl_domain_seal(ptl_domain* d, ptl_error* error);

/* Index of the scheme of this name, or PTL_NO_NAME. */
uint32_t ptl_domain_index(const ptl_domain* d, const char* name);

/* Schemes of an abstract instruction (eq. 8.10) into the set, which has scheme_count bits. */
ptl_status ptl_domain_concretize(const ptl_domain* d, const ptl_node* row, ptl_bitset* set, ptl_error* error);

/* gamma_in(beta_in(scheme)); NULL without memory. Valid as long as the domain. */
const ptl_bitset* ptl_domain_alike(ptl_domain* d, uint32_t scheme);

/* Tells whether row a is below row b or equal (eq. 8.9). */
bool ptl_domain_leq(const ptl_domain* d, const ptl_node* a, const ptl_node* b);

#endif
