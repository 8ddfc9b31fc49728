# long length(const char* text): as strlen. length_wide reads 32 bytes at a time: text begins at a multiple of 32.
#     while (text[n]) n++;
    .intel_syntax noprefix
    .text
    .globl length, length_wide

length:
    mov rax, -1
.Lbytes:
    add rax, 1
    cmp byte ptr [rdi + rax], 0
    jne .Lbytes
    ret

length_wide:
    vpxor xmm0, xmm0, xmm0
    mov rax, -32
.Lwide:
    add rax, 32
    vpcmpeqb ymm1, ymm0, [rdi + rax]
    vpmovmskb ecx, ymm1
    test ecx, ecx
    jz .Lwide
    tzcnt ecx, ecx
    add rax, rcx
    vzeroupper
    ret

    .section .note.GNU-stack, "", @progbits
