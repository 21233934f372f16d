	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.amdhsa_code_object_version 6
	.text
	.protected	d2lds_gemm              ; -- Begin function d2lds_gemm
	.globl	d2lds_gemm
	.p2align	8
	.type	d2lds_gemm,@function
d2lds_gemm:                             ; @d2lds_gemm
; %bb.0:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[2:3], s[0:1], 0x10
	v_readfirstlane_b32 s0, v0
	s_lshr_b32 s0, s0, 6
	s_lshl_b32 s8, s0, 4
	v_bfe_u32 v1, v0, 2, 4
	v_or_b32_e32 v2, s8, v1
	v_lshlrev_b32_e32 v2, 7, v2
	v_mov_b32_e32 v3, 0
	v_lshlrev_b64 v[4:5], 1, v[2:3]
	v_lshlrev_b32_e32 v2, 4, v0
	s_lshl_b32 s9, s0, 10
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[6:7], s[4:5], 0, v[4:5]
	v_and_b32_e32 v2, 48, v2
	v_lshl_add_u64 v[6:7], v[6:7], 0, v[2:3]
	s_mov_b32 m0, s9
	v_lshl_add_u64 v[4:5], s[6:7], 0, v[4:5]
	global_load_lds_dwordx4 v[6:7], off
	s_add_i32 m0, s9, 0x1000
	v_lshl_add_u64 v[4:5], v[4:5], 0, v[2:3]
	global_load_lds_dwordx4 v[4:5], off
	v_lshrrev_b32_e32 v2, 2, v0
	v_and_b32_e32 v21, 15, v0
	v_and_b32_e32 v0, 3, v0
	v_and_b32_e32 v20, 12, v2
	v_or_b32_e32 v2, s8, v21
	v_lshlrev_b32_e32 v4, 4, v0
	v_lshlrev_b32_e32 v0, 7, v1
	v_lshlrev_b32_e32 v22, 6, v2
	v_lshl_or_b32 v2, s0, 11, v0
	v_lshlrev_b64 v[0:1], 1, v[2:3]
	v_or3_b32 v0, v0, v4, 64
	v_lshlrev_b32_e32 v23, 6, v21
	v_lshl_add_u64 v[16:17], s[6:7], 0, v[0:1]
	v_lshl_add_u64 v[18:19], s[4:5], 0, v[0:1]
	s_mov_b32 s6, 0
	s_mov_b64 s[0:1], 0
	v_mov_b32_e32 v12, 0
	v_mov_b32_e32 v13, 0
	v_mov_b32_e32 v14, 0
	v_mov_b32_e32 v15, 0
	v_mov_b32_e32 v8, 0
	v_mov_b32_e32 v9, 0
	v_mov_b32_e32 v10, 0
	v_mov_b32_e32 v11, 0
	v_mov_b32_e32 v0, 0
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v7, 0
	v_lshlrev_b32_e32 v24, 1, v20
	s_branch .LBB0_2
.LBB0_1:                                ;   in Loop: Header=BB0_2 Depth=1
	s_lshl_b32 s4, s7, 1
	v_add3_u32 v25, s4, v22, v24
	ds_read2_b64 v[26:29], v25 offset1:4
	v_add3_u32 v25, s4, v23, v24
	v_add_u32_e32 v34, 0x1000, v25
	v_add_u32_e32 v25, 0x1800, v25
	ds_read2_b64 v[30:33], v34 offset1:4
	ds_read2_b64 v[34:37], v34 offset0:128 offset1:132
	ds_read2_b64 v[38:41], v25 offset1:4
	ds_read2_b64 v[42:45], v25 offset0:128 offset1:132
	s_addk_i32 s6, 0x1000
	s_waitcnt lgkmcnt(3)
	v_mfma_f32_16x16x16_f16 v[12:15], v[26:27], v[30:31], v[12:15]
	;;#ASMSTART
	s_waitcnt lgkmcnt(0)
	s_barrier
	;;#ASMEND
	s_add_u32 s0, s0, 64
	s_addc_u32 s1, s1, 0
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_16x16x16_f16 v[8:11], v[26:27], v[34:35], v[8:11]
	s_cmpk_eq_i32 s0, 0x100
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_16x16x16_f16 v[0:3], v[26:27], v[38:39], v[0:3]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_16x16x16_f16 v[4:7], v[26:27], v[42:43], v[4:7]
	v_mfma_f32_16x16x16_f16 v[12:15], v[28:29], v[32:33], v[12:15]
	v_mfma_f32_16x16x16_f16 v[8:11], v[28:29], v[36:37], v[8:11]
	v_mfma_f32_16x16x16_f16 v[0:3], v[28:29], v[40:41], v[0:3]
	v_mfma_f32_16x16x16_f16 v[4:7], v[28:29], v[44:45], v[4:7]
	s_cbranch_scc1 .LBB0_6
