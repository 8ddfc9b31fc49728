/* An architecture, as generic code sees it: names, registers, schemes, machine code, text, and what operand
 * allocation, chains, predictions and sampling have to know. One constant per architecture, filled by
 * engine/isa/NAME/; schemes point to theirs, so that whoever has a scheme or an instance asks it.
 * docs/adding-an-architecture.md says what a new one needs.
 *
 * Mnemonics and registers are small numbers of the architecture, 0 is none; flags are bits of the
 * architecture. None of the functions keeps any state: any thread may call them. Members that are marked
 * "or NULL" may be left out by an architecture that has no such thing. */
#ifndef PTL_ISA_ARCHITECTURE_H
#define PTL_ISA_ARCHITECTURE_H

#include "isa/accesses.h"
#include "isa/breaker.h"
#include "isa/chain_rules.h"
#include "isa/companions.h"
#include "isa/item_form.h"
#include "isa/listing.h"
#include "isa/moving.h"
#include "isa/parse.h"
#include "isa/template.h"
#include "isa/text_format.h"

/* Called with each scheme that is met, the same one perhaps several times. Returns false to stop. */
typedef bool ptl_scheme_visit(void* context, const ptl_scheme* scheme);

/* Writes code that a loop over the instances needs; *size is what was used. PTL_LIMIT if there is too little
 * room. */
typedef ptl_status ptl_loop_part(const ptl_instance* instances, size_t n, const ptl_policy* policy,
                                 unsigned layout, uint8_t* out, size_t capacity, size_t* size,
                                 ptl_error* error);

/* Registers of a file that encodings treat alike, as bits of their numbers. */
typedef struct ptl_register_group {
    ptl_file file;
    uint32_t members;
    uint32_t unlike; /* of these, what addresses encode otherwise than the others */
} ptl_register_group;

struct ptl_architecture {
    const char* name;         /* "x86_64" */
    uint16_t elf_machine;     /* e_machine of its object files */
    uint8_t instruction_max;  /* bytes of an instruction at most; PTL_INSTRUCTION_MAX is that of all
                                 architectures */
    uint8_t instruction_step; /* lengths of instructions are multiples of this */

    /* ---- names */
    /* Mnemonics have numbers from 1 to PTL_MNEMONICS_MAX - 1. */
    const char* (*mnemonic_name)(unsigned mnemonic);              /* lower case */
    unsigned (*mnemonic_number)(const char* name, size_t length); /* of any case, aliases too; 0: none */
    const char* (*register_name)(unsigned r);                     /* lower case */
    unsigned (*register_number)(const char* name, size_t length); /* of any case; 0: none */
    const char* const* flags; /* 32 names by bit, NULL where there is none */
    uint32_t place_flags;     /* the flags through which instructions wait for each other (isa/place.h) */

    /* ---- registers. Numbers within a file are what the hardware has; see isa/policy.h. */
    uint8_t file_sizes[PTL_FILES];
    uint8_t file_classes[PTL_FILES]; /* ptl_register_class whose names stand for all that alias */
    bool free_index;                 /* memory operands may have a general register as index, or none */
    uint8_t address_class;           /* of registers that hold addresses: PTL_GPR64 */
    uint8_t stack_pointer;           /* its number in PTL_FILE_GPR */
    uint32_t displaced_bases; /* bit per number in PTL_FILE_GPR: bases that are encoded with a displacement */
    bool writes_back; /* what is written to an address's base is the sum of it and a number or a register */
    ptl_register_class (*register_class)(unsigned r);                     /* PTL_NO_CLASS of 0 */
    ptl_file (*register_place)(unsigned r, unsigned* number);             /* PTL_FILES: it is in none */
    uint16_t (*register_in_class)(ptl_register_class c, unsigned number); /* (PTL_GPR32, 1) -> ecx; 0: none */
    bool (*is_zero)(unsigned r); /* whether a register holds nothing but 0. Or NULL: none does */

    /* ---- schemes */
    const char* const* sets; /* names of the parts of the catalogue, by bit of a mask; ends with NULL */
    unsigned default_sets;   /* the mask of those that are listed unless asked otherwise */
    /* Visits all schemes of the sets, all but their architecture; false if the visitor stopped, or memory is
     * out. */
    bool (*each_scheme)(unsigned sets, ptl_scheme_visit* visit, void* context);
    /* The scheme of this name, which fits PTL_NAME_SIZE, all but its architecture; false if there is none.
     * Builds no catalogue. */
    bool (*scheme_from_name)(const char* name, ptl_scheme* out);

    /* ---- machine code: isa/codec.h; templates, or NULL: isa/template.h. Whoever calls these sets the
     * architecture of the scheme in out. */
    ptl_status (*decode)(const uint8_t* bytes, size_t size, ptl_instance* out, size_t* n, ptl_error* error);
    ptl_status (*encode)(const ptl_instance* instance, uint8_t out[PTL_INSTRUCTION_MAX], size_t* n,
                         ptl_error* error);
    void (*sample)(const ptl_scheme* scheme, unsigned variant, ptl_instance* out);
    bool (*template_make)(const ptl_instance* instance, const uint8_t* bytes, size_t size, ptl_template* out);
    size_t (*template_write)(const ptl_template* t, const uint8_t* values, unsigned slot_shift,
                             uint8_t out[PTL_INSTRUCTION_MAX]);

    /* ---- text: isa/parse.h, isa/text_format.h, isa/listing.h */
    ptl_status (*assemble)(const char* text, size_t length, ptl_code* out, ptl_error* error);
    ptl_status (*format)(const uint8_t* bytes, size_t size, char out[PTL_TEXT_SIZE], ptl_error* error);
    int capstone_architecture, capstone_mode; /* cs_arch, cs_mode */
    /* Tells how a line is written where Capstone does not know the instruction, or in the other syntax (AT&T)
     * if there is one; false if the bytes are no instruction. Or NULL. */
    bool (*line)(const uint8_t* bytes, size_t size, uint64_t address, bool other_syntax, ptl_line* out);

