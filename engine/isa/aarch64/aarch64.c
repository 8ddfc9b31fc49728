/* A64 of Armv8.0-A and later, as generic code sees it. */
#include "isa/aarch64/aarch64.h"

#include <elf.h>

#include <capstone/capstone.h>

#include "isa/aarch64/lookup.h"

static const char* mnemonic_name(unsigned mnemonic) {
    return mnemonic < ptl_a64_mnemonic_count ? ptl_a64_mnemonics[mnemonic] : "";
}

static unsigned mnemonic_number(const char* name, size_t length) {
    char lower[16];
    if (length >= sizeof lower) return 0;
    for (size_t k = 0; k < length; k++)
        lower[k] = name[k] >= 'A' && name[k] <= 'Z' ? (char)(name[k] + 32) : name[k];
    return ptl_a64_mnemonic_of(lower, length);
}

static const uint8_t amounts[] = {PTL_A64_FORTH, PTL_A64_BACK, 0};
static const char* const flags[32] = {"n", "z", "c", "v"};
static const char* const sets[] = {"base", "vector", NULL};

/* Elements of 16 bits come from v0 to v15 alone; multiplications by them are the only instructions that tell.
 */
static const ptl_register_group groups[] = {
    {PTL_FILE_GPR, 0x0003FFFF, 0},
    {PTL_FILE_VECTOR, 0x0000FFFF, 0},
    {PTL_FILE_VECTOR, 0x7FFF0000, 0},
    {PTL_FILES, 0, 0},
};

const ptl_architecture ptl_aarch64 = {
    .name = "aarch64",
    .elf_machine = EM_AARCH64,
    .instruction_max = 4,
    .instruction_step = 4,
    .mnemonic_name = mnemonic_name,
    .mnemonic_number = mnemonic_number,
    .register_name = ptl_a64_register_name,
    .register_number = ptl_a64_register_number,
    .flags = flags,
    .place_flags = PTL_A64_FLAGS,
    .file_sizes = {[PTL_FILE_GPR] = 32, [PTL_FILE_VECTOR] = 32},
    .file_classes = {[PTL_FILE_GPR] = PTL_X, [PTL_FILE_VECTOR] = PTL_V},
    .address_class = PTL_X,
    .stack_pointer = 31,
    .writes_back = true,
    .register_class = ptl_a64_register_class,
    .register_place = ptl_a64_register_place,
    .register_in_class = ptl_a64_register_in_class,
    .is_zero = ptl_a64_is_zero,
    .sets = sets,
    .default_sets = 3,
    .each_scheme = ptl_a64_each_scheme,
    .scheme_from_name = ptl_a64_scheme_from_name,
    .decode = ptl_a64_decode,
    .encode = ptl_a64_encode,
    .sample = ptl_a64_sample,
    .template_make = ptl_a64_template_make,
    .template_write = ptl_a64_template_write,
    .assemble = ptl_a64_assemble,
    .format = ptl_a64_format,
    .capstone_architecture = CS_ARCH_ARM64,
    .capstone_mode = CS_MODE_LITTLE_ENDIAN,
    .keeps_old = ptl_a64_keeps_old,
    .complete_accesses = ptl_a64_complete_accesses,
    .item_form = ptl_a64_item_form,
    .merges = ptl_a64_merges,
    .registers = ptl_a64_registers,
    .address = ptl_a64_address,
    .immediate = ptl_a64_immediate,
    .move = ptl_a64_move,
    .amounts = amounts,
    .settle = ptl_a64_settle,
    .breaker = ptl_a64_breaker,
    .is_never_taken = ptl_a64_is_never_taken,
    .spacer = "\x1f\x20\x03\xd5", /* nop */
    .spacer_size = 4,
    .companions = ptl_a64_companions,
    .write_companions = ptl_a64_write_companions,
    .setup = ptl_a64_setup,
    .restore = ptl_a64_restore,
    .chains = &ptl_a64_chains,
    .groups = groups,
    .stays = ptl_a64_stays,
};
