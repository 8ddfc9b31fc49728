#include "isa/x86_64/text_names.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define NAME_LIMIT 24 /* longer than any mnemonic (18) or register */

typedef struct numbered_family {
    const char* prefix;
    ZydisRegister first;
    unsigned count;
} numbered_family;

static const numbered_family families[] = {
    {"xmm", ZYDIS_REGISTER_XMM0, 32}, {"ymm", ZYDIS_REGISTER_YMM0, 32}, {"zmm", ZYDIS_REGISTER_ZMM0, 32},
    {"mm", ZYDIS_REGISTER_MM0, 8},    {"k", ZYDIS_REGISTER_K0, 8},      {"st", ZYDIS_REGISTER_ST0, 8},
    {"tmm", ZYDIS_REGISTER_TMM0, 8},  {"bnd", ZYDIS_REGISTER_BND0, 4},  {"cr", ZYDIS_REGISTER_CR0, 16},
    {"dr", ZYDIS_REGISTER_DR0, 16},
};

typedef struct named_register {
    const char* name;
    ZydisRegister value;
} named_register;

static const named_register named[] = {
    {"st", ZYDIS_REGISTER_ST0},    {"rip", ZYDIS_REGISTER_RIP},   {"eip", ZYDIS_REGISTER_EIP},
    {"cs", ZYDIS_REGISTER_CS},     {"ds", ZYDIS_REGISTER_DS},     {"es", ZYDIS_REGISTER_ES},
    {"fs", ZYDIS_REGISTER_FS},     {"gs", ZYDIS_REGISTER_GS},     {"ss", ZYDIS_REGISTER_SS},
    {"r8l", ZYDIS_REGISTER_R8B},   {"r9l", ZYDIS_REGISTER_R9B},   {"r10l", ZYDIS_REGISTER_R10B},
    {"r11l", ZYDIS_REGISTER_R11B}, {"r12l", ZYDIS_REGISTER_R12B}, {"r13l", ZYDIS_REGISTER_R13B},
    {"r14l", ZYDIS_REGISTER_R14B}, {"r15l", ZYDIS_REGISTER_R15B},
};

/* Lower case copy, NUL-terminated; false if it is too long to be a name. */
static bool lower(const char* name, size_t length, char out[NAME_LIMIT]) {
    if (length == 0 || length >= NAME_LIMIT) return false;
    for (size_t i = 0; i < length; i++) {
        out[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] | 0x20 : name[i]);
    }
    out[length] = '\0';
    return true;
}

static ZydisRegister numbered_register(const char* name) {
    size_t letters = strcspn(name, "0123456789");
    const char* digits = name + letters;
    size_t count = strlen(digits);
    if (count == 0 || count > 2 || strspn(digits, "0123456789") != count) return ZYDIS_REGISTER_NONE;
    if (count == 2 && digits[0] == '0') return ZYDIS_REGISTER_NONE;
    unsigned number = count == 1 ? (unsigned)(digits[0] - '0')
                                 : (unsigned)(digits[0] - '0') * 10 + (unsigned)(digits[1] - '0');
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (strlen(families[i].prefix) == letters && memcmp(families[i].prefix, name, letters) == 0) {
            return number < families[i].count ? families[i].first + number : ZYDIS_REGISTER_NONE;
        }
    }
    return ZYDIS_REGISTER_NONE;
}

ZydisRegister ptl_register_by_name(const char* name, size_t length) {
    char low[NAME_LIMIT];
    if (length > 5 || !lower(name, length, low)) return ZYDIS_REGISTER_NONE;
    /* al ... r15: the general-purpose registers come first in Zydis' enumeration */
    for (ZydisRegister r = ZYDIS_REGISTER_AL; r <= ZYDIS_REGISTER_R15; r++) {
        if (strcmp(ZydisRegisterGetString(r), low) == 0) return r;
    }
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (strcmp(named[i].name, low) == 0) return named[i].value;
    }
    return numbered_register(low);
}

/* Zydis' mnemonics are in alphabetical order (tests/c/isa_text_test.c checks that). */
static ZydisMnemonic exact_mnemonic(const char* low) {
    int first = ZYDIS_MNEMONIC_INVALID + 1, last = ZYDIS_MNEMONIC_MAX_VALUE;
    while (first <= last) {
        int middle = first + (last - first) / 2;
        int order = strcmp(low, ZydisMnemonicGetString((ZydisMnemonic)middle));
        if (order == 0) return (ZydisMnemonic)middle;
        if (order < 0) last = middle - 1;
        if (order > 0) first = middle + 1;
    }
    return ZYDIS_MNEMONIC_INVALID;
}

typedef struct alias {
    const char* name;
    const char* meaning;
} alias;

static const alias condition_aliases[] = {
    {"ae", "nb"}, {"nae", "b"}, {"c", "b"},   {"nc", "nb"}, {"e", "z"},   {"ne", "nz"}, {"a", "nbe"},
    {"na", "be"}, {"g", "nle"}, {"ng", "le"}, {"ge", "nl"}, {"nge", "l"}, {"pe", "p"},  {"po", "np"},
};

static const alias mnemonic_aliases[] = {
    {"sal", "shl"},       {"movabs", "mov"},      {"retn", "ret"},       {"retq", "ret"},   {"callq", "call"},
    {"wait", "fwait"},    {"xlatb", "xlat"},      {"iret", "iretd"},     {"ud2a", "ud2"},   {"icebp", "int1"},
    {"loopz", "loope"},   {"loopnz", "loopne"},   {"sysretq", "sysret"}, {"pushq", "push"}, {"popq", "pop"},
    {"fcompi", "fcomip"}, {"fucompi", "fucomip"},
};

