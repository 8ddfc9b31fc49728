/* Storms on demand: real noise on one processor, for tests and benchmarks of what measures there.
 * A storm ends by itself, with SIGTERM, and with its parent; nothing of it needs root, though root's are
 * stronger. */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "storm.h"

static void all(const storm_dials* dials);

/* The defaults of the dials are in the order of the struct; 0: no such dial. */
static const storm_kind kinds[] = {
    {"timers", 50000, 3, 0, 0, false, storm_timers},
    {"stalls", 75000, 0, 0, 0, false, storm_stalls},
    {"neighbour", 0, 0, 0.5, 1e6, false, storm_neighbour},
    {"vector", 2000, 30, 0.5, 1e4, false, storm_vector},
    {"memory", 0, 0, 0.5, 1e4, true, storm_memory},
    {"all", 0, 0, 0, 0, false, all},
    {"watch", 0, 0, 0, 0, false, NULL},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const char usage[] =
    "usage: storm KIND [--cpu N] [--other N] [--seconds S] [--strength F] [--rate R] [--work US] [--duty D]\n"
    "                  [--longest US]\n"
    "  timers     wakes up on the processor --rate times a second, works --work microseconds\n"
    "  stalls     interrupts it --rate times a second, with no work to do\n"
    "  neighbour  competes in bursts of 1 to --longest microseconds, busy for the share --duty\n"
    "  vector     wide vectors: --rate bursts of --work microseconds; on the other processor --duty, "
    "--longest\n"
    "  memory     thrashes the memory from the other processor, --duty, --longest\n"
    "  all        all of these\n"
    "  watch      tells what a program on the processor notices\n"
    "--cpu: the processor to disturb (the last one); --other: where helpers run (the first other one);\n"
    "--seconds: when it ends (10); --strength: multiplies rates and duties (1)\n";

_Noreturn static void misuse(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("storm: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    _Exit(2);
}

/* Events a second; beyond, timers take longer to arm than to fire, and the storm calms down. */
enum { MOST_EVENTS = 150000 };

/* A dial for every number of the command line; `kind` is where a kind has its default. */
typedef struct dial {
    const char* name;
    size_t at, kind;
    double least, most;
} dial;

#define OF_EVERY_KIND ((size_t)-1)
static const dial dial_list[] = {
    {"--seconds", offsetof(storm_dials, seconds), OF_EVERY_KIND, 0.01, 3600},
    {"--strength", offsetof(storm_dials, strength), OF_EVERY_KIND, 0.001, 10},
    {"--rate", offsetof(storm_dials, rate), offsetof(storm_kind, rate), 0.1, MOST_EVENTS},
    {"--work", offsetof(storm_dials, work), offsetof(storm_kind, work), 0.1, 100000},
    {"--duty", offsetof(storm_dials, duty), offsetof(storm_kind, duty), 0.001, 0.95},
    {"--longest", offsetof(storm_dials, longest), offsetof(storm_kind, longest), 1, 1e7},
};
enum { DIALS = sizeof dial_list / sizeof *dial_list };

static double* value_of(const dial* d, storm_dials* dials) {
    return (double*)((char*)dials + d->at);
}

static double default_of(const dial* d, const storm_kind* kind) {
    return *(const double*)((const char*)kind + d->kind);
}

static const storm_kind* kind_named(const char* name) {
    for (size_t i = 0; i < KINDS; i++)
        if (!strcmp(kinds[i].name, name)) return &kinds[i];
    misuse("no kind '%s'; choose timers, stalls, neighbour, vector, memory, all or watch", name);
}

static storm_dials defaults(const storm_kind* kind) {
    storm_dials d = {.cpu = -1, .other = -1, .seconds = 10, .strength = 1};
    for (size_t i = 0; i < DIALS; i++)
        if (dial_list[i].kind != OF_EVERY_KIND)
            *value_of(&dial_list[i], &d) = default_of(&dial_list[i], kind);
    return d;
}

static double number(const char* option, const char* text, double least, double most) {
    char* end;
    double value = text ? strtod(text, &end) : NAN;
    if (!text || end == text || *end || !(value >= least && value <= most))
        misuse("%s %s: write a number from %g to %g", option, text ? text : "(nothing)", least, most);
    return value;
}

static int processor(const char* option, const char* text) {
    char* end;
    errno = 0;
    long n = text ? strtol(text, &end, 10) : -1;
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set))
        storm_fail("the processors cannot be listed: %s", strerror(errno));
    if (!text || end == text || *end || errno || n < 0 || n >= CPU_SETSIZE || !CPU_ISSET((size_t)n, &set))
        misuse(
            "%s %s: not a processor that may be used; choose one of Cpus_allowed_list in /proc/self/status",
            option, text ? text : "(nothing)");
    return (int)n;
}

