# long list(const struct node* node): the sum of a linked list.
#     for (; node; node = node->next) sum += node->value;
    .intel_syntax noprefix
    .text
    .globl list, list_two

list:
    xor eax, eax
.Lone:
    add rax, [rdi + 8]
    mov rdi, [rdi]
    test rdi, rdi
    jnz .Lone
    ret

# Two lists of one length, rdi and rsi, side by side.
list_two:
    xor eax, eax
.Ltwo:
    add rax, [rdi + 8]
    add rax, [rsi + 8]
    mov rsi, [rsi]
    mov rdi, [rdi]
    test rdi, rdi
    jnz .Ltwo
    ret

    .section .note.GNU-stack, "", @progbits
