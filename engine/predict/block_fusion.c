#include "predict/block_fusion.h"

#include <string.h>

static ptl_item_use use_of(const ptl_code_block* b, uint32_t i, bool left_out) {
    const ptl_item* item = &b->items[i];
    ptl_item_use use = {.slots = 1, .dropped = -1, .left_out = left_out};
    if (left_out) use.slots = 0;
    if (left_out || item->scheme == PTL_NO_SCHEME) return use;
    const ptl_usage* usage = &b->model->mapping->schemes[item->scheme];
    use.known = usage->known;
    use.slots = usage->slots;
    if (item->is_indexed && b->model->facts[item->scheme].indexed_slots)
        use.slots = b->model->facts[item->scheme].indexed_slots;
    use.executes = usage->known && !(item->one_source && b->model->facts[item->scheme].idiom);
    return use;
}

static bool fuses(const ptl_code_block* b, const ptl_item* first, const ptl_item* second) {
    if (first->scheme == PTL_NO_SCHEME || second->scheme == PTL_NO_SCHEME || !second->is_jump) return false;
    const ptl_block_facts* f = &b->model->facts[first->scheme];
    if (!f->fused_count) return false;
    const char* mnemonic = second->architecture->mnemonic_name(second->mnemonic);
    for (uint32_t k = 0; k < f->fused_count; k++)
        if (!strcmp(f->fused[k], mnemonic)) return true;
    return false;
}

/* Returns what an item does to the register of a file that is its operand; NULL: that is none. */
static const ptl_touch* touch_of(const ptl_item* item, unsigned operand, unsigned file) {
    for (unsigned k = 0; k < item->accesses.touch_count; k++) {
        const ptl_touch* t = &item->accesses.touches[k];
        if (t->operand == operand && t->writes && t->file == file) return t;
    }
    return NULL;
}

/* Tells whether the first operands of two schemes are of one class, as their names have it: r32 of "mov r32,
 * r32". */
static bool same_first_class(const char* one, const char* other) {
    const char *a = strchr(one, ' '), *b = strchr(other, ' ');
    if (!a || !b) return false;
    size_t n = strcspn(a, ",");
    return n == strcspn(b, ",") && !strncmp(a, b, n);
}

/* Tells whether the first only copies a register, and the second, as one with it, works on the copy: both of
 * one width, with a source of its own. Asked of the core was mov, or movaps: other moves of registers are
 * taken to do as these. */
static bool takes_copy(const ptl_code_block* b, const ptl_item* first, const ptl_item* second) {
    if (second->scheme == PTL_NO_SCHEME || !b->model->facts[second->scheme].takes_copy) return false;
    bool copies = first->form.copies_vector || (first->form.kind == PTL_ITEM_COPY && !first->form.by_number);
    if (!copies || first->accesses.memory_count || second->one_source) return false;
    if (!same_first_class(first->name, second->name)) return false;
    unsigned file = first->form.copies_vector ? PTL_FILE_VECTOR : PTL_FILE_GPR;
    const ptl_touch *copy = touch_of(first, first->form.target, file), *worked_on = touch_of(second, 0, file);
    if (!copy || !worked_on || !worked_on->reads || copy->number != worked_on->number) return false;
    return !(first->accesses.read[file] >> copy->number & 1); /* of another register */
}

/* The uop that the fused one stands for: the least able one of those that can run on the jump's ports; -1. */
static int16_t same_work(const ptl_usage* first, const ptl_usage* jump) {
    int16_t best = -1;
    if (!jump->uop_count) return best;
    for (uint32_t k = 0; k < first->uop_count && k < INT16_MAX; k++) {
        if (jump->uops[0].ports & ~first->uops[k].ports) continue;
        if (best < 0 || ptl_ports_count(first->uops[k].ports) < ptl_ports_count(first->uops[best].ports))
            best = (int16_t)k;
    }
    return best;
}

void ptl_block_fuse(ptl_code_block* b, uint32_t without) {
    uint32_t before = PTL_NO_ITEM;
    for (uint32_t i = 0; i < b->count; i++) {
        ptl_item_use* use = &b->uses[i];
        *use = use_of(b, i, i == without);
        if (use->left_out) continue;
        ptl_item_use* first = before == PTL_NO_ITEM ? NULL : &b->uses[before];
        if (first && first->known && use->known && fuses(b, &b->items[before], &b->items[i])) {
            const ptl_usage* schemes = b->model->mapping->schemes;
            first->dropped = same_work(&schemes[b->items[before].scheme], &schemes[b->items[i].scheme]);
            use->slots = 0;
            use->fused = true;
        } else if (first && takes_copy(b, &b->items[before], &b->items[i]) &&
                   !(i + 1 < b->count && fuses(b, &b->items[i], &b->items[i + 1]))) {
            first->slots = 0;
            first->executes = false;
            first->with_next = true;
        }
        before = i;
    }
}
