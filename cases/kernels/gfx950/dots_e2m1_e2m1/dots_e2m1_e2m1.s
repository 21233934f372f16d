	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.amdhsa_code_object_version 5
	.text
	.globl	k                               ; -- Begin function k
	.p2align	8
	.type	k,@function
k:                                      ; @k
; %bb.16:
	s_load_dwordx8 s[8:15], s[4:5], 0x0
	s_waitcnt lgkmcnt(0)
	s_branch .LBB0_0
	.p2align	8
; %bb.17:
.LBB0_0:
	s_load_dword s18, s[4:5], 0x28
	v_and_b32_e32 v34, 0x3ff, v0
	s_lshl_b32 s6, s16, 6
	v_readfirstlane_b32 s0, v34
	s_bfe_u32 s3, s0, 0x20006
	s_lshl_b32 s19, s3, 6
	v_and_or_b32 v40, v0, 63, s19
	v_lshrrev_b32_e32 v35, 2, v40
	s_waitcnt lgkmcnt(0)
	s_lshr_b32 s0, s18, 31
	v_and_b32_e32 v2, 60, v35
	s_add_i32 s0, s18, s0
	v_or_b32_e32 v3, 1, v2
	v_or_b32_e32 v0, s6, v2
	s_ashr_i32 s2, s0, 1
	v_or_b32_e32 v1, s6, v3
	v_mul_lo_u32 v0, v0, s2
	v_mul_lo_u32 v4, v1, s2
	v_ashrrev_i32_e32 v1, 31, v0
	s_cmp_gt_i32 s18, 0
	v_lshl_add_u64 v[6:7], s[8:9], 0, v[0:1]
	v_ashrrev_i32_e32 v5, 31, v4
	v_lshlrev_b32_e32 v0, 2, v34
	s_cselect_b64 s[0:1], -1, 0
	s_cmp_lt_i32 s18, 1
	v_lshl_add_u64 v[4:5], s[8:9], 0, v[4:5]
	v_and_b32_e32 v0, 60, v0
	s_cselect_b64 s[20:21], -1, 0
	v_mov_b32_e32 v1, 0
	s_lshl_b32 s16, s3, 8
	s_and_b64 vcc, exec, s[20:21]
	v_lshl_add_u64 v[18:19], v[6:7], 0, v[0:1]
	v_lshl_add_u64 v[20:21], v[4:5], 0, v[0:1]
	s_cbranch_vccnz .LBB0_2
; %bb.1:
	s_mov_b32 m0, s16
	s_add_i32 s3, s16, 0x410
	global_load_lds_dword v[18:19], off
	s_mov_b32 m0, s3
	s_nop 0
	global_load_lds_dword v[20:21], off
.LBB0_2:                                ; %.critedge
	v_or_b32_e32 v5, 3, v35
	v_or_b32_e32 v4, 2, v2
	v_or_b32_e32 v7, s6, v5
	s_lshl_b32 s7, s17, 6
	v_or_b32_e32 v6, s6, v4
	v_or_b32_e32 v10, s7, v4
	v_mul_lo_u32 v4, v7, s2
	v_or_b32_e32 v8, s7, v2
	v_or_b32_e32 v9, s7, v3
	v_or_b32_e32 v11, s7, v5
	v_ashrrev_i32_e32 v5, 31, v4
	v_mul_lo_u32 v2, v6, s2
	v_lshl_add_u64 v[6:7], s[8:9], 0, v[4:5]
	v_mul_lo_u32 v4, v8, s2
	v_mul_lo_u32 v8, v9, s2
	v_mul_lo_u32 v10, v10, s2
	v_mul_lo_u32 v12, v11, s2
	s_ashr_i32 s2, s18, 31
	s_lshr_b32 s2, s2, 27
	v_ashrrev_i32_e32 v3, 31, v2
	s_add_i32 s2, s18, s2
	v_or_b32_e32 v14, s6, v35
	v_lshl_add_u64 v[2:3], s[8:9], 0, v[2:3]
	s_ashr_i32 s8, s2, 5
	v_ashrrev_i32_e32 v5, 31, v4
	v_ashrrev_i32_e32 v9, 31, v8
	v_ashrrev_i32_e32 v11, 31, v10
	v_ashrrev_i32_e32 v13, 31, v12
	v_mul_lo_u32 v14, v14, s8
	v_lshl_add_u64 v[4:5], s[12:13], 0, v[4:5]
	v_lshl_add_u64 v[8:9], s[12:13], 0, v[8:9]
	v_lshl_add_u64 v[10:11], s[12:13], 0, v[10:11]
	v_lshl_add_u64 v[12:13], s[12:13], 0, v[12:13]
	v_ashrrev_i32_e32 v15, 31, v14
	s_mov_b64 s[2:3], -1
	s_mov_b64 vcc, vcc
	s_cbranch_vccz .LBB0_4
