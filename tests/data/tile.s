	.text
	.file	"tile.c"
	.globl	tile                            # -- Begin function tile
	.p2align	4, 0x90
	.type	tile,@function
tile:                                   # @tile
# %bb.0:
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	testq	%rcx, %rcx
	jle	.LBB0_10
# %bb.1:
	movq	%rcx, %r10
	leaq	4(%rdx), %rax
	movq	%rax, -64(%rsp)                 # 8-byte Spill
	leaq	4(%rdi), %rax
	xorl	%ebp, %ebp
	jmp	.LBB0_2
	.p2align	4, 0x90
.LBB0_9:                                #   in Loop: Header=BB0_2 Depth=1
	movq	-56(%rsp), %rbp                 # 8-byte Reload
	addq	$1, %rbp
	subq	$-128, %rax
	cmpq	%r10, %rbp
	je	.LBB0_10
.LBB0_2:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_3 Depth 2
                                        #       Child Loop BB0_6 Depth 3
	movq	%rbp, %r9
	shlq	$5, %r9
	movq	%rbp, %r8
	shlq	$7, %r8
	leaq	(%rdi,%r8), %r11
	leaq	(%rdi,%r8), %r13
	addq	$128, %r13
	movq	%rbp, -56(%rsp)                 # 8-byte Spill
	imulq	%r10, %rbp
	movq	%rbp, %rbx
	movq	%rbp, -8(%rsp)                  # 8-byte Spill
	addq	$1, %rbp
	movq	%rbp, -16(%rsp)                 # 8-byte Spill
	leaq	8(%r9), %rbp
	movq	%rbp, -32(%rsp)                 # 8-byte Spill
	leaq	16(%r9), %rbp
	movq	%rbp, -40(%rsp)                 # 8-byte Spill
	movq	%r9, -24(%rsp)                  # 8-byte Spill
	leaq	24(%r9), %rbp
	movq	%rbp, -48(%rsp)                 # 8-byte Spill
	movq	-64(%rsp), %r8                  # 8-byte Reload
	xorl	%r9d, %r9d
	jmp	.LBB0_3
	.p2align	4, 0x90
.LBB0_7:                                #   in Loop: Header=BB0_3 Depth=2
	movq	%r9, %rcx
	shlq	$5, %rcx
	vbroadcastss	(%rsi,%r15,4), %ymm0
	vmovups	(%rdx,%rcx,4), %ymm1
	shlq	$2, %rcx
	movq	-24(%rsp), %rbx                 # 8-byte Reload
	vfmadd213ps	(%rdi,%rbx,4), %ymm0, %ymm1 # ymm1 = (ymm0 * ymm1) + mem
	vmovups	%ymm1, (%rdi,%rbx,4)
	vbroadcastss	(%rsi,%r15,4), %ymm0
	movq	%rcx, %rbx
	orq	$32, %rbx
	vmovups	(%rdx,%rbx), %ymm1
	movq	-32(%rsp), %rbx                 # 8-byte Reload
	vfmadd213ps	(%rdi,%rbx,4), %ymm0, %ymm1 # ymm1 = (ymm0 * ymm1) + mem
	vmovups	%ymm1, (%rdi,%rbx,4)
	vbroadcastss	(%rsi,%r15,4), %ymm0
	movq	%rcx, %rbx
	orq	$64, %rbx
	vmovups	(%rdx,%rbx), %ymm1
	movq	-40(%rsp), %rbx                 # 8-byte Reload
	vfmadd213ps	(%rdi,%rbx,4), %ymm0, %ymm1 # ymm1 = (ymm0 * ymm1) + mem
	vmovups	%ymm1, (%rdi,%rbx,4)
	vbroadcastss	(%rsi,%r15,4), %ymm0
	orq	$96, %rcx
	vmovups	(%rdx,%rcx), %ymm1
	movq	-48(%rsp), %rcx                 # 8-byte Reload
	vfmadd213ps	(%rdi,%rcx,4), %ymm0, %ymm1 # ymm1 = (ymm0 * ymm1) + mem
	vmovups	%ymm1, (%rdi,%rcx,4)
.LBB0_8:                                #   in Loop: Header=BB0_3 Depth=2
	addq	$1, %r9
	subq	$-128, %r8
	cmpq	%r10, %r9
	je	.LBB0_9
.LBB0_3:                                #   Parent Loop BB0_2 Depth=1
                                        # =>  This Loop Header: Depth=2
                                        #       Child Loop BB0_6 Depth 3
	movq	-8(%rsp), %rcx                  # 8-byte Reload
	leaq	(%r9,%rcx), %r15
	movq	%r9, %rbp
	shlq	$7, %rbp
	leaq	(%rdx,%rbp), %r12
	addq	$128, %r12
	addq	%rdx, %rbp
	movq	-16(%rsp), %rcx                 # 8-byte Reload
	leaq	(%rcx,%r9), %rbx
	leaq	(%rsi,%rbx,4), %rbx
	leaq	(%rsi,%r15,4), %rcx
	cmpq	%rbx, %r11
	setb	%bl
	cmpq	%r13, %rcx
	setb	%r14b
	cmpq	%r12, %r11
	setb	%cl
	cmpq	%r13, %rbp
	setb	%r12b
	testb	%r14b, %bl
	jne	.LBB0_5
# %bb.4:                                #   in Loop: Header=BB0_3 Depth=2
	andb	%r12b, %cl
	je	.LBB0_7
.LBB0_5:                                #   in Loop: Header=BB0_3 Depth=2
	xorl	%ecx, %ecx
	.p2align	4, 0x90
.LBB0_6:                                #   Parent Loop BB0_2 Depth=1
                                        #     Parent Loop BB0_3 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	vmovss	(%rsi,%r15,4), %xmm0            # xmm0 = mem[0],zero,zero,zero
	vmovss	-4(%r8,%rcx,4), %xmm1           # xmm1 = mem[0],zero,zero,zero
	vfmadd213ss	-4(%rax,%rcx,4), %xmm0, %xmm1 # xmm1 = (xmm0 * xmm1) + mem
	vmovss	%xmm1, -4(%rax,%rcx,4)
	vmovss	(%rsi,%r15,4), %xmm0            # xmm0 = mem[0],zero,zero,zero
	vmovss	(%r8,%rcx,4), %xmm1             # xmm1 = mem[0],zero,zero,zero
	vfmadd213ss	(%rax,%rcx,4), %xmm0, %xmm1 # xmm1 = (xmm0 * xmm1) + mem
	vmovss	%xmm1, (%rax,%rcx,4)
	addq	$2, %rcx
	cmpq	$32, %rcx
	jne	.LBB0_6
	jmp	.LBB0_8
.LBB0_10:
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	vzeroupper
	retq
.Lfunc_end0:
	.size	tile, .Lfunc_end0-tile
                                        # -- End function
	.ident	"Debian clang version 14.0.6"
	.section	".note.GNU-stack","",@progbits
	.addrsig