    /* ---- dependencies (isa/accesses.h) */
    /* Tells whether an instance waits for the old value of a register operand that it only writes: it keeps a
     * part of it, or may leave it as it was. */
    bool (*keeps_old)(const ptl_scheme* scheme, const ptl_operand* operand);
    /* The register that is the index of hidden memory, or 0. Or NULL. */
    uint16_t (*hidden_index)(const ptl_scheme* scheme);
    /* Tells whether a memory operand is only named: long NOPs. Or NULL. */
    bool (*leaves_memory_alone)(const ptl_scheme* scheme);
    /* Adds what the operands do not tell (registers that addresses leave behind, ...), takes away what these
     * very values do not do. Or NULL. */
    void (*complete_accesses)(const ptl_instance* instance, ptl_accesses* out);
    /* Tells what an instruction computes, as far as addresses need it: fills all but the identity. */
    void (*item_form)(const ptl_instance* instance, ptl_item_form* out);

    /* ---- operand allocation (isa/allocate.h) */
    /* Tells whether an operand of this class that is only written counts as updated: it is merged into the
     * register. */
    bool (*merges)(ptl_register_class c);
    /* The registers that a free register operand can be, a bit per number: not 16 and up without EVEX, ... */
    uint32_t (*registers)(const ptl_scheme* scheme, const ptl_operand* operand);
    /* The address [base of the policy's memory + displacement] as this operand has it, with an index that is
     * 0 if the operand must have one. False if it cannot be said. Unless `exact`, another address of the
     * memory will do that no operand which is written shares, if the operand has no room for the
     * displacement. */
    bool (*address)(const ptl_scheme* scheme, const ptl_operand* operand, const ptl_policy* policy,
                    int64_t displacement, bool exact, ptl_value* out);
    /* A number for an immediate operand without special meaning, where the rule of ptl_operand_immediate does
     * not fit the architecture's fields. Or NULL. */
    int64_t (*immediate)(const ptl_scheme* scheme, const ptl_operand* operand);
    /* Tells how an instance moves the base of this memory operand (isa/moving.h). Or NULL: none does. */
    ptl_move (*move)(const ptl_scheme* scheme, const ptl_operand* operand);
    const uint8_t*
        amounts; /* general registers that hold amounts of such moves in loop bodies; ends with 0 */
    /* Chooses the amounts by which the instances of a loop body move their bases: so that these come back,
     * where that can be. Or NULL. */
    void (*settle)(ptl_instance* instances, size_t n);
    /* Returns by how many bytes an instance moves the stack pointer (isa/stack.h). Or NULL: none does. */
    int (*stack_bytes)(const ptl_scheme* scheme);
    bool (*sets_stack_pointer)(const ptl_scheme* scheme); /* to something else: leave. Or NULL */
    uint8_t stack_base; /* number of the register that holds what the stack pointer held ahead of a loop */

    /* ---- registers that are counted from a top (isa/register_stack.h). Or NULL: none are. */
    int (*top_moves)(const ptl_scheme* scheme);
    bool (*swaps)(const ptl_scheme* scheme);

    /* ---- what goes ahead of an instance to make it independent (isa/breaker.h) */
    /* Writes the instruction that gives a register, by its number, a value that depends on nothing, and all
     * flags if the scheme waits for flags; returns its length. */
    size_t (*breaker)(const ptl_scheme* scheme, const ptl_policy* policy, unsigned number,
                      uint8_t out[PTL_BREAKER_SIZE]);
    bool (*is_never_taken)(const ptl_scheme* scheme); /* a branch: behind a breaker it goes on */
    const char* spacer;                               /* a NOP of PTL_SPACER_SIZE bytes at most */
    uint8_t spacer_size;

    /* ---- what stands around an instance and has uops of its own (isa/companions.h); all or none of them
     * NULL */
    ptl_companions (*companions)(const ptl_scheme* scheme);
    size_t (*write_companions)(const ptl_scheme* scheme, const ptl_policy* policy, bool behind,
                               uint8_t out[PTL_COMPANIONS_SIZE]);
    /* Code that runs once ahead of a loop over these instances, of a layout; and behind them, in every
     * iteration (isa/sequence.h). Or NULL. */
    ptl_loop_part* setup;
    ptl_loop_part* restore;

    /* ---- the rest */
    const ptl_chain_rules* chains;    /* or NULL: no chains are built */
    const ptl_register_group* groups; /* isa/rename.h: ends with no members */
    bool (*stays)(unsigned r);        /* whether a register that an instance names must not be renamed */
};

extern const ptl_architecture ptl_x86_64;
extern const ptl_architecture ptl_aarch64;

/* All of them, in the order in which names are looked up; ends with NULL. */
extern const ptl_architecture* const ptl_architectures[];

/* NULL if there is none of this name. */
const ptl_architecture* ptl_architecture_by_name(const char* name);

/* The architecture that this program runs on, or NULL. */
const ptl_architecture* ptl_architecture_host(void);

/* Returns what is meant where nothing tells: what the environment variable PORTOLAN_DEFAULT_ARCHITECTURE
 * names, else the host's, else the first of all. */
const ptl_architecture* ptl_architecture_default(void);

/* The scheme of this name, of whatever architecture: no name belongs to two. No catalogue is built.
 * PTL_BAD_INPUT if no scheme has this name. */
ptl_status ptl_scheme_from_name(const char* name, ptl_scheme* out, ptl_error* error);

#endif