.LBB0_2:                                ; =>This Inner Loop Header: Depth=1
	s_and_b32 s7, s6, 0x1000
	s_cmpk_eq_i32 s0, 0xc0
	s_mov_b64 s[4:5], -1
	s_cbranch_scc1 .LBB0_4
; %bb.3:                                ;   in Loop: Header=BB0_2 Depth=1
	s_lshl_b32 s4, s7, 1
	s_sub_i32 s4, s9, s4
	s_add_i32 m0, s4, 0x2000
	v_lshl_add_u64 v[26:27], v[18:19], 0, s[0:1]
	global_load_lds_dwordx4 v[26:27], off
	s_add_i32 m0, s4, 0x3000
	v_lshl_add_u64 v[26:27], v[16:17], 0, s[0:1]
	global_load_lds_dwordx4 v[26:27], off
	;;#ASMSTART
	s_waitcnt vmcnt(2)
	s_barrier
	;;#ASMEND
	s_mov_b64 s[4:5], 0
.LBB0_4:                                ;   in Loop: Header=BB0_2 Depth=1
	s_andn2_b64 vcc, exec, s[4:5]
	s_cbranch_vccnz .LBB0_1
; %bb.5:                                ;   in Loop: Header=BB0_2 Depth=1
	;;#ASMSTART
	s_waitcnt vmcnt(0)
	s_barrier
	;;#ASMEND
	s_branch .LBB0_1
.LBB0_6:
	v_or_b32_e32 v18, s8, v20
	v_mov_b32_e32 v16, s2
	v_mov_b32_e32 v17, s3
	v_lshl_or_b32 v18, v18, 6, v21
	v_mov_b32_e32 v19, 0
	v_lshl_add_u64 v[16:17], v[18:19], 2, v[16:17]
	global_store_dword v[16:17], v12, off
	global_store_dword v[16:17], v13, off offset:256
	global_store_dword v[16:17], v14, off offset:512
	global_store_dword v[16:17], v15, off offset:768
	global_store_dword v[16:17], v8, off offset:64
	global_store_dword v[16:17], v9, off offset:320
	global_store_dword v[16:17], v10, off offset:576
	global_store_dword v[16:17], v11, off offset:832
	global_store_dword v[16:17], v0, off offset:128
	global_store_dword v[16:17], v1, off offset:384
	global_store_dword v[16:17], v2, off offset:640
	global_store_dword v[16:17], v3, off offset:896
	global_store_dword v[16:17], v4, off offset:192
	global_store_dword v[16:17], v5, off offset:448
	global_store_dword v[16:17], v6, off offset:704
	global_store_dword v[16:17], v7, off offset:960
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel d2lds_gemm
		.amdhsa_group_segment_fixed_size 16384
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 46
		.amdhsa_next_free_sgpr 10
		.amdhsa_accum_offset 48
		.amdhsa_reserve_vcc 1
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
.Lfunc_end0:
	.size	d2lds_gemm, .Lfunc_end0-d2lds_gemm
                                        ; -- End function
	.set d2lds_gemm.num_vgpr, 46
	.set d2lds_gemm.num_agpr, 0
	.set d2lds_gemm.numbered_sgpr, 10
	.set d2lds_gemm.num_named_barrier, 0
	.set d2lds_gemm.private_seg_size, 0
	.set d2lds_gemm.uses_vcc, 1
	.set d2lds_gemm.uses_flat_scratch, 0
	.set d2lds_gemm.has_dyn_sized_stack, 0
	.set d2lds_gemm.has_recursion, 0
	.set d2lds_gemm.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 816
; TotalNumSgprs: 16
; NumVgprs: 46
; NumAgprs: 0
; TotalNumVgprs: 46
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 16384 bytes/workgroup (compile time only)
; SGPRBlocks: 1
; VGPRBlocks: 5
; NumSGPRsForWavesPerEU: 16
; NumVGPRsForWavesPerEU: 46
; AccumOffset: 48
; Occupancy: 8
; WaveLimiterHint : 1
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 11
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .is_const:       true
        .offset:         0
        .size:           8
        .type_name:      'half*'
        .value_kind:     global_buffer
      - .address_space:  global
        .is_const:       true
        .offset:         8
        .size:           8
        .type_name:      'half*'
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         16
        .size:           8
        .type_name:      'float*'
        .value_kind:     global_buffer
    .group_segment_fixed_size: 16384
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name:           d2lds_gemm
    .private_segment_fixed_size: 0
    .reqd_workgroup_size:
      - 256
      - 1
      - 1
    .sgpr_count:     16
    .sgpr_spill_count: 0
    .symbol:         d2lds_gemm.kd
    .uses_dynamic_stack: false
    .vgpr_count:     46
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx950
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
