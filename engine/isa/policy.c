#include "isa/policy.h"

#include <string.h>

const char* ptl_file_name(ptl_file file) {
    static const char* const names[PTL_FILES] = {"gpr", "vector", "mask", "mmx", "x87"};
    return (unsigned)file < PTL_FILES ? names[file] : "?";
}

const char* ptl_use_name(ptl_use use) {
    static const char* const names[PTL_USES] = {"read", "written", "updated"};
    return (unsigned)use < PTL_USES ? names[use] : "?";
}

unsigned ptl_file_size(ptl_file file) {
    static const unsigned sizes[PTL_FILES] = {16, 32, 8, 8, 8};
    return (unsigned)file < PTL_FILES ? sizes[file] : 0;
}

ptl_file ptl_file_of_class(ptl_register_class c) {
    switch (c) {
    case PTL_GPR8:
    case PTL_GPR16:
    case PTL_GPR32:
    case PTL_GPR64: return PTL_FILE_GPR;
    case PTL_XMM:
    case PTL_YMM:
    case PTL_ZMM: return PTL_FILE_VECTOR;
    case PTL_MASK: return PTL_FILE_MASK;
    case PTL_MMX: return PTL_FILE_MMX;
    case PTL_X87: return PTL_FILE_X87;
    default: return PTL_FILES;
    }
}

ptl_file ptl_register_place(ZydisRegister r, unsigned* number) {
    ptl_file file = ptl_file_of_class(ptl_register_class_of(r));
    if (file == PTL_FILES) return PTL_FILES;
    int id = ZydisRegisterGetId(r);
    if (file == PTL_FILE_GPR) { /* ah and its like have numbers of their own: ask for rax */
        id = ZydisRegisterGetId(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r));
    }
    *number = (unsigned)id;
    return id < 0 ? PTL_FILES : file;
}

ZydisRegister ptl_register_in_class(ptl_register_class c, unsigned number) {
    switch (c) {
    case PTL_GPR8: /* ah to bh lie between bl and spl */
        return number < 4 ? ZYDIS_REGISTER_AL + number : ZYDIS_REGISTER_SPL + (number - 4);
    case PTL_GPR16: return ZYDIS_REGISTER_AX + number;
    case PTL_GPR32: return ZYDIS_REGISTER_EAX + number;
    case PTL_GPR64: return ZYDIS_REGISTER_RAX + number;
    case PTL_XMM: return ZYDIS_REGISTER_XMM0 + number;
    case PTL_YMM: return ZYDIS_REGISTER_YMM0 + number;
    case PTL_ZMM: return ZYDIS_REGISTER_ZMM0 + number;
    case PTL_MASK: return ZYDIS_REGISTER_K0 + number;
    case PTL_MMX: return ZYDIS_REGISTER_MM0 + number;
    case PTL_X87: return ZYDIS_REGISTER_ST0 + number;
    default: return ZYDIS_REGISTER_NONE;
    }
}

int ptl_policy_layout(const ptl_policy* policy, const char* name) {
    for (uint32_t i = 0; i < policy->layout_count; i++) {
        if (strcmp(policy->layouts[i].name, name) == 0) return (int)i;
    }
    return -1;
}

static ptl_status check_file(const ptl_policy* policy, ptl_file file, ptl_error* error) {
    uint32_t seen = policy->reserved[file];
    for (int use = 0; use < PTL_USES; use++) {
        const ptl_register_set* set = &policy->sets[file][use];
        for (unsigned i = 0; i < set->count; i++) {
            uint32_t bit = 1u << (set->numbers[i] & 31);
            if (set->numbers[i] >= ptl_file_size(file) || (seen & bit)) {
                return ptl_fail(
                    error, PTL_BAD_INPUT, ptl_file_name(file),
                    "reserved, read, written and updated registers must not overlap",
                    "register %u of the policy's %s set is in another set, too, or does not exist",
                    set->numbers[i], ptl_use_name((ptl_use)use));
            }
            seen |= bit;
        }
    }
    return PTL_OK;
}

static ptl_status check_layout(const ptl_policy* policy, const ptl_layout* layout, ptl_error* error) {
    for (int use = 0; use < PTL_USES; use++) {
        const ptl_range* range = &layout->ranges[use];
        uint64_t end = (uint64_t)range->first + range->bytes;
        bool bad = range->bytes == 0 || end > policy->memory_bytes || range->first % 64 != 0;
        for (int other = 0; other < use; other++) {
            const ptl_range* o = &layout->ranges[other];
            bad |= range->first < o->first + o->bytes && o->first < end;
        }
        if (bad) {
            return ptl_fail(error, PTL_BAD_INPUT, layout->name,
                            "ranges start at a multiple of 64, lie within the memory and do not overlap",
                            "the policy's %s range [%u, +%u) does not fit", ptl_use_name((ptl_use)use),
                            range->first, range->bytes);
        }
    }
    return PTL_OK;
}

ptl_status ptl_policy_check(const ptl_policy* policy, ptl_error* error) {
    for (int file = 0; file < PTL_FILES; file++) {
        ptl_status status = check_file(policy, (ptl_file)file, error);
        if (status) return status;
    }
    if (!(policy->reserved[PTL_FILE_GPR] >> policy->memory_base & 1) ||
        !(policy->reserved[PTL_FILE_VECTOR] >> policy->vector_index & 1)) {
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "add both to the reserved registers",
                        "the policy's memory base or vector index is not reserved");
    }
    if (policy->layout_count == 0) {
        return ptl_fail(error, PTL_BAD_INPUT, NULL, "declare at least one", "the policy has no layout");
    }
    for (uint32_t i = 0; i < policy->layout_count; i++) {
        ptl_status status = check_layout(policy, &policy->layouts[i], error);
        if (status) return status;
    }
    return PTL_OK;
}
