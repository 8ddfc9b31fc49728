#include "worker/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/machine.h"
#include "worker/protocol.h"

static bool limit(__rlimit_resource_t what, rlim_t most) {
    struct rlimit now;
    if (getrlimit(what, &now)) return false;
    if (now.rlim_max != RLIM_INFINITY && most > now.rlim_max) most = now.rlim_max;
    return setrlimit(what, &(struct rlimit){most, most}) == 0;
}

/* Memory is mapped already; little more is ever needed. Measured code can make the stack grow without a
 * system call, as far as its limit. */
static bool set_limits(void) {
    static const struct {
        __rlimit_resource_t what;
        rlim_t most;
    } limits[] = {{RLIMIT_CORE, 0},         {RLIMIT_FSIZE, 0},
                  {RLIMIT_DATA, 64 << 20},  {RLIMIT_AS, (rlim_t)8 << 30 /* mostly guard pages */},
                  {RLIMIT_STACK, 8 << 20},  {RLIMIT_NOFILE, 32},
                  {RLIMIT_MEMLOCK, 1 << 20}};
    bool all = true;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (!limit(limits[i].what, limits[i].most)) all = false;
    return all;
}

/* A ruleset without rules: nothing of the file system can be reached any more. */
static bool enter_landlock(void) {
    const uint64_t all =
        (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1; /* of the first version, which every one has */
    struct landlock_ruleset_attr attribute = {.handled_access_fs = all};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attribute, sizeof attribute, 0);
    if (rules < 0) return false;
    bool holds = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return holds;
}

static bool enter_namespaces(void) {
    int most = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
    return unshare(CLONE_NEWUSER | most) == 0 || unshare(most) == 0;
}

static bool drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return syscall(SYS_capset, &header, none) == 0;
}

uint32_t ptl_sandbox_confine(bool counters) {
    uint32_t layers = 0;
    setpriority(PRIO_PROCESS, 0, -20); /* only root may; without it the noise gate has more to do */
    prctl(PR_SET_DUMPABLE, 0);
    if (!counters && enter_namespaces()) layers |= PTL_LAYER_NAMESPACES;
    if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) layers |= PTL_LAYER_PRIVILEGES;
    if (enter_landlock()) layers |= PTL_LAYER_LANDLOCK;
    if (!counters && drop_capabilities()) layers |= PTL_LAYER_CAPABILITIES;
    if (set_limits()) layers |= PTL_LAYER_LIMITS;
    return layers;
}

int ptl_sandbox_prepare(int parent, unsigned cpu_seconds) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL)) return -1;
    if (getppid() != parent) { /* it died before we asked to die with it */
        errno = ESRCH;
        return -1;
    }
    return limit(RLIMIT_CPU, cpu_seconds) ? 0 : -1;
}

int ptl_sandbox_enter(void) {
    /* Six instructions of classic BPF. A number of the x32 interface has a further bit, and is another
     * number.
     */
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ptl_machine.audit, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

void ptl_sandbox_decline(void) {
    raise(PTL_NO_SANDBOX);
    raise(SIGKILL);
}

/* The system's name of this process is then the emulator's. */
bool ptl_sandbox_is_emulated(void) {
    static const char emulator[] = "qemu-";
    char name[sizeof emulator - 1];
    int file = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    bool emulated = read(file, name, sizeof name) == sizeof name && !memcmp(name, emulator, sizeof name);
    close(file);
    return emulated;
}

int ptl_sandbox_try(void) {
    int status = 0;
    pid_t self = getpid(), child = fork();
    if (child < 0) return -1;
    if (child == 0) ptl_sandbox_exit(ptl_sandbox_prepare(self, 1) || ptl_sandbox_enter() ? errno : 0);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    errno = WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
    return errno ? -1 : 0;
}

void ptl_sandbox_exit(int status) {
    syscall(SYS_exit_group, status);
}
