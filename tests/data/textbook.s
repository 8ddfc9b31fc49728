	.file	"textbook.c"
	.text
	.p2align 4
	.globl	conv
	.type	conv, @function
conv:
	testq	%rcx, %rcx
	jle	.L19
	pushq	%rbp
	movq	%rdi, %r11
	movq	%r8, %rdi
	shrq	$3, %rdi
	salq	$5, %rdi
	movq	%rsp, %rbp
	pushq	%r15
	pushq	%r14
	leaq	-1(%r8), %r14
	pushq	%r13
	movq	%rcx, %r13
	xorl	%ecx, %ecx
	pushq	%r12
	movq	%r8, %r12
	pushq	%rbx
	andq	$-8, %r12
	movq	%rsi, %rbx
	.p2align 4,,10
	.p2align 3
.L3:
	vxorps	%xmm1, %xmm1, %xmm1
	testq	%r8, %r8
	jle	.L10
	cmpq	$6, %r14
	jbe	.L11
	xorl	%eax, %eax
	vxorps	%xmm0, %xmm0, %xmm0
	.p2align 4,,10
	.p2align 3
.L5:
	vmovups	(%rsi,%rax), %ymm4
	vfmadd231ps	(%rdx,%rax), %ymm4, %ymm0
	addq	$32, %rax
	cmpq	%rdi, %rax
	jne	.L5
	vextractf128	$0x1, %ymm0, %xmm3
	vaddps	%xmm0, %xmm3, %xmm1
	vaddps	%xmm3, %xmm0, %xmm0
	vmovhlps	%xmm1, %xmm1, %xmm2
	vaddps	%xmm1, %xmm2, %xmm2
	vshufps	$85, %xmm2, %xmm2, %xmm1
	vaddps	%xmm2, %xmm1, %xmm1
	cmpq	%r8, %r12
	je	.L10
	movq	%r12, %r10
	movq	%r12, %rax
.L4:
	movq	%r8, %r9
	subq	%r10, %r9
	leaq	-1(%r9), %r15
	cmpq	$2, %r15
	jbe	.L7
	leaq	(%rcx,%r10), %r15
	vmovups	(%rbx,%r15,4), %xmm5
	vfmadd231ps	(%rdx,%r10,4), %xmm5, %xmm0
	movq	%r9, %r10
	andq	$-4, %r10
	addq	%r10, %rax
	andl	$3, %r9d
	vmovhlps	%xmm0, %xmm0, %xmm1
	vaddps	%xmm0, %xmm1, %xmm0
	vshufps	$85, %xmm0, %xmm0, %xmm1
	vaddps	%xmm0, %xmm1, %xmm1
	je	.L10
.L7:
	leaq	(%rcx,%rax), %r10
	leaq	0(,%rax,4), %r9
	vmovss	(%rbx,%r10,4), %xmm6
	leaq	1(%rax), %r10
	vfmadd231ss	(%rdx,%rax,4), %xmm6, %xmm1
	cmpq	%r10, %r8
	jle	.L10
	addq	%rcx, %r10
	addq	$2, %rax
	vmovss	4(%rdx,%r9), %xmm7
	vfmadd231ss	(%rbx,%r10,4), %xmm7, %xmm1
	cmpq	%rax, %r8
	jle	.L10
	addq	%rcx, %rax
	vmovss	(%rbx,%rax,4), %xmm7
	vfmadd231ss	8(%rdx,%r9), %xmm7, %xmm1
.L10:
	vmovss	%xmm1, (%r11,%rcx,4)
	incq	%rcx
	addq	$4, %rsi
	cmpq	%rcx, %r13
	jne	.L3
	vzeroupper
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	ret
.L11:
	vxorps	%xmm0, %xmm0, %xmm0
	xorl	%r10d, %r10d
	vxorps	%xmm1, %xmm1, %xmm1
	xorl	%eax, %eax
	jmp	.L4
.L19:
	ret
	.size	conv, .-conv
	.p2align 4
	.globl	mm
	.type	mm, @function
mm:
	testq	%rcx, %rcx
	jle	.L55
	pushq	%rbp
	movq	%rsi, %rax
	movq	%rcx, %r10
	movq	%rcx, %r11
	shrq	$3, %r10
	xorl	%r9d, %r9d
	salq	$5, %r10
	movq	%rsp, %rbp
	pushq	%r15
	movq	%rdi, %r15
	leaq	0(,%rcx,4), %rdi
	pushq	%r14
	addq	%rdi, %rax
	movq	%rdx, %r14
	leaq	(%rdi,%r15), %rsi
	pushq	%r13
	movq	%r15, %rdx
	xorl	%r13d, %r13d
	pushq	%r12
	pushq	%rbx
	andq	$-32, %rsp
	movq	%rax, -16(%rsp)
	leaq	-1(%rcx), %rax
	movq	%rax, -8(%rsp)
	movq	%rcx, %rax
	andq	$-8, %rax
	movq	%rdi, -24(%rsp)
	movq	%rax, -40(%rsp)
	movq	%rcx, %rax
	andl	$7, %eax
	movq	%rax, -48(%rsp)
	decq	%rax
	movq	%rax, -56(%rsp)
	.p2align 4,,10
	.p2align 3