; %bb.3:                                ; %.critedge11.critedge
	; asyncmark
	; asyncmark
	s_mov_b64 s[2:3], 0
.LBB0_4:                                ; %Flow35
	s_and_b64 s[2:3], s[2:3], exec
	s_cselect_b32 s2, 1, 0
	v_lshl_add_u64 v[22:23], v[2:3], 0, v[0:1]
	v_lshl_add_u64 v[24:25], v[6:7], 0, v[0:1]
	v_lshl_add_u64 v[2:3], s[10:11], 0, v[14:15]
	v_and_b32_e32 v16, 3, v34
	v_mov_b32_e32 v17, 0
	s_cmp_lg_u32 s2, 1
	v_lshl_add_u64 v[26:27], v[10:11], 0, v[0:1]
	v_lshl_add_u64 v[28:29], v[12:13], 0, v[0:1]
	v_lshl_add_u64 v[30:31], v[8:9], 0, v[0:1]
	v_lshl_add_u64 v[32:33], v[4:5], 0, v[0:1]
	v_mov_b32_e32 v0, 0
	s_cbranch_scc1 .LBB0_6
; %bb.5:                                ; %.critedge4
	s_add_i32 m0, s16, 0x820
	v_lshl_add_u64 v[0:1], v[2:3], 0, v[16:17]
	global_load_lds_dword v[22:23], off
	s_add_i32 m0, s16, 0xc30
	s_nop 0
	global_load_lds_dword v[24:25], off
	s_add_i32 m0, s16, 0x2070
	; asyncmark
	s_nop 0
	global_load_lds_dword v[32:33], off
	s_add_i32 m0, s16, 0x2480
	s_nop 0
	global_load_lds_dword v[30:31], off
	s_add_i32 m0, s16, 0x2890
	s_nop 0
	global_load_lds_dword v[26:27], off
	s_add_i32 m0, s16, 0x2ca0
	s_nop 0
	global_load_lds_dword v[28:29], off
	; asyncmark
	global_load_ubyte v0, v[0:1], off
.LBB0_6:
	v_or_b32_e32 v1, s7, v35
	v_mul_lo_u32 v4, v1, s8
	s_and_b64 s[0:1], s[0:1], exec
	v_ashrrev_i32_e32 v5, 31, v4
	s_cselect_b32 s0, 1, 0
	s_cmp_lg_u32 s0, 1
	v_lshl_add_u64 v[4:5], s[14:15], 0, v[4:5]
	s_cbranch_scc1 .LBB0_8
; %bb.7:
	v_lshl_add_u64 v[6:7], v[4:5], 0, v[16:17]
	global_load_ubyte v1, v[6:7], off
	s_branch .LBB0_9
.LBB0_8:
	v_mov_b32_e32 v1, 0
.LBB0_9:
	s_load_dwordx2 s[0:1], s[4:5], 0x20
	s_and_b32 s2, s19, 0x80
	v_and_b32_e32 v39, 32, v34
	s_and_b32 s3, s19, 64
	v_add_u32_e32 v6, 0, v40
	s_add_i32 s9, s18, 0xffffff80
	v_and_b32_e32 v38, 31, v34
	s_mov_b32 s8, 0
	s_waitcnt vmcnt(0)
	ds_write_b8 v6, v0 offset:16608
	ds_write_b8 v6, v1 offset:17120
	v_mov_b32_e32 v0, 0
	s_cmp_lt_i32 s9, 1
	v_lshlrev_b32_e32 v42, 4, v34
	v_lshrrev_b32_e32 v43, 1, v39
	v_lshlrev_b32_e32 v41, 4, v16
	v_lshrrev_b32_e32 v44, 5, v39
	s_cbranch_scc1 .LBB0_12
