; Each lane keeps twice its number in private memory; the loads take it to LDS, where its neighbour reads it.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.text
	.globl	scratch
	.p2align	8
	.type	scratch,@function
scratch:
	s_load_dwordx2 s[0:1], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 1, v0
	scratch_store_dword off, v1, off offset:4
	s_waitcnt vmcnt(0)
	s_mov_b32 m0, 16
	s_nop 0
	scratch_load_lds_dword off, off offset:4
	v_xor_b32_e32 v2, 1, v0
	v_lshlrev_b32_e32 v2, 2, v2
	s_waitcnt vmcnt(0)
	ds_read_b32 v3, v2 offset:20
	v_lshlrev_b32_e32 v4, 2, v0
	s_waitcnt lgkmcnt(0)
	global_store_dword v4, v3, s[0:1]
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel scratch
		.amdhsa_group_segment_fixed_size 512
		.amdhsa_private_segment_fixed_size 16
		.amdhsa_kernarg_size 8
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_enable_private_segment 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 8
		.amdhsa_accum_offset 8
	.end_amdhsa_kernel
