	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.amdhsa_code_object_version 5
	.text
	.globl	k                               ; -- Begin function k
	.p2align	8
	.type	k,@function
k:                                      ; @k
; %bb.17:
	s_load_dwordx8 s[8:15], s[4:5], 0x0
	s_waitcnt lgkmcnt(0)
	s_branch .LBB0_0
	.p2align	8
; %bb.18:
.LBB0_0:
	v_and_b32_e32 v18, 0x3ff, v0
	s_load_dword s18, s[4:5], 0x28
	v_readfirstlane_b32 s0, v18
	s_bfe_u32 s19, s0, 0x20006
	v_and_or_b32 v1, v0, 56, s19
	s_lshl_b32 s6, s16, 6
	v_or_b32_e32 v2, 4, v1
	s_lshl_b32 s7, s17, 6
	v_or_b32_e32 v3, s6, v1
	v_or_b32_e32 v4, s6, v2
	v_or_b32_e32 v1, s7, v1
	v_or_b32_e32 v6, s7, v2
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v2, v3, s18
	v_mul_lo_u32 v4, v4, s18
	v_and_b32_e32 v32, 7, v0
	v_mul_lo_u32 v0, v1, s18
	v_mul_lo_u32 v10, v6, s18
	s_cmp_gt_i32 s18, 0
	v_ashrrev_i32_e32 v3, 31, v2
	v_ashrrev_i32_e32 v5, 31, v4
	v_ashrrev_i32_e32 v1, 31, v0
	v_ashrrev_i32_e32 v11, 31, v10
	s_cselect_b64 s[0:1], -1, 0
	s_cmp_lt_i32 s18, 1
	s_mov_b64 s[2:3], -1
	s_cbranch_scc0 .LBB0_2
; %bb.1:                                ; %.critedge2.critedge
	; asyncmark
	s_mov_b64 s[2:3], 0
.LBB0_2:                                ; %Flow35
	s_and_b64 s[2:3], s[2:3], exec
	s_cselect_b32 s2, 1, 0
	v_lshl_add_u64 v[6:7], s[8:9], 0, v[2:3]
	v_lshl_add_u64 v[8:9], s[8:9], 0, v[4:5]
	v_lshlrev_b32_e32 v16, 4, v32
	v_lshl_add_u64 v[2:3], s[12:13], 0, v[0:1]
	v_lshl_add_u64 v[4:5], s[12:13], 0, v[10:11]
	s_cmp_lg_u32 s2, 1
	s_mul_i32 s12, s19, 0x410
	s_cbranch_scc1 .LBB0_4
; %bb.3:                                ; %.critedge
	v_mov_b32_e32 v17, 0
	s_mov_b32 m0, s12
	v_lshl_add_u64 v[10:11], v[6:7], 0, v[16:17]
	v_lshl_add_u64 v[0:1], v[8:9], 0, v[16:17]
	global_load_lds_dwordx4 v[10:11], off
	s_add_i32 m0, s12, 0x1040
	v_lshl_add_u64 v[10:11], v[2:3], 0, v[16:17]
	global_load_lds_dwordx4 v[0:1], off
	s_add_i32 m0, s12, 0x40f0
	; asyncmark
	v_lshl_add_u64 v[0:1], v[4:5], 0, v[16:17]
	global_load_lds_dwordx4 v[10:11], off
	s_add_i32 m0, s12, 0x5130
	s_nop 0
	global_load_lds_dwordx4 v[0:1], off
.LBB0_4:                                ; %.critedge2
	s_lshl_b32 s2, s19, 6
	s_ashr_i32 s3, s18, 31
	v_and_or_b32 v36, v18, 63, s2
	s_lshr_b32 s3, s3, 27
	v_lshrrev_b32_e32 v0, 2, v36
	s_add_i32 s3, s18, s3
	v_or_b32_e32 v1, s6, v0
	s_ashr_i32 s3, s3, 5
	v_mul_lo_u32 v10, v1, s3
	s_and_b64 s[8:9], s[0:1], exec
	v_ashrrev_i32_e32 v11, 31, v10
	s_cselect_b32 s8, 1, 0
	v_lshl_add_u64 v[12:13], s[10:11], 0, v[10:11]
	v_and_b32_e32 v10, 3, v18
	s_cmp_lg_u32 s8, 1
	v_mov_b32_e32 v11, 0
	; asyncmark
	s_cbranch_scc1 .LBB0_6