; %bb.10:                               ; %.lr.ph
	v_mov_b32_e32 v17, v0
	v_and_b32_e32 v45, 0x1c0, v42
	s_lshl_b32 s10, s2, 2
	v_lshl_or_b32 v46, v16, 10, v43
	s_lshl_b32 s11, s3, 3
	v_lshl_add_u64 v[34:35], v[2:3], 0, v[16:17]
	v_lshl_or_b32 v47, v38, 2, v44
	v_lshl_add_u64 v[36:37], v[4:5], 0, v[16:17]
	s_movk_i32 s19, 0x2070
	s_movk_i32 s17, 0x40e0
	s_movk_i32 s20, 0x42e0
	s_lshl_b32 s12, s3, 1
	s_mov_b32 s13, 0xc0c0004
	s_mov_b32 s14, 0
	v_mov_b32_e32 v1, v0
	v_mov_b32_e32 v2, v0
	v_mov_b32_e32 v3, v0
	v_mov_b32_e32 v4, v0
	v_mov_b32_e32 v5, v0
	v_mov_b32_e32 v6, v0
	v_mov_b32_e32 v7, v0
	v_mov_b32_e32 v8, v0
	v_mov_b32_e32 v9, v0
	v_mov_b32_e32 v10, v0
	v_mov_b32_e32 v11, v0
	v_mov_b32_e32 v12, v0
	v_mov_b32_e32 v13, v0
	v_mov_b32_e32 v14, v0
	v_mov_b32_e32 v15, v0
	s_mov_b32 s15, 0
.LBB0_11:                               ; =>This Inner Loop Header: Depth=1
	s_add_i32 s14, s14, 1
	s_cmp_lt_i32 s14, 2
	s_cselect_b32 s14, s14, 0
	s_add_i32 s8, s10, s8
	s_lshl_b32 s21, s14, 12
	s_addk_i32 s15, 0x80
	v_add_u32_e32 v17, s8, v46
	s_lshr_b32 s8, s21, 6
	s_ashr_i32 s22, s15, 1
	s_add_i32 s8, s8, s21
	s_ashr_i32 s23, s22, 31
	s_add_i32 s21, s8, s16
	v_lshl_add_u64 v[48:49], v[18:19], 0, s[22:23]
	s_mov_b32 m0, s21
	; wait_asyncmark(0)
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_lshl_add_u64 v[50:51], v[20:21], 0, s[22:23]
	global_load_lds_dword v[48:49], off
	s_add_i32 m0, s21, 0x410
	v_lshl_add_u64 v[52:53], v[22:23], 0, s[22:23]
	global_load_lds_dword v[50:51], off
	s_add_i32 m0, s21, 0x820
	v_lshl_add_u64 v[54:55], v[24:25], 0, s[22:23]
	global_load_lds_dword v[52:53], off
	s_add_i32 m0, s21, 0xc30
	v_lshl_add_u64 v[56:57], v[32:33], 0, s[22:23]
	global_load_lds_dword v[54:55], off
	s_add_i32 m0, s21, 0x2070
	s_ashr_i32 s24, s15, 5
	v_lshl_add_u64 v[58:59], v[30:31], 0, s[22:23]
	; asyncmark
	global_load_lds_dword v[56:57], off
	s_add_i32 m0, s21, 0x2480
	s_ashr_i32 s25, s24, 31
	v_lshl_add_u64 v[60:61], v[26:27], 0, s[22:23]
	global_load_lds_dword v[58:59], off
	s_add_i32 m0, s21, 0x2890
	v_add3_u32 v17, v17, v45, v41
	v_lshl_add_u64 v[62:63], v[28:29], 0, s[22:23]
	v_lshl_add_u64 v[64:65], v[34:35], 0, s[24:25]
	global_load_lds_dword v[60:61], off
	s_add_i32 m0, s21, 0x2ca0
	v_lshl_add_u64 v[48:49], v[36:37], 0, s[24:25]
	ds_read_b128 v[52:55], v17
	ds_read_b128 v[66:69], v17 offset:32
	global_load_lds_dword v[62:63], off
	; asyncmark
	global_load_ubyte v60, v[64:65], off
	global_load_ubyte v61, v[48:49], off
	s_add_i32 s19, s11, s19
	s_add_i32 s17, s2, s17
	s_add_i32 s20, s12, s20
	v_add_u32_e32 v17, s19, v46
	v_add_u32_e32 v48, s17, v47
	v_add_u32_e32 v49, s20, v47
	v_add3_u32 v17, v17, v45, v41
	ds_read_b128 v[56:59], v17
	ds_read_u8 v50, v48
	ds_read_u8 v48, v48 offset:2
	ds_read_u8 v51, v49
	ds_read_u8 v49, v49 offset:2
	s_lshl_b32 s19, s14, 8
	s_add_i32 s17, s19, 0x40e0
	s_waitcnt lgkmcnt(2)
	v_perm_b32 v48, v50, v48, s13
	s_add_i32 s20, s19, 0x42e0
	s_waitcnt lgkmcnt(0)
	v_perm_b32 v49, v51, v49, s13
	s_nop 1
	v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[56:59], v[52:55], v[0:15], v49, v48 op_sel_hi:[0,0,0] cbsz:4 blgp:4
	ds_read_b128 v[50:53], v17 offset:32
	v_add_u32_e32 v17, s19, v40
	s_add_i32 s19, s8, 0x2070
	s_cmp_lt_i32 s15, s9
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[50:53], v[66:69], v[0:15], v49, v48 op_sel:[1,1,0] op_sel_hi:[0,0,0] cbsz:4 blgp:4
	s_waitcnt vmcnt(1)
	ds_write_b8 v17, v60 offset:16608
	s_waitcnt vmcnt(0)
	ds_write_b8 v17, v61 offset:17120
	s_cbranch_scc1 .LBB0_11
	s_branch .LBB0_13
