# long digits(unsigned long x): the sum of its decimal digits.
#     for (; x; x /= 10) sum += x % 10;
    .intel_syntax noprefix
    .text
    .globl digits, digits_multiply

digits:
    mov rax, rdi
    xor ecx, ecx
    mov esi, 10
.Ldivide:
    xor edx, edx
    div rsi
    add rcx, rdx
    test rax, rax
    jnz .Ldivide
    mov rax, rcx
    ret

# x / 10 is x * 0xcccccccccccccccd >> 67.
digits_multiply:
    movabs rsi, 0xcccccccccccccccd
    xor ecx, ecx
.Lmultiply:
    mov rax, rdi
    mul rsi
    shr rdx, 3
    lea rax, [rdx + rdx*4]
    add rax, rax
    sub rdi, rax
    add rcx, rdi
    mov rdi, rdx
    test rdx, rdx
    jnz .Lmultiply
    mov rax, rcx
    ret

    .section .note.GNU-stack, "", @progbits
