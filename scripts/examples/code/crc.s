# uint32_t crc(const void* data, long n): the CRC-32C of n bytes; of crc_words and crc_three, n is a multiple of 8.
#     for (i = 0; i < n; i++) crc = table[(crc ^ data[i]) & 255] ^ crc >> 8;
    .intel_syntax noprefix
    .text
    .globl crc_table, crc_words, crc_three

# By a table, byte by byte; rdx is the table.
crc_table:
    mov eax, -1
    add rsi, rdi
.Lbytes:
    movzx ecx, byte ptr [rdi]
    movzx r8d, al
    xor ecx, r8d
    shr eax, 8
    xor eax, [rdx + rcx*4]
    add rdi, 1
    cmp rdi, rsi
    jne .Lbytes
    not eax
    ret

# By the instruction for it, eight bytes at a time.
crc_words:
    mov eax, -1
    add rsi, rdi
.Lwords:
    crc32 rax, qword ptr [rdi]
    add rdi, 8
    cmp rdi, rsi
    jne .Lwords
    not eax
    ret

# Three parts of n bytes each, side by side; each has its own CRC (a table would join them): the sum of the three.
crc_three:
    mov eax, -1
    mov ecx, -1
    mov r8d, -1
    lea r9, [rdi + rsi]
    lea r10, [r9 + rsi]
    add rsi, rdi
.Lthree:
    crc32 rax, qword ptr [rdi]
    crc32 rcx, qword ptr [r9]
    crc32 r8, qword ptr [r10]
    add r9, 8
    add r10, 8
    add rdi, 8
    cmp rdi, rsi
    jne .Lthree
    add eax, ecx
    add eax, r8d
    ret

    .section .note.GNU-stack, "", @progbits
