#include "isa/policy.h"

#include <string.h>

#include "isa/architecture.h"

const char* ptl_file_name(ptl_file file) {
    static const char* const names[PTL_FILES] = {"gpr", "vector", "mask", "mmx", "x87"};
    return (unsigned)file < PTL_FILES ? names[file] : "?";
}

const char* ptl_use_name(ptl_use use) {
    static const char* const names[PTL_USES] = {"read", "written", "updated"};
    return (unsigned)use < PTL_USES ? names[use] : "?";
}

ptl_file ptl_file_of_class(ptl_register_class c) {
    switch (c) {
    case PTL_GPR8:
    case PTL_GPR16:
    case PTL_GPR32:
    case PTL_GPR64:
    case PTL_X:
    case PTL_W:
    case PTL_XSP:
    case PTL_WSP: return PTL_FILE_GPR;
    case PTL_XMM:
    case PTL_YMM:
    case PTL_ZMM:
    case PTL_B:
    case PTL_H:
    case PTL_S:
    case PTL_D:
    case PTL_Q:
    case PTL_V: return PTL_FILE_VECTOR;
    case PTL_MASK: return PTL_FILE_MASK;
    case PTL_MMX: return PTL_FILE_MMX;
    case PTL_X87: return PTL_FILE_X87;
    default: return PTL_FILES;
    }
}

unsigned ptl_file_size(const ptl_architecture* architecture, ptl_file file) {
    return (unsigned)file < PTL_FILES ? architecture->file_sizes[file] : 0;
}

ptl_file ptl_register_place(const ptl_architecture* architecture, unsigned r, unsigned* number) {
    return architecture->register_place(r, number);
}

uint16_t ptl_register_in_class(const ptl_architecture* architecture, ptl_register_class c, unsigned number) {
    return architecture->register_in_class(c, number);
}

const char* ptl_file_register_name(const ptl_architecture* a, ptl_file file, unsigned number) {
    return a->register_name(a->register_in_class((ptl_register_class)a->file_classes[file], number));
}

bool ptl_is_instruction_pointer(const ptl_architecture* architecture, unsigned r) {
    return r && architecture->register_class(r) == PTL_IP;
}

bool ptl_is_stack_pointer(const ptl_architecture* architecture, uint16_t r) {
    unsigned number;
    return r && ptl_register_place(architecture, r, &number) == PTL_FILE_GPR &&
           number == architecture->stack_pointer;
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
            if (set->numbers[i] >= ptl_file_size(policy->architecture, file) || (seen & bit)) {
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
