#include "anica/names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"

/* FNV-1a. */
static uint32_t hash_of(const char* text) {
    uint32_t h = 2166136261u;
    for (; *text; text++) h = (h ^ (unsigned char)*text) * 16777619u;
    return h;
}

/* The slot that holds the text, or the free one where it belongs. There is always a free one. */
static uint32_t* slot_of(const ptl_names* names, const char* text) {
    uint32_t mask = names->slot_count - 1, at = hash_of(text) & mask;
    while (names->slots[at] && strcmp(names->texts[names->slots[at] - 1], text) != 0) at = (at + 1) & mask;
    return &names->slots[at];
}

static bool grow_slots(ptl_names* names) {
    uint32_t count = names->slot_count ? names->slot_count * 2 : 64;
    uint32_t* slots = calloc(count, sizeof *slots);
    if (!slots) return false;
    free(names->slots);
    names->slots = slots;
    names->slot_count = count;
    for (uint32_t i = 0; i < names->count; i++) *slot_of(names, names->texts[i]) = i + 1;
    return true;
}

uint32_t ptl_names_add(ptl_names* names, const char* text) {
    if (2 * names->count >= names->slot_count && !grow_slots(names)) return PTL_NO_NAME;
    uint32_t* slot = slot_of(names, text);
    if (*slot) return *slot - 1;
    if (!ptl_room(&names->texts, &names->capacity, names->count + 1, sizeof *names->texts))
        return PTL_NO_NAME;
    const char* copy = ptl_arena_string(&names->arena, text);
    if (!copy) return PTL_NO_NAME;
    names->texts[names->count] = copy;
    *slot = ++names->count;
    return names->count - 1;
}

uint32_t ptl_names_find(const ptl_names* names, const char* text) {
    if (!names->slot_count) return PTL_NO_NAME;
    uint32_t found = *slot_of(names, text);
    return found ? found - 1 : PTL_NO_NAME;
}

void ptl_names_release(ptl_names* names) {
    ptl_arena_release(&names->arena);
    free(names->texts);
    free(names->slots);
    *names = (ptl_names){0};
}
