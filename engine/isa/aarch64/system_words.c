#include "isa/aarch64/system_words.h"

#include <stdlib.h>
#include <string.h>

typedef struct named {
    const char* name;
    uint16_t number;
} named;

#define OPERATION(op1, crn, crm, op2) ((op1) << 11 | (crn) << 7 | (crm) << 3 | (op2))
#define REGISTER(op1, crn, crm, op2) (1 << 14 | OPERATION(op1, crn, crm, op2)) /* op0 is 3 */

static const named registers[] = {
    {"nzcv", REGISTER(3, 4, 2, 0)},
    {"fpcr", REGISTER(3, 4, 4, 0)},
    {"fpsr", REGISTER(3, 4, 4, 1)},
    {"tpidr_el0", REGISTER(3, 13, 0, 2)},
    {"tpidrro_el0", REGISTER(3, 13, 0, 3)},
    {"cntfrq_el0", REGISTER(3, 14, 0, 0)},
    {"cntpct_el0", REGISTER(3, 14, 0, 1)},
    {"cntvct_el0", REGISTER(3, 14, 0, 2)},
    {"ctr_el0", REGISTER(3, 0, 0, 1)},
    {"dczid_el0", REGISTER(3, 0, 0, 7)},
    {"daif", REGISTER(3, 4, 2, 1)},
    {"dit", REGISTER(3, 4, 2, 5)},
    {"ssbs", REGISTER(3, 4, 2, 6)},
    {"rndr", REGISTER(3, 2, 4, 0)},
    {"rndrrs", REGISTER(3, 2, 4, 1)},
    {"pmcr_el0", REGISTER(3, 9, 12, 0)},
    {"pmcntenset_el0", REGISTER(3, 9, 12, 1)},
    {"pmcntenclr_el0", REGISTER(3, 9, 12, 2)},
    {"pmselr_el0", REGISTER(3, 9, 12, 5)},
    {"pmccntr_el0", REGISTER(3, 9, 13, 0)},
    {"pmxevtyper_el0", REGISTER(3, 9, 13, 1)},
    {"pmxevcntr_el0", REGISTER(3, 9, 13, 2)},
    {"pmuserenr_el0", REGISTER(3, 9, 14, 0)},
    {"midr_el1", REGISTER(0, 0, 0, 0)},
    {"mpidr_el1", REGISTER(0, 0, 0, 5)},
    {"id_aa64pfr0_el1", REGISTER(0, 0, 4, 0)},
    {"id_aa64pfr1_el1", REGISTER(0, 0, 4, 1)},
    {"id_aa64isar0_el1", REGISTER(0, 0, 6, 0)},
    {"id_aa64isar1_el1", REGISTER(0, 0, 6, 1)},
    {"id_aa64mmfr0_el1", REGISTER(0, 0, 7, 0)},
    {"id_aa64mmfr1_el1", REGISTER(0, 0, 7, 1)},
    {"currentel", REGISTER(0, 4, 2, 2)},
    {"sp_el0", REGISTER(0, 4, 1, 0)},
    {"tpidr_el1", REGISTER(0, 13, 0, 4)},
    {NULL, 0},
};

/* Fields of PSTATE that are no registers of that name: op1, op2. */
static const named fields[] = {{"daifset", 3 << 3 | 6}, {"daifclr", 3 << 3 | 7}, {NULL, 0}};

static const named domains[] = {
    {"oshld", 1},  {"oshst", 2}, {"osh", 3}, {"nshld", 5}, {"nshst", 6}, {"nsh", 7}, {"ishld", 9},
    {"ishst", 10}, {"ish", 11},  {"ld", 13}, {"st", 14},   {"sy", 15},   {NULL, 0},
};

static const named data_operations[] = {
    {"zva", OPERATION(3, 7, 4, 1)},    {"cvac", OPERATION(3, 7, 10, 1)},
    {"cvau", OPERATION(3, 7, 11, 1)},  {"cvap", OPERATION(3, 7, 12, 1)},
    {"civac", OPERATION(3, 7, 14, 1)}, {"ivac", OPERATION(0, 7, 6, 1)},
    {"isw", OPERATION(0, 7, 6, 2)},    {"csw", OPERATION(0, 7, 10, 2)},
    {"cisw", OPERATION(0, 7, 14, 2)},  {NULL, 0},
};

