#include <string.h>

#include "isa/x86_64/x86_64.h"
#include "isa/x86_64/x86_template.h"

/* Holds what the operands' values add to the instruction. */
typedef struct parts {
    unsigned r, x, b;        /* extension bits */
    unsigned high_r, high_v; /* EVEX: the fifth bit of a register */
    unsigned vvvv, is4, opcode, mask;
    unsigned modrm, sib;
    bool has_sib, needs_rex;
    unsigned displacement_size;
    int32_t displacement;
} parts;

static void put_displacement(const ptl_x86_template* t, unsigned base, int32_t displacement, parts* p) {
    unsigned shift = t->displacement_shift;
    int32_t counted = displacement >> shift;
    if (displacement == 0 && (base & 7) != 5) return; /* rbp and r13 always have one */
    if (counted * (INT32_C(1) << shift) == displacement && counted < 128) {
        p->displacement = counted;
        p->displacement_size = 1;
        p->modrm |= 0x40;
    } else {
        p->displacement = displacement;
        p->displacement_size = 4;
        p->modrm |= 0x80;
    }
}

static void put_memory(const ptl_x86_template* t, unsigned value, unsigned slot_shift, parts* p) {
    unsigned base = value < PTL_SLOTS ? t->base : value - PTL_AT_REGISTER;
    p->b = base >> 3;
    if (t->index != PTL_NO_OPERAND) { /* scale 1 */
        p->modrm |= 4;
        p->sib = (t->index & 7u) << 3 | (base & 7);
        p->x = t->index >> 3 & 1;
        p->high_v = t->index >> 4;
        p->has_sib = true;
    } else if ((base & 7) == 4) { /* rsp and r12: no index */
        p->modrm |= 4;
        p->sib = 0x24;
        p->has_sib = true;
    } else {
        p->modrm |= base & 7;
    }
    put_displacement(t, base, value < PTL_SLOTS ? (int32_t)(value << slot_shift) : 0, p);
}

static void put_registers(const ptl_x86_template* t, const uint8_t* values, parts* p) {
    const uint8_t* f = t->fields;
    if (f[PTL_FIELD_REG] != PTL_NO_OPERAND) {
        unsigned n = values[f[PTL_FIELD_REG]];
        p->modrm |= (n & 7) << 3;
        p->r = n >> 3 & 1;
        p->high_r = n >> 4;
    }
    if (f[PTL_FIELD_RM] != PTL_NO_OPERAND) {
        unsigned n = values[f[PTL_FIELD_RM]];
        p->modrm |= n & 7;
        p->b = n >> 3 & 1;
        p->x = n >> 4;
    }
    if (f[PTL_FIELD_OPCODE] != PTL_NO_OPERAND) {
        unsigned n = values[f[PTL_FIELD_OPCODE]];
        p->opcode = n & 7;
        p->b = n >> 3 & 1;
    }
    if (f[PTL_FIELD_VVVV] != PTL_NO_OPERAND) {
        unsigned n = values[f[PTL_FIELD_VVVV]];
        p->vvvv = n & 15;
        p->high_v = n >> 4;
    }
    if (f[PTL_FIELD_IS4] != PTL_NO_OPERAND) p->is4 = values[f[PTL_FIELD_IS4]] & 15u;
    if (f[PTL_FIELD_MASK] != PTL_NO_OPERAND) p->mask = values[f[PTL_FIELD_MASK]] & 7u;
    for (unsigned k = 0, bits = t->low_bytes; bits; k++, bits >>= 1)
        if ((bits & 1) && values[k] >= 4) p->needs_rex = true;
}

static size_t write_rex(const ptl_x86_template* t, const parts* p, uint8_t* out) {
    unsigned rex = t->rex | p->r << 2 | p->x << 1 | p->b;
    if (!rex && !p->needs_rex) return 0;
    out[0] = (uint8_t)(0x40 | rex);
    return 1;
}

static size_t write_vex(const ptl_x86_template* t, const parts* p, uint8_t* out) {
    unsigned first = t->payload[1] | p->r << 7 | p->x << 6 | p->b << 5;
    unsigned second = t->payload[2] | p->vvvv << 3;
    if (t->payload[0] == 0xC4 && (first & 0x7F) == 1 && !(second & 0x80)) { /* no X, B, W; map 0F */
        out[0] = 0xC5;
        out[1] = (uint8_t)((~first & 0x80) | (second ^ 0x78));
        return 2;
    }
    out[0] = t->payload[0];
    out[1] = (uint8_t)(first ^ 0xE0);
    out[2] = (uint8_t)(second ^ 0x78);
    return 3;
}

static size_t write_evex(const ptl_x86_template* t, const parts* p, uint8_t* out) {
    out[0] = 0x62;
    out[1] = (uint8_t)((t->payload[1] | p->r << 7 | p->x << 6 | p->b << 5 | p->high_r << 4) ^ 0xF0);
    out[2] = (uint8_t)((t->payload[2] | p->vvvv << 3) ^ 0x78);
    out[3] = (uint8_t)((t->payload[3] | p->high_v << 3 | p->mask) ^ 0x08);
    return 4;
}

static size_t write_modrm(const ptl_x86_template* t, const parts* p, uint8_t* out) {
    size_t n = 0;
    out[n++] = (uint8_t)(t->modrm | p->modrm);
    if (p->has_sib) out[n++] = (uint8_t)p->sib;
    uint32_t displacement = (uint32_t)p->displacement;
    for (unsigned k = 0; k < p->displacement_size; k++) out[n++] = (uint8_t)(displacement >> 8 * k);
    return n;
}

size_t ptl_x86_template_write(const ptl_template* template, const uint8_t* values, unsigned slot_shift,
                              uint8_t out[PTL_INSTRUCTION_MAX]) {
    const ptl_x86_template* t = (const ptl_x86_template*)template->own;
    parts p = {0};
    put_registers(t, values, &p);
    if (t->memory != PTL_NO_OPERAND) put_memory(t, values[t->memory], slot_shift, &p);
    size_t n = 0;
    for (unsigned k = 0; k < t->prefix_count; k++) out[n++] = t->prefixes[k];
    if (t->form == PTL_FORM_LEGACY) n += write_rex(t, &p, out + n);
    if (t->form == PTL_FORM_VEX) n += write_vex(t, &p, out + n);
    if (t->form == PTL_FORM_EVEX) n += write_evex(t, &p, out + n);
    for (unsigned k = 0; k < t->opcode_count; k++) out[n++] = t->opcode[k];
    out[n - 1] |= (uint8_t)p.opcode;
    if (t->has_modrm) n += write_modrm(t, &p, out + n);
    size_t tail = n;
    for (unsigned k = 0; k < t->tail_count; k++) out[n++] = t->tail[k];
    if (t->tail_count) out[tail] |= (uint8_t)(p.is4 << 4);
    return n;
}
