# void matrix(float* c, const float* a, const float* b, long n): the heart of a matrix product. Two rows of c, of 32 columns, are sums of
# n products. a: two numbers for each k. b: rows of 32.
#     for (k = 0; k < n; k++) for (i = 0; i < 2; i++) for (j = 0; j < 32; j++) c[i][j] += a[k][i] * b[k][j];
    .intel_syntax noprefix
    .text
    .globl matrix, matrix_narrow

matrix:
    vxorps ymm4, ymm4, ymm4
    vxorps ymm5, ymm5, ymm5
    vxorps ymm6, ymm6, ymm6
    vxorps ymm7, ymm7, ymm7
    vxorps ymm8, ymm8, ymm8
    vxorps ymm9, ymm9, ymm9
    vxorps ymm10, ymm10, ymm10
    vxorps ymm11, ymm11, ymm11
.Lwide:
    vbroadcastss ymm0, [rsi]
    vbroadcastss ymm1, [rsi + 4]
    vmovups ymm2, [rdx]
    vfmadd231ps ymm4, ymm0, ymm2
    vfmadd231ps ymm5, ymm1, ymm2
    vmovups ymm3, [rdx + 32]
    vfmadd231ps ymm6, ymm0, ymm3
    vfmadd231ps ymm7, ymm1, ymm3
    vmovups ymm2, [rdx + 64]
    vfmadd231ps ymm8, ymm0, ymm2
    vfmadd231ps ymm9, ymm1, ymm2
    vmovups ymm3, [rdx + 96]
    vfmadd231ps ymm10, ymm0, ymm3
    vfmadd231ps ymm11, ymm1, ymm3
    add rsi, 8
    add rdx, 128
    sub rcx, 1
    jnz .Lwide
    vmovups [rdi], ymm4
    vmovups [rdi + 32], ymm6
    vmovups [rdi + 64], ymm8
    vmovups [rdi + 96], ymm10
    vmovups [rdi + 128], ymm5
    vmovups [rdi + 160], ymm7
    vmovups [rdi + 192], ymm9
    vmovups [rdi + 224], ymm11
    vzeroupper
    ret

# One row of 32 columns: four sums only. a: a number for each k.
matrix_narrow:
    vxorps ymm4, ymm4, ymm4
    vxorps ymm5, ymm5, ymm5
    vxorps ymm6, ymm6, ymm6
    vxorps ymm7, ymm7, ymm7
.Lnarrow:
    vbroadcastss ymm0, [rsi]
    vfmadd231ps ymm4, ymm0, [rdx]
    vfmadd231ps ymm5, ymm0, [rdx + 32]
    vfmadd231ps ymm6, ymm0, [rdx + 64]
    vfmadd231ps ymm7, ymm0, [rdx + 96]
    add rsi, 4
    add rdx, 128
    sub rcx, 1
    jnz .Lnarrow
    vmovups [rdi], ymm4
    vmovups [rdi + 32], ymm5
    vmovups [rdi + 64], ymm6
    vmovups [rdi + 96], ymm7
    vzeroupper
    ret

    .section .note.GNU-stack, "", @progbits
