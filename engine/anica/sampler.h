/* Random basic blocks that an abstract block represents (dissertation §8.1.5).
 *
 * Greedy, repeated where it fails: a scheme for each instruction, uniformly among those given; fixed operands
 * first, with all that must alias with them; then the other operands in random order, uniformly among the
 * values that no must-not-alias constraint forbids, again with all that must alias with them.
 *
 * Registers are those of the policy's sets (never reserved ones, high bytes or k0); memory operands are
 * [memory base + slot], slots as wide as the widest memory operand of the block, so that two of them overlap
 * iff they are syntactically identical; gathers and scatters add the policy's vector index. Memory that must
 * alias with hidden memory (of push, stosb, ...) has its address. Immediates are the policy's, or of the kind
 * that the universe has the scheme with. */
#ifndef PTL_ANICA_SAMPLER_H
#define PTL_ANICA_SAMPLER_H

#include "anica/alias.h"
#include "anica/block.h"
#include "base/rng.h"

#define PTL_SAMPLE_RETRIES 100 /* a sensible number of tries for one block */

/* Holds what is known of a universe of schemes under a policy. Immutable: threads may share it. */
typedef struct ptl_sampler ptl_sampler;

/* Schemes are numbered by their position in the universe. `immediates`: a ptl_immediate for each; NULL: the
 * policy's everywhere. The sampler keeps copies of all it needs. The caller frees. */
ptl_status ptl_sampler_new(ptl_sampler** out, const ptl_scheme* universe, const uint8_t* immediates,
                           size_t count, const ptl_policy* policy, ptl_error* error);
void ptl_sampler_free(ptl_sampler* s);

/* From now on all machine code comes from the encoder of engine/isa, which is slow: the twin for tests and
 * benchmarks. Random choices stay the same. Not while other threads draw. */
void ptl_sampler_use_encoder(ptl_sampler* s);

/* Tells whether instances of the scheme can be drawn; if not, *why (if not NULL) says what it has that the
 * policy has nothing for: a static string such as "a segment register". */
bool ptl_sampler_can_draw(const ptl_sampler* s, uint32_t scheme, const char** why);

/* The schemes admissible for one instruction; those that cannot be drawn are passed over. */
typedef struct ptl_scheme_list {
    const uint32_t* schemes;
    size_t count;
} ptl_scheme_list;

/* An abstract block as the sampler wants it. Constraints on operands that do not exist or do not match in the
 * schemes chosen have no effect (eq. 8.15). */
typedef struct ptl_sample_request {
    const ptl_scheme_list* instructions;
    size_t length; /* 1 ... PTL_BLOCK_LENGTH_MAX */
    const ptl_alias* aliases;
    size_t alias_count;
    unsigned tries; /* for one block, with new schemes each time; 0: PTL_SAMPLE_RETRIES */
} ptl_sample_request;

typedef struct ptl_sample_figures {
    size_t drawn;  /* blocks */
    size_t failed; /* blocks given up after all tries */
    size_t tries;  /* for all blocks; at least drawn + failed */
} ptl_sample_figures;

/* Draws n blocks; out has n elements, of which figures->drawn are filled.
 * PTL_BAD_INPUT: a wrong length, an empty list of schemes, a scheme beyond the universe.
 * PTL_UNSUPPORTED: no block could be drawn; the message says why. After a few blocks were given up and none
 * was drawn the rest is not tried. */
ptl_status ptl_sampler_draw(const ptl_sampler* s, const ptl_sample_request* request, ptl_rng* rng, size_t n,
                            ptl_block* out, ptl_sample_figures* figures, ptl_error* error);

/* Instruction i of a drawn block as an instance, as ptl_decode of its machine code gives it, but for values
 * of operands that are not free. */
void ptl_block_instance(const ptl_sampler* s, const ptl_block* block, size_t i, ptl_instance* out);

#endif
