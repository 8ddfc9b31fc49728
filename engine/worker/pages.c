#include "worker/pages.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "worker/machine.h"
#include "worker/protocol.h"
#include "worker/sandbox.h"

enum { STACK = 64 << 10 /* room for all registers that a kernel saves there, tiles among them */ };

static uint64_t* where;
static int with;

static void* place_at(uint64_t address) {
    return (void*)(uintptr_t)address;
}

/* Takes so many bytes from the address on if nothing is there; kernels before 4.17 take it for a hint. */
static bool is_free(uint64_t address, size_t size, int protection, int sharing) {
    void* wanted = place_at(address);
    void* p = mmap(wanted, size, protection, MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | sharing, -1, 0);
    if (p != MAP_FAILED && p != wanted) munmap(p, size);
    return p == wanted;
}

/* A shared mapping of no length moves nowhere: its pages are there, too. */
static bool alias(uint64_t page, uint64_t address) {
    void* to = place_at(address);
    return is_free(address, PTL_PAGE_SIZE, PROT_NONE, MAP_PRIVATE) &&
           mremap(place_at(page), 0, PTL_PAGE_SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to;
}

int ptl_pages_map(const uint64_t* pages, size_t n, bool apart, uint64_t* refused) {
    const uint64_t first = ptl_machine.places->page;
    const size_t size = (apart && n > 1 ? n : 1) * PTL_PAGE_SIZE;
    *refused = first;
    if (!is_free(first, size, PROT_READ | PROT_WRITE, MAP_SHARED)) return -1;
    uint64_t* word = place_at(first);
    for (size_t i = 0; i < size / sizeof *word; i++) word[i] = PTL_PAGE_PATTERN;
    for (size_t i = 0; i < n; i++) {
        *refused = pages[i];
        if (!alias(first + (apart ? i * PTL_PAGE_SIZE : 0), pages[i])) return -1;
    }
    return 0;
}

/* What the code did to the thread's own registers does not matter here: nothing that needs them is used. */
static void tell(int signal, siginfo_t* info, void* context) {
    (void)signal, (void)context;
    *where = info->si_code == SI_KERNEL ? PTL_NO_ADDRESS : (uint64_t)(uintptr_t)info->si_addr;
    ptl_sandbox_exit(with);
}

void ptl_pages_catch(uint64_t* fault, int status) {
    static unsigned char stack[STACK];
    where = fault, with = status;
    struct sigaction action = {.sa_sigaction = tell, .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
    if (sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL)) return;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}