static const named code_operations[] = {
    {"ivau", OPERATION(3, 7, 5, 1)},
    {"iallu", OPERATION(0, 7, 5, 0)},
    {"ialluis", OPERATION(0, 7, 1, 0)},
    {NULL, 0},
};

static const named targets[] = {{"c", 34}, {"j", 36}, {"jc", 38}, {NULL, 0}};
static const named profiling[] = {{"csync", 17}, {NULL, 0}};

static bool find(const named* list, const char* word, int64_t* number) {
    for (; list->name; list++) {
        if (strcmp(list->name, word) != 0) continue;
        *number = list->number;
        return true;
    }
    return false;
}

/* Digits of a number up to `last`, and what stands behind them; NULL if there is none. */
static const char* take_number(const char* at, unsigned last, unsigned* number) {
    if (*at < '0' || *at > '9' || (at[0] == '0' && at[1] >= '0' && at[1] <= '9')) return NULL;
    char* end;
    unsigned long n = strtoul(at, &end, 10);
    *number = (unsigned)n;
    return n <= last ? end : NULL;
}

/* c0 to c15 */
static bool find_control(const char* word, int64_t* number) {
    unsigned n;
    const char* end = *word == 'c' ? take_number(word + 1, 15, &n) : NULL;
    if (!end || *end) return false;
    *number = n;
    return true;
}

/* s3_3_c4_c2_0: op0, op1, CRn, CRm, op2. */
static bool find_numbered(const char* word, int64_t* number) {
    static const struct {
        const char* before;
        unsigned first, last;
    } parts[] = {{"s", 2, 3}, {"_", 0, 7}, {"_c", 0, 15}, {"_c", 0, 15}, {"_", 0, 7}};
    unsigned n[5];
    const char* at = word;
    for (unsigned k = 0; k < 5; k++) {
        size_t length = strlen(parts[k].before);
        if (strncmp(at, parts[k].before, length) != 0) return false;
        at = take_number(at + length, parts[k].last, &n[k]);
        if (!at || n[k] < parts[k].first) return false;
    }
    *number = (int64_t)((n[0] - 2) << 14 | OPERATION(n[1], n[2], n[3], n[4]));
    return *at == 0;
}

/* pmevcntr0_el0 to pmevcntr30_el0, and what they count. */
static bool find_event_counter(const char* word, int64_t* number) {
    static const struct {
        const char* name;
        unsigned crm;
    } rows[] = {{"pmevcntr", 8}, {"pmevtyper", 12}};
    for (unsigned k = 0; k < 2; k++) {
        unsigned n;
        size_t length = strlen(rows[k].name);
        if (strncmp(word, rows[k].name, length) != 0) continue;
        const char* end = take_number(word + length, 30, &n);
        if (!end || strcmp(end, "_el0") != 0) return false;
        *number = REGISTER(3, 14, rows[k].crm + n / 8, n % 8);
        return true;
    }
    return false;
}

bool ptl_a64_find_system_word(const char* mnemonic, const char* word, int64_t* number) {
    bool writes = !strcmp(mnemonic, "msr");
    if (writes || !strcmp(mnemonic, "mrs"))
        return find(registers, word, number) || find_event_counter(word, number) ||
               find_numbered(word, number) || (writes && find(fields, word, number));
    if (!strcmp(mnemonic, "dmb") || !strcmp(mnemonic, "dsb") || !strcmp(mnemonic, "isb"))
        return find(domains, word, number);
    if (!strcmp(mnemonic, "dc")) return find(data_operations, word, number);
    if (!strcmp(mnemonic, "ic")) return find(code_operations, word, number);
    if (!strcmp(mnemonic, "sys") || !strcmp(mnemonic, "sysl")) return find_control(word, number);
    if (!strcmp(mnemonic, "bti")) return find(targets, word, number);
    return !strcmp(mnemonic, "psb") && find(profiling, word, number);
}