; %bb.5:
	v_lshl_add_u64 v[14:15], v[12:13], 0, v[10:11]
	global_load_ubyte v1, v[14:15], off
	s_branch .LBB0_7
.LBB0_6:
	v_mov_b32_e32 v1, 0
.LBB0_7:
	v_or_b32_e32 v0, s7, v0
	v_mul_lo_u32 v14, v0, s3
	s_and_b64 s[0:1], s[0:1], exec
	v_ashrrev_i32_e32 v15, 31, v14
	s_cselect_b32 s0, 1, 0
	v_lshl_add_u64 v[14:15], s[14:15], 0, v[14:15]
	s_cmp_lg_u32 s0, 1
	v_mov_b32_e32 v11, 0
	s_cbranch_scc1 .LBB0_9
; %bb.8:
	v_lshl_add_u64 v[20:21], v[14:15], 0, v[10:11]
	global_load_ubyte v0, v[20:21], off
	s_branch .LBB0_10
.LBB0_9:
	v_mov_b32_e32 v0, 0
.LBB0_10:
	s_load_dwordx2 s[0:1], s[4:5], 0x20
	s_and_b32 s8, s2, 0x80
	v_and_b32_e32 v31, 32, v18
	s_and_b32 s9, s2, 64
	v_add_u32_e32 v11, 0, v36
	s_add_i32 s10, s18, 0xffffff80
	v_and_b32_e32 v30, 31, v18
	s_mov_b32 s3, 0
	s_waitcnt vmcnt(0)
	ds_write_b8 v11, v1 offset:33248
	ds_write_b8 v11, v0 offset:33760
	v_mov_b32_e32 v0, 0
	s_cmp_lt_i32 s10, 1
	v_lshlrev_b32_e32 v33, 4, v18
	v_lshrrev_b32_e32 v34, 1, v31
	v_lshrrev_b32_e32 v35, 5, v31
	s_cbranch_scc1 .LBB0_13
; %bb.11:                               ; %.lr.ph
	v_mov_b32_e32 v17, v0
	v_mov_b32_e32 v11, v0
	v_lshl_add_u64 v[18:19], v[6:7], 0, v[16:17]
	v_lshl_add_u64 v[20:21], v[8:9], 0, v[16:17]
	v_and_b32_e32 v37, 0x180, v33
	s_lshl_b32 s11, s8, 2
	v_lshl_or_b32 v38, v32, 10, v34
	v_lshl_add_u64 v[22:23], v[2:3], 0, v[16:17]
	v_lshl_add_u64 v[24:25], v[4:5], 0, v[16:17]
	s_lshl_b32 s13, s9, 3
	v_lshl_add_u64 v[26:27], v[12:13], 0, v[10:11]
	v_lshl_or_b32 v17, v30, 2, v35
	v_lshl_add_u64 v[28:29], v[14:15], 0, v[10:11]
	s_movk_i32 s20, 0x40f0
	s_mov_b32 s17, 0x81e0
	s_mov_b32 s19, 0x83e0
	s_lshl_b32 s14, s9, 1
	s_mov_b32 s15, 0xc0c0004
	s_mov_b32 s16, 0
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
	v_mov_b32_e32 v12, v0
	v_mov_b32_e32 v13, v0
	v_mov_b32_e32 v14, v0
	v_mov_b32_e32 v15, v0
	s_mov_b32 s2, 0