.LBB0_12:
	v_mov_b32_e32 v15, 0
	s_movk_i32 s19, 0x2070
	s_movk_i32 s17, 0x40e0
	s_movk_i32 s20, 0x42e0
	v_mov_b32_e32 v14, v15
	v_mov_b32_e32 v13, v15
	v_mov_b32_e32 v12, v15
	v_mov_b32_e32 v11, v15
	v_mov_b32_e32 v10, v15
	v_mov_b32_e32 v9, v15
	v_mov_b32_e32 v8, v15
	v_mov_b32_e32 v7, v15
	v_mov_b32_e32 v6, v15
	v_mov_b32_e32 v5, v15
	v_mov_b32_e32 v4, v15
	v_mov_b32_e32 v3, v15
	v_mov_b32_e32 v2, v15
	v_mov_b32_e32 v1, v15
	v_mov_b32_e32 v0, v15
.LBB0_13:                               ; %._crit_edge
	s_addk_i32 s18, 0x7f
	s_cmpk_lt_i32 s18, 0x80
	; wait_asyncmark(0)
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_cbranch_scc1 .LBB0_15
; %bb.14:
	v_lshl_or_b32 v17, v38, 2, v44
	s_lshl1_add_u32 s9, s3, s20
	v_add_u32_e32 v18, s9, v17
	s_add_i32 s9, s2, s17
	v_add_u32_e32 v17, s9, v17
	v_lshl_or_b32 v16, v16, 10, v43
	s_lshl3_add_u32 s9, s3, s19
	v_and_b32_e32 v19, 0x1c0, v42
	v_add_u32_e32 v20, s9, v16
	s_lshl2_add_u32 s8, s2, s8
	v_add3_u32 v20, v20, v19, v41
	v_add_u32_e32 v16, s8, v16
	ds_read_b128 v[22:25], v20
	ds_read_b128 v[26:29], v20 offset:32
	v_add3_u32 v16, v16, v19, v41
	ds_read_u8 v19, v17
	ds_read_u8 v17, v17 offset:2
	ds_read_u8 v20, v18
	ds_read_u8 v18, v18 offset:2
	ds_read_b128 v[30:33], v16
	ds_read_b128 v[34:37], v16 offset:32
	s_mov_b32 s8, 0xc0c0004
	s_waitcnt lgkmcnt(4)
	v_perm_b32 v16, v19, v17, s8
	s_waitcnt lgkmcnt(2)
	v_perm_b32 v17, v20, v18, s8
	s_waitcnt lgkmcnt(1)
	s_nop 0
	v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[22:25], v[30:33], v[0:15], v17, v16 op_sel_hi:[0,0,0] cbsz:4 blgp:4
	s_waitcnt lgkmcnt(0)
	v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[26:29], v[34:37], v[0:15], v17, v16 op_sel:[1,1,0] op_sel_hi:[0,0,0] cbsz:4 blgp:4