/* jae, cmove, setc, ...: another word for the same condition. */
static ZydisMnemonic condition_alias(const char* low) {
    static const char* const stems[] = {"j", "cmov", "set"};
    for (size_t s = 0; s < 3; s++) {
        size_t length = strlen(stems[s]);
        if (strncmp(low, stems[s], length) != 0) continue;
        for (size_t i = 0; i < sizeof condition_aliases / sizeof *condition_aliases; i++) {
            if (strcmp(low + length, condition_aliases[i].name) != 0) continue;
            char name[NAME_LIMIT];
            memcpy(name, stems[s], length);
            strcpy(name + length, condition_aliases[i].meaning);
            return exact_mnemonic(name);
        }
    }
    return ZYDIS_MNEMONIC_INVALID;
}

/* Predicates of (v)cmpXXps and its kin: the immediate is the index. */
static const char* const float_predicates[] = {
    "eq",    "lt",     "le",     "unord",    "neq",    "nlt",    "nle",    "ord",
    "eq_uq", "nge",    "ngt",    "false",    "neq_oq", "ge",     "gt",     "true",
    "eq_os", "lt_oq",  "le_oq",  "unord_s",  "neq_us", "nlt_uq", "nle_uq", "ord_s",
    "eq_us", "nge_uq", "ngt_uq", "false_os", "neq_os", "ge_oq",  "gt_oq",  "true_us",
};
static const char* const integer_predicates[] = {"eq", "lt", "le", "false", "neq", "nlt", "nle", "true"};

/* low = stem + predicate + ending, where the mnemonic is stem + ending. */
static ptl_mnemonic_meaning predicate_alias(const char* low, const char* stem, const char* const* predicates,
                                            int count) {
    ptl_mnemonic_meaning none = {ZYDIS_MNEMONIC_INVALID, -1};
    size_t length = strlen(stem);
    if (strncmp(low, stem, length) != 0) return none;
    for (int i = 0; i < count; i++) {
        size_t predicate = strlen(predicates[i]);
        if (strncmp(low + length, predicates[i], predicate) != 0) continue;
        char name[NAME_LIMIT];
        memcpy(name, stem, length);
        strcpy(name + length, low + length + predicate);
        size_t ending = strlen(low + length + predicate);
        if (ending < 1 || ending > 2) continue;
        ZydisMnemonic mnemonic = exact_mnemonic(name);
        if (mnemonic != ZYDIS_MNEMONIC_INVALID) return (ptl_mnemonic_meaning){mnemonic, i};
    }
    return none;
}

ptl_mnemonic_meaning ptl_mnemonic_by_name(const char* name, size_t length) {
    ptl_mnemonic_meaning meaning = {ZYDIS_MNEMONIC_INVALID, -1};
    char low[NAME_LIMIT];
    if (!lower(name, length, low)) return meaning;
    /* Knights Corner had a vpcmpltd of its own, which nothing else has; elsewhere it is an alias. */
    if (strcmp(low, "vpcmpltd") == 0) return (ptl_mnemonic_meaning){ZYDIS_MNEMONIC_VPCMPD, 1};
    meaning.mnemonic = exact_mnemonic(low);
    if (meaning.mnemonic == ZYDIS_MNEMONIC_INVALID) meaning.mnemonic = condition_alias(low);
    for (size_t i = 0; i < sizeof mnemonic_aliases / sizeof *mnemonic_aliases; i++) {
        if (meaning.mnemonic != ZYDIS_MNEMONIC_INVALID) return meaning;
        if (strcmp(low, mnemonic_aliases[i].name) == 0) {
            meaning.mnemonic = exact_mnemonic(mnemonic_aliases[i].meaning);
        }
    }
    if (meaning.mnemonic != ZYDIS_MNEMONIC_INVALID) return meaning;
    meaning = predicate_alias(low, "cmp", float_predicates, 8);
    if (meaning.mnemonic == ZYDIS_MNEMONIC_INVALID)
        meaning = predicate_alias(low, "vcmp", float_predicates, 32);
    if (meaning.mnemonic == ZYDIS_MNEMONIC_INVALID)
        meaning = predicate_alias(low, "vpcmp", integer_predicates, 8);
    return meaning;
}

/* Levenshtein distance, two rows; names are short. */
static unsigned distance(const char* a, size_t n, const char* b, size_t m) {
    unsigned row[NAME_LIMIT + 1];
    for (size_t j = 0; j <= m; j++) row[j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            unsigned moved = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = replaced < moved ? replaced : moved;
        }
    }
    return row[m];
}

const char* ptl_nearest_mnemonic(const char* name, size_t length) {
    char low[NAME_LIMIT];
    if (!lower(name, length, low)) return NULL;
    const char* nearest = NULL;
    unsigned least = length <= 3 ? 2 : 3; /* farther ones are no help */
    for (int i = ZYDIS_MNEMONIC_INVALID + 1; i <= ZYDIS_MNEMONIC_MAX_VALUE; i++) {
        const char* known = ZydisMnemonicGetString((ZydisMnemonic)i);
        unsigned d = distance(low, length, known, strlen(known));
        if (d < least) least = d, nearest = known;
    }
    return nearest;
}