.LBB0_12:                               ; =>This Inner Loop Header: Depth=1
	s_add_i32 s16, s16, 1
	s_cmp_lt_i32 s16, 2
	s_cselect_b32 s16, s16, 0
	s_addk_i32 s2, 0x80
	s_add_i32 s17, s8, s17
	s_lshl_b32 s22, s16, 13
	s_add_i32 s21, s11, s3
	s_ashr_i32 s3, s2, 31
	v_add_u32_e32 v52, s17, v17
	s_lshr_b32 s17, s22, 6
	v_lshl_add_u64 v[40:41], v[18:19], 0, s[2:3]
	v_lshl_add_u64 v[42:43], v[20:21], 0, s[2:3]
	v_lshl_add_u64 v[44:45], v[22:23], 0, s[2:3]
	v_lshl_add_u64 v[46:47], v[24:25], 0, s[2:3]
	s_add_i32 s3, s17, s22
	s_add_i32 s17, s3, s12
	s_mov_b32 m0, s17
	; wait_asyncmark(0)
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_add_i32 s20, s13, s20
	global_load_lds_dwordx4 v[40:41], off
	s_add_i32 m0, s17, 0x1040
	v_add_u32_e32 v39, s21, v38
	v_add_u32_e32 v48, s20, v38
	global_load_lds_dwordx4 v[42:43], off
	s_add_i32 m0, s17, 0x40f0
	s_add_i32 s19, s14, s19
	v_add3_u32 v39, v39, v37, v16
	v_add3_u32 v54, v48, v37, v16
	; asyncmark
	global_load_lds_dwordx4 v[44:45], off
	s_add_i32 m0, s17, 0x5130
	v_add_u32_e32 v53, s19, v17
	ds_read_b128 v[56:59], v39
	ds_read_b128 v[60:63], v39 offset:32
	ds_read_b128 v[64:67], v39 offset:64
	ds_read_b128 v[68:71], v39 offset:96
	global_load_lds_dwordx4 v[46:47], off
	; asyncmark
	ds_read_b128 v[72:75], v54
	ds_read_b128 v[76:79], v54 offset:32
	ds_read_u8 v39, v52
	ds_read_u8 v40, v52 offset:2
	ds_read_u8 v41, v53
	ds_read_u8 v42, v53 offset:2
	s_ashr_i32 s20, s2, 5
	s_ashr_i32 s21, s20, 31
	v_lshl_add_u64 v[48:49], v[26:27], 0, s[20:21]
	v_lshl_add_u64 v[50:51], v[28:29], 0, s[20:21]
	global_load_ubyte v52, v[48:49], off
	s_waitcnt lgkmcnt(2)
	v_perm_b32 v39, v39, v40, s15
	s_waitcnt lgkmcnt(0)
	v_perm_b32 v40, v41, v42, s15
	global_load_ubyte v41, v[50:51], off
	ds_read_b128 v[42:45], v54 offset:64
	ds_read_b128 v[46:49], v54 offset:96
	v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[72:79], v[56:63], v[0:15], v40, v39 op_sel_hi:[0,0,0]
	s_lshl_b32 s19, s16, 8
	s_add_i32 s17, s19, 0x81e0
	s_add_i32 s20, s3, 0x40f0
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[42:49], v[64:71], v[0:15], v40, v39 op_sel:[1,1,0] op_sel_hi:[0,0,0]
	v_add_u32_e32 v39, s19, v36
	s_add_i32 s19, s19, 0x83e0
	s_cmp_lt_i32 s2, s10
	s_waitcnt vmcnt(1)
	ds_write_b8 v39, v52 offset:33248
	s_waitcnt vmcnt(0)
	ds_write_b8 v39, v41 offset:33760
	s_cbranch_scc1 .LBB0_12
	s_branch .LBB0_14
