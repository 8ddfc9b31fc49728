# long bits(const unsigned long* words, long n): how many bits are set; n is a multiple of 4.
#     for (i = 0; i < n; i++) sum += __builtin_popcountl(words[i]);
    .intel_syntax noprefix
    .text
    .globl bits, bits_wide

# By the instruction for it, four words at a time.
bits:
    xor eax, eax
    lea rsi, [rdi + rsi*8]
.Lwords:
    popcnt rcx, [rdi]
    add rax, rcx
    popcnt rdx, [rdi + 8]
    add rax, rdx
    popcnt r8, [rdi + 16]
    add rax, r8
    popcnt r9, [rdi + 24]
    add rax, r9
    add rdi, 32
    cmp rdi, rsi
    jne .Lwords
    ret

# By a table of 16 numbers in a register: the same four words are one vector.
bits_wide:
    vmovdqa ymm5, [rip + .Lcounts]
    vmovdqa ymm6, [rip + .Llow]
    vpxor xmm7, xmm7, xmm7
    vpxor xmm0, xmm0, xmm0
    lea rsi, [rdi + rsi*8]
.Lwide:
    vmovdqu ymm1, [rdi]
    vpand ymm2, ymm1, ymm6
    vpsrlw ymm1, ymm1, 4
    vpand ymm1, ymm1, ymm6
    vpshufb ymm2, ymm5, ymm2
    vpshufb ymm1, ymm5, ymm1
    vpaddb ymm1, ymm1, ymm2
    vpsadbw ymm1, ymm1, ymm7
    vpaddq ymm0, ymm0, ymm1
    add rdi, 32
    cmp rdi, rsi
    jne .Lwide
    vextracti128 xmm1, ymm0, 1
    vpaddq xmm0, xmm0, xmm1
    vpextrq rax, xmm0, 1
    vmovq rcx, xmm0
    add rax, rcx
    vzeroupper
    ret

    .section .rodata
    .balign 32
.Lcounts:
    .byte 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4
    .byte 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4
.Llow:
    .fill 32, 1, 15

    .section .note.GNU-stack, "", @progbits
