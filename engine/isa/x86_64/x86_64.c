#include "isa/x86_64/x86_64.h"

#include <elf.h>

#include <capstone/capstone.h>
#include <Zydis/Zydis.h>

#include "isa/x86_64/text_names.h"
#include "isa/x86_64/x87.h"

static const char* mnemonic_name(unsigned mnemonic) {
    return ZydisMnemonicGetString((ZydisMnemonic)mnemonic);
}

static unsigned mnemonic_number(const char* name, size_t length) {
    return ptl_mnemonic_by_name(name, length).mnemonic;
}

static unsigned register_number(const char* name, size_t length) {
    return ptl_register_by_name(name, length);
}

static const char* const flags[32] = {
    [0] = "cf",  [2] = "pf",  [4] = "af",   [6] = "zf",    [7] = "sf",  [8] = "tf",
    [9] = "if",  [10] = "df", [11] = "of",  [12] = "iopl", [14] = "nt", [16] = "rf",
    [17] = "vm", [18] = "ac", [19] = "vif", [20] = "vip",  [21] = "id"};

static const char* const sets[] = {"legacy", "vex", "evex", NULL};

/* bpl, sil and dil need a prefix that al does not; rbp, r12 and r13 as a base need a byte more. */
static const ptl_register_group groups[] = {
    {PTL_FILE_GPR, 0x000F, 0},        {PTL_FILE_GPR, 0x00E0, 0x0020},
    {PTL_FILE_GPR, 0x3F00, 0x3000},   {PTL_FILE_VECTOR, 0x000000FF, 0},
    {PTL_FILE_VECTOR, 0x00007F00, 0}, {PTL_FILE_VECTOR, 0x00FF0000, 0},
    {PTL_FILE_VECTOR, 0xFF000000, 0}, {PTL_FILE_MASK, 0xFE, 0},
    {PTL_FILE_MMX, 0xFF, 0},          {PTL_FILES, 0, 0},
};

_Static_assert((int)ZYDIS_ROUNDING_MODE_RN == PTL_ROUND_NEAREST,
               "rounding modes of instances are Zydis' numbers");
_Static_assert(ZYDIS_REGISTER_NONE == 0 && ZYDIS_REGISTER_MAX_VALUE <= UINT16_MAX,
               "registers are Zydis' numbers");
_Static_assert(ZYDIS_BRANCH_TYPE_NONE == 0, "branch types are Zydis' numbers");

const ptl_architecture ptl_x86_64 = {
    .name = "x86_64",
    .elf_machine = EM_X86_64,
    .instruction_max = ZYDIS_MAX_INSTRUCTION_LENGTH,
    .instruction_step = 1,
    .mnemonic_name = mnemonic_name,
    .mnemonic_number = mnemonic_number,
    .register_name = ptl_x86_register_name,
    .register_number = register_number,
    .flags = flags,
    .place_flags = ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF | ZYDIS_CPUFLAG_ZF |
                   ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_DF | ZYDIS_CPUFLAG_OF,
    .file_sizes = {[PTL_FILE_GPR] = 16,
                   [PTL_FILE_VECTOR] = 32,
                   [PTL_FILE_MASK] = 8,
                   [PTL_FILE_MMX] = 8,
                   [PTL_FILE_X87] = 8},
    .file_classes = {[PTL_FILE_GPR] = PTL_GPR64,
                     [PTL_FILE_VECTOR] = PTL_XMM,
                     [PTL_FILE_MASK] = PTL_MASK,
                     [PTL_FILE_MMX] = PTL_MMX,
                     [PTL_FILE_X87] = PTL_X87},
    .free_index = true,
    .address_class = PTL_GPR64,
    .stack_pointer = 4,
    .displaced_bases = 1u << 5 | 1u << 13, /* rbp, r13 */
    .register_class = ptl_x86_register_class,
    .register_place = ptl_x86_register_place,
    .register_in_class = ptl_x86_register_in_class,
    .sets = sets,
    .default_sets = PTL_X86_LEGACY | PTL_X86_VEX,
    .each_scheme = ptl_x86_each_scheme,
    .scheme_from_name = ptl_x86_scheme_from_name,
    .decode = ptl_x86_decode,
    .encode = ptl_x86_encode,
    .sample = ptl_x86_sample,
    .template_make = ptl_x86_template_make,
    .template_write = ptl_x86_template_write,
    .assemble = ptl_x86_assemble,
    .format = ptl_x86_format,
    .capstone_architecture = CS_ARCH_X86,
    .capstone_mode = CS_MODE_64,
    .line = ptl_x86_line,
    .keeps_old = ptl_x86_keeps_old,
    .hidden_index = ptl_x86_hidden_index,
    .leaves_memory_alone = ptl_x86_leaves_memory_alone,
    .complete_accesses = ptl_x86_complete_accesses,
    .item_form = ptl_x86_item_form,
    .merges = ptl_x86_merges,
    .registers = ptl_x86_registers,
    .address = ptl_x86_address,
    .stack_bytes = ptl_x86_stack_bytes,
    .sets_stack_pointer = ptl_x86_sets_stack_pointer,
    .stack_base = 13, /* r13 */
    .top_moves = ptl_x87_top_moves,
    .swaps = ptl_x87_swaps,
    .breaker = ptl_x86_breaker,
    .is_never_taken = ptl_x86_is_never_taken,
    .spacer = "\x0f\x1f\x44\x00\x00", /* nop dword ptr [rax + rax] */
    .spacer_size = 5,
    .companions = ptl_x86_companions,
    .write_companions = ptl_x86_write_companions,
    .setup = ptl_x87_setup,
    .restore = ptl_x86_restore,
    .chains = &ptl_x86_chains,
    .groups = groups,
    .stays = ptl_x86_stays,
};
