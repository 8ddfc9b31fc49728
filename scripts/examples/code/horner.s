# double horner(const double* c, long n, double x): a polynomial with n coefficients, the highest first; n is even.
#     for (i = 0; i < n; i++) y = y * x + c[i];
    .intel_syntax noprefix
    .text
    .globl horner, horner_two

horner:
    vxorpd xmm1, xmm1, xmm1
    lea rsi, [rdi + rsi*8]
.Lone:
    vfmadd213sd xmm1, xmm0, [rdi]
    add rdi, 8
    cmp rdi, rsi
    jne .Lone
    vmovapd xmm0, xmm1
    ret

# Every other coefficient, in powers of x * x: two polynomials side by side.
horner_two:
    vmulsd xmm3, xmm0, xmm0
    vxorpd xmm1, xmm1, xmm1
    vxorpd xmm2, xmm2, xmm2
    lea rsi, [rdi + rsi*8]
.Ltwo:
    vfmadd213sd xmm1, xmm3, [rdi]
    vfmadd213sd xmm2, xmm3, [rdi + 8]
    add rdi, 16
    cmp rdi, rsi
    jne .Ltwo
    vfmadd213sd xmm1, xmm0, xmm2
    vmovapd xmm0, xmm1
    ret

    .section .note.GNU-stack, "", @progbits