.L25:
	movq	-24(%rsp), %rdi
	movq	-16(%rsp), %rax
	movq	%r9, -64(%rsp)
	movq	%r14, %rcx
	subq	%rdi, %rax
	xorl	%edi, %edi
	.p2align 4,,10
	.p2align 3
.L38:
	cmpq	$2, -8(%rsp)
	jbe	.L41
	leaq	4(%rax), %r8
	cmpq	%r8, %rdx
	setnb	%bl
	cmpq	%rsi, %rax
	setnb	%r9b
	orb	%bl, %r9b
	je	.L42
	leaq	4(%rcx), %rbx
	movq	%rdx, %r9
	subq	%rbx, %r9
	cmpq	$24, %r9
	jbe	.L42
	cmpq	$6, -8(%rsp)
	jbe	.L40
	vbroadcastss	(%rax), %ymm1
	xorl	%r9d, %r9d
	.p2align 4,,10
	.p2align 3
.L32:
	vmovups	(%rcx,%r9), %ymm0
	vfmadd213ps	(%rdx,%r9), %ymm1, %ymm0
	vmovups	%ymm0, (%rdx,%r9)
	addq	$32, %r9
	cmpq	%r10, %r9
	jne	.L32
	movq	-40(%rsp), %rbx
	cmpq	%r11, %rbx
	je	.L30
	cmpq	$2, -56(%rsp)
	movq	-48(%rsp), %r12
	movq	%rbx, %r9
	jbe	.L27
	movq	%rbx, -32(%rsp)
.L31:
	leaq	0(%r13,%r9), %rbx
	addq	%rdi, %r9
	vbroadcastss	(%rax), %xmm0
	leaq	(%r15,%rbx,4), %rbx
	vmovups	(%rbx), %xmm3
	vfmadd132ps	(%r14,%r9,4), %xmm3, %xmm0
	movq	%r12, %r9
	andq	$-4, %r9
	vmovups	%xmm0, (%rbx)
	movq	-32(%rsp), %rbx
	addq	%rbx, %r9
	andl	$3, %r12d
	je	.L30
.L27:
	leaq	0(%r13,%r9), %rbx
	leaq	(%rdi,%r9), %r12
	vmovss	(%rax), %xmm0
	leaq	(%r15,%rbx,4), %rbx
	vmovss	(%rbx), %xmm4
	vfmadd132ss	(%r14,%r12,4), %xmm4, %xmm0
	vmovss	%xmm0, (%rbx)
	leaq	1(%r9), %rbx
	cmpq	%r11, %rbx
	jge	.L30
	leaq	0(%r13,%rbx), %r12
	addq	%rdi, %rbx
	vmovss	(%rax), %xmm0
	addq	$2, %r9
	leaq	(%r15,%r12,4), %r12
	vmovss	(%r12), %xmm5
	vfmadd132ss	(%r14,%rbx,4), %xmm5, %xmm0
	vmovss	%xmm0, (%r12)
	cmpq	%r11, %r9
	jge	.L30
	leaq	0(%r13,%r9), %rbx
	addq	%rdi, %r9
	vmovss	(%rax), %xmm0
	leaq	(%r15,%rbx,4), %rbx
	vmovss	(%rbx), %xmm6
	vfmadd132ss	(%r14,%r9,4), %xmm6, %xmm0
	vmovss	%xmm0, (%rbx)
.L30:
	movq	-24(%rsp), %rax
	movq	-16(%rsp), %rbx
	addq	%r11, %rdi
	addq	%rax, %rcx
	movq	%r8, %rax
	cmpq	%rbx, %r8
	jne	.L38
	movq	-64(%rsp), %r9
	movq	-24(%rsp), %rax
	addq	%r11, %r13
	addq	%rax, -16(%rsp)
	incq	%r9
	addq	%rax, %rdx
	addq	%rax, %rsi
	cmpq	%r9, %r11
	jne	.L25
	vzeroupper
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	ret
	.p2align 4,,10
	.p2align 3
.L42:
	movq	%rcx, %rbx
	movq	%rdx, %r9
	.p2align 4,,10
	.p2align 3
.L29:
	vmovss	(%rbx), %xmm0
	vmovss	(%r9), %xmm2
	addq	$4, %r9
	addq	$4, %rbx
	vfmadd132ss	(%rax), %xmm2, %xmm0
	vmovss	%xmm0, -4(%r9)
	cmpq	%rsi, %r9
	jne	.L29
	jmp	.L30
	.p2align 4,,10
	.p2align 3
.L41:
	movq	%rcx, %rbx
	movq	%rdx, %r9
	leaq	4(%rax), %r8
	jmp	.L29
.L40:
	movq	$0, -32(%rsp)
	movq	%r11, %r12
	xorl	%r9d, %r9d
	jmp	.L31
.L55:
	ret
	.size	mm, .-mm
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