.LBB0_15:                               ; %._crit_edge._crit_edge
	v_lshrrev_b32_e32 v16, 3, v39
	s_lshr_b32 s3, s3, 1
	v_or_b32_e32 v16, s3, v16
	s_load_dword s3, s[4:5], 0x44
	s_lshr_b32 s2, s2, 2
	v_or_b32_e32 v17, s2, v38
	v_or_b32_e32 v17, s6, v17
	v_or_b32_e32 v16, s7, v16
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v17, s3, v17
	v_lshlrev_b32_e32 v18, 6, v17
	v_ashrrev_i32_e32 v19, 31, v18
	v_lshl_add_u64 v[18:19], v[18:19], 2, s[0:1]
	v_ashrrev_i32_e32 v17, 31, v16
	v_lshl_add_u64 v[16:17], v[16:17], 2, v[18:19]
	global_store_dwordx4 v[16:17], v[0:3], off
	global_store_dwordx4 v[16:17], v[4:7], off offset:32
	global_store_dwordx4 v[16:17], v[8:11], off offset:64
	global_store_dwordx4 v[16:17], v[12:15], off offset:96
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 320
		.amdhsa_user_sgpr_count 16
		.amdhsa_user_sgpr_dispatch_ptr 1
		.amdhsa_user_sgpr_queue_ptr 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 1
		.amdhsa_user_sgpr_kernarg_preload_length 8
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 2
		.amdhsa_next_free_vgpr 70
		.amdhsa_next_free_sgpr 26
		.amdhsa_accum_offset 72
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.text
                                        ; -- End function
	.set .Lk.num_vgpr, 70
	.set .Lk.num_agpr, 0
	.set .Lk.numbered_sgpr, 26
	.set .Lk.num_named_barrier, 0
	.set .Lk.private_seg_size, 0
	.set .Lk.uses_vcc, 1
	.set .Lk.uses_flat_scratch, 0
	.set .Lk.has_dyn_sized_stack, 0
	.set .Lk.has_recursion, 0
	.set .Lk.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 2132
; TotalNumSgprs: 32
; NumVgprs: 70
; NumAgprs: 0
; TotalNumVgprs: 70
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 3
; VGPRBlocks: 8
; NumSGPRsForWavesPerEU: 32
; NumVGPRsForWavesPerEU: 70
; AccumOffset: 72
; Occupancy: 7
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 16
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 1
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 2
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 17
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 0
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 0
	.set amdgpu.max_num_named_barrier, 0
	.text
	.section	".note.GNU-stack","",@progbits
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         16
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         24
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         32
        .size:           8
        .value_kind:     global_buffer
      - .offset:         40
        .size:           4
        .value_kind:     by_value
      - .address_space:  global
        .offset:         48
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         56
        .size:           8
        .value_kind:     global_buffer
      - .offset:         64
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         68
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         72
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         76
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         78
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         80
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         82
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         84
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         86
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         104
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         112
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         120
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         128
        .size:           2
        .value_kind:     hidden_grid_dims
      - .offset:         144
        .size:           8
        .value_kind:     hidden_hostcall_buffer
      - .offset:         152
        .size:           8
        .value_kind:     hidden_multigrid_sync_arg
      - .offset:         160
        .size:           8
        .value_kind:     hidden_heap_v1
      - .offset:         168
        .size:           8
        .value_kind:     hidden_default_queue
      - .offset:         176
        .size:           8
        .value_kind:     hidden_completion_action
      - .offset:         184
        .size:           4
        .value_kind:     hidden_dynamic_lds_size
      - .offset:         264
        .size:           8
        .value_kind:     hidden_queue_ptr
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 320
    .max_flat_workgroup_size: 256
    .name:           k
    .private_segment_fixed_size: 0
    .sgpr_count:     32
    .sgpr_spill_count: 0
    .symbol:         k.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     70
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx950
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
