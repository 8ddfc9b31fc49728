# uint64_t fnv(const unsigned char* text, long n): the hash FNV-1a.
#     for (i = 0; i < n; i++) hash = (hash ^ text[i]) * 0x100000001b3;
    .intel_syntax noprefix
    .text
    .globl fnv, fnv_two

fnv:
    movabs rax, 0xcbf29ce484222325
    movabs rcx, 0x100000001b3
    add rsi, rdi
.Lone:
    movzx edx, byte ptr [rdi]
    xor rax, rdx
    imul rax, rcx
    add rdi, 1
    cmp rdi, rsi
    jne .Lone
    ret

# Hashes two texts of one length, rdi and rdx, side by side; gives the sum of both.
fnv_two:
    movabs rax, 0xcbf29ce484222325
    movabs rcx, 0x100000001b3
    mov r8, rax
    add rsi, rdi
.Ltwo:
    movzx r9d, byte ptr [rdi]
    xor rax, r9
    imul rax, rcx
    movzx r10d, byte ptr [rdx]
    xor r8, r10
    imul r8, rcx
    add rdx, 1
    add rdi, 1
    cmp rdi, rsi
    jne .Ltwo
    add rax, r8
    ret

    .section .note.GNU-stack, "", @progbits
