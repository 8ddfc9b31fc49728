# float dot(const float* a, const float* b, long n): the inner product; n is a multiple of 32.
#     for (i = 0; i < n; i++) sum += a[i] * b[i];
    .intel_syntax noprefix
    .text
    .globl dot, dot4

# One register sums: each addition waits for the one before.
dot:
    vxorps ymm0, ymm0, ymm0
    xor eax, eax
.Lone:
    vmovups ymm1, [rdi + rax*4]
    vfmadd231ps ymm0, ymm1, [rsi + rax*4]
    add rax, 8
    cmp rax, rdx
    jb .Lone
    jmp .Lsum

# Four registers sum, and are added at the end.
dot4:
    vxorps ymm0, ymm0, ymm0
    vxorps ymm4, ymm4, ymm4
    vxorps ymm5, ymm5, ymm5
    vxorps ymm6, ymm6, ymm6
    xor eax, eax
.Lfour:
    vmovups ymm1, [rdi + rax*4]
    vfmadd231ps ymm0, ymm1, [rsi + rax*4]
    vmovups ymm2, [rdi + rax*4 + 32]
    vfmadd231ps ymm4, ymm2, [rsi + rax*4 + 32]
    vmovups ymm3, [rdi + rax*4 + 64]
    vfmadd231ps ymm5, ymm3, [rsi + rax*4 + 64]
    vmovups ymm1, [rdi + rax*4 + 96]
    vfmadd231ps ymm6, ymm1, [rsi + rax*4 + 96]
    add rax, 32
    cmp rax, rdx
    jb .Lfour
    vaddps ymm0, ymm0, ymm4
    vaddps ymm5, ymm5, ymm6
    vaddps ymm0, ymm0, ymm5
.Lsum:
    vextractf128 xmm1, ymm0, 1
    vaddps xmm0, xmm0, xmm1
    vhaddps xmm0, xmm0, xmm0
    vhaddps xmm0, xmm0, xmm0
    vzeroupper
    ret

    .section .note.GNU-stack, "", @progbits
