# void prefix(long* to, const long* from, long n, long* total): sums of all numbers up to each; the total is in memory.
#     for (i = 0; i < n; i++) to[i] = *total += from[i];
    .intel_syntax noprefix
    .text
    .globl prefix, prefix_register

# As a compiler must write it that has to fear that `to` and `total` overlap.
prefix:
    xor eax, eax
.Lmemory:
    mov r8, [rsi + rax*8]
    add r8, [rcx]
    mov [rcx], r8
    mov [rdi + rax*8], r8
    add rax, 1
    cmp rax, rdx
    jb .Lmemory
    ret

# The same with the total in a register (`restrict`, or a local variable).
prefix_register:
    mov r8, [rcx]
    xor eax, eax
.Lregister:
    add r8, [rsi + rax*8]
    mov [rdi + rax*8], r8
    add rax, 1
    cmp rax, rdx
    jb .Lregister
    mov [rcx], r8
    ret

    .section .note.GNU-stack, "", @progbits