static void set_dial(const storm_kind* kind, storm_dials* dials, const char* option, const char* text) {
    for (size_t i = 0; i < DIALS; i++) {
        const dial* d = &dial_list[i];
        if (strcmp(option, d->name)) continue;
        if (d->kind != OF_EVERY_KIND && default_of(d, kind) == 0)
            misuse("%s: the kind %s has no such dial; see storm --help", option, kind->name);
        *value_of(d, dials) = number(option, text, d->least, d->most);
        return;
    }
    misuse("no option '%s'; see storm --help", option);
}

static void parse(const storm_kind* kind, storm_dials* dials, char** arguments) {
    for (; *arguments; arguments += 2) {
        if (!strcmp(arguments[0], "--cpu"))
            dials->cpu = processor(arguments[0], arguments[1]);
        else if (!strcmp(arguments[0], "--other"))
            dials->other = processor(arguments[0], arguments[1]);
        else
            set_dial(kind, dials, arguments[0], arguments[1]);
    }
}

/* The last processor is disturbed, the first other one helps, if the user says nothing. */
static void choose_processors(const storm_kind* kind, storm_dials* dials) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set))
        storm_fail("the processors cannot be listed: %s", strerror(errno));
    for (int n = CPU_SETSIZE - 1; n >= 0 && dials->cpu < 0; n--)
        if (CPU_ISSET((size_t)n, &set)) dials->cpu = n;
    for (int n = 0; n < CPU_SETSIZE && dials->other < 0; n++)
        if (CPU_ISSET((size_t)n, &set) && n != dials->cpu) dials->other = n;
    if (dials->other == dials->cpu)
        misuse("--other %d is the disturbed processor; choose another", dials->other);
    if (dials->other < 0 && kind->needs_other)
        storm_fail("%s needs a second processor, and only %d may be used; widen the affinity", kind->name,
                   dials->cpu);
}

static void apply_strength(storm_dials* dials) {
    dials->rate = fmin(dials->rate * dials->strength, MOST_EVENTS);
    dials->duty = fmin(dials->duty * dials->strength, 0.95);
}

static void all(const storm_dials* dials) {
    static storm_dials each[KINDS];
    for (size_t i = 0; i < KINDS; i++) {
        if (!kinds[i].start || kinds[i].start == all || (kinds[i].needs_other && dials->other < 0)) continue;
        each[i] = defaults(&kinds[i]);
        each[i].cpu = dials->cpu, each[i].other = dials->other, each[i].strength = dials->strength;
        apply_strength(&each[i]);
        kinds[i].start(&each[i]);
    }
}

/* Signals are blocked before any thread starts, and so in all of them. */
static sigset_t block_signals(void) {
    sigset_t ends, blocked;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM), sigaddset(&ends, SIGINT), sigaddset(&ends, SIGHUP);
    blocked = ends;
    sigaddset(&blocked, SIGALRM);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    return ends;
}

static void wait_for_end(const sigset_t* ends, double seconds) {
    int64_t end = storm_now() + (int64_t)(seconds * 1e9), left;
    while ((left = end - storm_now()) > 0) {
        struct timespec t = {left / 1000000000, left % 1000000000};
        if (sigtimedwait(ends, NULL, &t) > 0) return;
    }
}

/* A parent that died before it could be bound to is noticed by its number. */
static void die_with_parent(void) {
    pid_t parent = getppid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
}

/* Ahead of the storm's own threads, which may leave nothing of the only processor. They do not inherit it. */
static void go_ahead(void) {
    struct sched_param ahead = {.sched_priority = 2};
    sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &ahead);
}

static void blow(const storm_kind* kind, storm_dials* dials) {
    sigset_t ends = block_signals();
    apply_strength(dials);
    go_ahead();
    kind->start(dials);
    printf("storm: %s on processor %d for %g s\n", kind->name, dials->cpu, dials->seconds);
    fflush(stdout);
    wait_for_end(&ends, dials->seconds);
    _exit(0); /* with all its threads */
}

int main(int argc, char** argv) {
    die_with_parent();
    if (argc == 2 && !strcmp(argv[1], "--help")) return fputs(usage, stdout) < 0;
    if (argc < 2) misuse("no kind; see storm --help");
    const storm_kind* kind = kind_named(argv[1]);
    storm_dials dials = defaults(kind);
    parse(kind, &dials, argv + 2);
    choose_processors(kind, &dials);
    if (!kind->start) return storm_watch(&dials);
    blow(kind, &dials);
}