.LBB0_13:
	v_mov_b32_e32 v15, 0
	s_movk_i32 s20, 0x40f0
	s_mov_b32 s17, 0x81e0
	s_mov_b32 s19, 0x83e0
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
.LBB0_14:                               ; %._crit_edge
	s_addk_i32 s18, 0x7f
	s_cmpk_lt_i32 s18, 0x80
	; wait_asyncmark(0)
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_cbranch_scc1 .LBB0_16
; %bb.15:
	v_lshl_or_b32 v17, v30, 2, v35
	s_lshl1_add_u32 s2, s9, s19
	v_add_u32_e32 v18, s2, v17
	s_add_i32 s2, s8, s17
	v_add_u32_e32 v17, s2, v17
	v_lshl_or_b32 v19, v32, 10, v34
	s_lshl3_add_u32 s2, s9, s20
	v_and_b32_e32 v20, 0x180, v33
	v_add_u32_e32 v21, s2, v19
	s_lshl2_add_u32 s2, s8, s3
	v_add3_u32 v21, v21, v20, v16
	v_add_u32_e32 v19, s2, v19
	ds_read_b128 v[22:25], v21
	ds_read_b128 v[26:29], v21 offset:32
	v_add3_u32 v16, v19, v20, v16
	ds_read_u8 v19, v17
	ds_read_u8 v17, v17 offset:2
	ds_read_u8 v20, v18
	ds_read_u8 v18, v18 offset:2
	ds_read_b128 v[32:35], v16
	ds_read_b128 v[36:39], v16 offset:32
	s_mov_b32 s2, 0xc0c0004
	s_waitcnt lgkmcnt(4)
	v_perm_b32 v17, v19, v17, s2
	s_waitcnt lgkmcnt(2)
	v_perm_b32 v18, v20, v18, s2
	s_waitcnt lgkmcnt(0)
	s_nop 0
	v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[22:29], v[32:39], v[0:15], v18, v17 op_sel_hi:[0,0,0]
	ds_read_b128 v[24:27], v21 offset:96
	ds_read_b128 v[20:23], v21 offset:64
	ds_read_b128 v[36:39], v16 offset:96
	ds_read_b128 v[32:35], v16 offset:64
	s_waitcnt lgkmcnt(0)
	v_mfma_scale_f32_32x32x64_f8f6f4 v[0:15], v[20:27], v[32:39], v[0:15], v18, v17 op_sel:[1,1,0] op_sel_hi:[0,0,0]
.LBB0_16:                               ; %._crit_edge._crit_edge
	v_lshrrev_b32_e32 v16, 3, v31
	s_lshr_b32 s2, s9, 1
	v_or_b32_e32 v16, s2, v16
	s_load_dword s2, s[4:5], 0x44
	s_lshr_b32 s3, s8, 2
	v_or_b32_e32 v17, s3, v30
	v_or_b32_e32 v17, s6, v17
	v_or_b32_e32 v16, s7, v16
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v17, s2, v17
	v_lshlrev_b32_e32 v18, 6, v17
	v_ashrrev_i32_e32 v19, 31, v18
	v_lshl_add_u64 v[18:19], v[18:19], 2, s[0:1]
	v_ashrrev_i32_e32 v17, 31, v16
	v_lshl_add_u64 v[16:17], v[16:17], 2, v[18:19]
	s_nop 4
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
		.amdhsa_next_free_vgpr 80
		.amdhsa_next_free_sgpr 23
		.amdhsa_accum_offset 80
		.amdhsa_reserve_vcc 0
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
	.set .Lk.num_vgpr, 80
	.set .Lk.num_agpr, 0
	.set .Lk.numbered_sgpr, 23
	.set .Lk.num_named_barrier, 0
	.set .Lk.private_seg_size, 0
	.set .Lk.uses_vcc, 0
	.set .Lk.uses_flat_scratch, 0
	.set .Lk.has_dyn_sized_stack, 0
	.set .Lk.has_recursion, 0
	.set .Lk.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 1920
; TotalNumSgprs: 29
; NumVgprs: 80
; NumAgprs: 0
; TotalNumVgprs: 80
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 3
; VGPRBlocks: 9
; NumSGPRsForWavesPerEU: 29
; NumVGPRsForWavesPerEU: 80
; AccumOffset: 80
; Occupancy: 6
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 16
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 1
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 2
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 19
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
    .sgpr_count:     29
    .sgpr_spill_count: 0
    .symbol:         k.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     80
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx950
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
