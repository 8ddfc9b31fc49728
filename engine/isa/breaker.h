/* Cutting the dependencies that no choice of operands avoids: a scheme that reads and writes a fixed register
 * or a flag (mul r64, adc r64, r64, shl r64, cl) waits for its own last instance. A zeroing idiom (xor r32,
 * r32) ahead of each instance gives the register and all flags a value that depends on nothing; it takes an
 * issue slot, but no port and no time (section 3.2.1 excludes such schemes instead).
 *
 * A conditional branch gets one, too: whatever is beside it writes flags, the branch always goes the same
 * way. After a zeroing idiom the zero and parity flags are set and all others are clear, so jnz, jnp, jb,
 * jnbe, jo, js, jl, jnle are never taken, and the others always, to the next instruction. Branches that are
 * taken get six NOPs ahead (spacers; ret with its call and jump twelve): where they stand close to each
 * other, predictors and caches of decoded instructions have no room for all of them. */
#ifndef PTL_ISA_BREAKER_H
#define PTL_ISA_BREAKER_H

#include "isa/policy.h"

#define PTL_BREAKERS_MAX 4
#define PTL_BREAKER_SIZE 4 /* bytes of one, at most */
#define PTL_SPACERS_MAX 12
#define PTL_SPACER_SIZE 5 /* bytes of one */
#define PTL_AHEAD_SIZE (PTL_BREAKERS_MAX * PTL_BREAKER_SIZE + PTL_SPACERS_MAX * PTL_SPACER_SIZE)

/* The general-purpose registers to zero, by number, ahead of each instance. A flag alone is cut by zeroing
 * `scratch`. Returns how many; 0 if nothing fixed is updated and it is no conditional branch; -1 if it cannot
 * be cut: the stack pointer, a register of another file. */
int ptl_scheme_breakers(const ptl_scheme* s, unsigned scratch, uint8_t numbers[PTL_BREAKERS_MAX]);

/* The NOPs that go ahead of each instance: of a branch that is always taken, PTL_SPACERS_MAX at most;
 * otherwise 0. */
int ptl_scheme_spacers(const ptl_scheme* s);

/* Machine code of the NOPs and zeroing idioms of s under a policy, whose first written-only register is the
 * scratch one. Returns the bytes written to out; 0 if there are none, or it cannot be cut. */
size_t ptl_write_breakers(const ptl_scheme* s, const ptl_policy* policy, uint8_t out[PTL_AHEAD_SIZE]);

#endif
