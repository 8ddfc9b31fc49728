# void copy(long* to, const long* from, long n): n is a multiple of 16.
#     for (i = 0; i < n; i++) to[i] = from[i];
    .intel_syntax noprefix
    .text
    .globl copy, copy_wide

# Eight bytes at a time.
copy:
    xor eax, eax
.Lwords:
    mov rcx, [rsi + rax*8]
    mov [rdi + rax*8], rcx
    add rax, 1
    cmp rax, rdx
    jb .Lwords
    ret

# 128 bytes at a time.
copy_wide:
    xor eax, eax
.Lwide:
    vmovups ymm0, [rsi + rax*8]
    vmovups ymm1, [rsi + rax*8 + 32]
    vmovups ymm2, [rsi + rax*8 + 64]
    vmovups ymm3, [rsi + rax*8 + 96]
    vmovups [rdi + rax*8], ymm0
    vmovups [rdi + rax*8 + 32], ymm1
    vmovups [rdi + rax*8 + 64], ymm2
    vmovups [rdi + rax*8 + 96], ymm3
    add rax, 16
    cmp rax, rdx
    jb .Lwide
    vzeroupper
    ret

    .section .note.GNU-stack, "", @progbits
