	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.amdhsa_code_object_version 5
	.text
	.globl	k                               ; -- Begin function k
	.p2align	8
	.type	k,@function
k:                                      ; @k
; %bb.1:
	s_load_dwordx2 s[2:3], s[0:1], 0x0
	s_load_dwordx8 s[4:11], s[0:1], 0x8
	s_waitcnt lgkmcnt(0)
	s_branch .LBB0_0
	.p2align	8
; %bb.2:
.LBB0_0:
	v_readfirstlane_b32 s26, v0
	v_and_b32_e32 v1, 63, v0
	s_and_b32 s27, s26, 0xc0
	s_lshl_b32 s0, s12, 10
	v_or_b32_e32 v2, s27, v1
	v_lshl_or_b32 v2, v2, 2, s0
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshl_add_u64 v[2:3], v[2:3], 2, s[2:3]
	global_load_dwordx4 v[2:5], v[2:3], off
	v_and_b32_e32 v6, 1, v0
	v_bfe_u32 v7, v0, 1, 1
	v_bfe_u32 v8, v0, 2, 1
	v_add_u32_e32 v6, -1, v6
	v_add_u32_e32 v7, -1, v7
	s_mov_b64 s[28:29], s[6:7]
	v_bfe_u32 v9, v0, 3, 1
	v_add_u32_e32 v8, -1, v8
	v_ashrrev_i32_e32 v11, 31, v6
	v_ashrrev_i32_e32 v12, 31, v7
	v_bfe_u32 v10, v0, 4, 1
	v_add_u32_e32 v9, -1, v9
	v_ashrrev_i32_e32 v13, 31, v8
	v_bfe_u32 v0, v0, 5, 1
	v_add_u32_e32 v10, -1, v10
	v_ashrrev_i32_e32 v14, 31, v9
	v_add_u32_e32 v0, -1, v0
	v_ashrrev_i32_e32 v15, 31, v10
	v_ashrrev_i32_e32 v16, 31, v0
	s_and_b32 s5, s5, 0xffff
	s_cmp_eq_u32 s27, 0
	s_waitcnt vmcnt(0)
	v_and_b32_e32 v17, 1, v2
	v_bfe_u32 v18, v2, 1, 1
	v_bfe_u32 v19, v2, 2, 1
	v_and_b32_e32 v22, 1, v3
	v_bfe_u32 v23, v3, 1, 1
	v_bfe_u32 v24, v3, 2, 1
	v_bfe_u32 v25, v3, 3, 1
	v_bfe_u32 v26, v3, 4, 1
	v_bfe_u32 v3, v3, 5, 1
	v_cmp_ne_u32_e32 vcc, 0, v17
	v_cmp_ne_u32_e64 s[0:1], 0, v18
	v_bfe_u32 v20, v2, 3, 1
	v_bfe_u32 v21, v2, 4, 1
	v_bfe_u32 v2, v2, 5, 1
	v_cmp_ne_u32_e64 s[6:7], 0, v19
	v_cmp_ne_u32_e64 s[24:25], 0, v3
	v_xor_b32_e32 v3, vcc_lo, v6
	v_xor_b32_e32 v18, s0, v7
	v_cmp_ne_u32_e64 s[8:9], 0, v20
	v_cmp_ne_u32_e64 s[12:13], 0, v2
	v_xor_b32_e32 v2, vcc_hi, v11
	v_xor_b32_e32 v17, s1, v12
	v_xor_b32_e32 v20, s6, v8
	v_and_b32_e32 v3, v18, v3
	v_cmp_ne_u32_e64 s[10:11], 0, v21
	v_cmp_ne_u32_e64 s[14:15], 0, v22
	v_cmp_ne_u32_e64 s[16:17], 0, v23
	v_xor_b32_e32 v19, s7, v13
	v_xor_b32_e32 v22, s8, v9
	v_and_b32_e32 v2, v17, v2
	v_and_b32_e32 v3, v3, v20
	v_cmp_ne_u32_e64 s[18:19], 0, v24
	v_xor_b32_e32 v21, s9, v14
	v_xor_b32_e32 v24, s10, v10
	v_xor_b32_e32 v28, s14, v6
	v_xor_b32_e32 v30, s16, v7
	v_and_b32_e32 v2, v2, v19
	v_and_b32_e32 v3, v3, v22
	v_cmp_ne_u32_e64 s[20:21], 0, v25
	v_cmp_ne_u32_e64 s[22:23], 0, v26
	v_xor_b32_e32 v23, s11, v15
	v_xor_b32_e32 v26, s12, v0
	v_xor_b32_e32 v27, s15, v11
	v_xor_b32_e32 v29, s17, v12
	v_xor_b32_e32 v32, s18, v8
	v_and_b32_e32 v18, v30, v28
	v_and_b32_e32 v2, v2, v21
	v_and_b32_e32 v3, v3, v24
	v_xor_b32_e32 v25, s13, v16
	v_xor_b32_e32 v31, s19, v13
	v_xor_b32_e32 v34, s20, v9
	v_and_b32_e32 v17, v29, v27
	v_and_b32_e32 v18, v18, v32
	v_and_b32_e32 v2, v2, v23
	v_and_b32_e32 v3, v3, v26
	v_xor_b32_e32 v33, s21, v14
	v_xor_b32_e32 v36, s22, v10
	v_and_b32_e32 v17, v17, v31
	v_and_b32_e32 v18, v18, v34
	v_and_b32_e32 v2, v2, v25
	v_bcnt_u32_b32 v3, v3, 0
	v_xor_b32_e32 v35, s23, v15
	v_and_b32_e32 v17, v17, v33
	v_bcnt_u32_b32 v2, v2, v3
	v_and_b32_e32 v3, v18, v36
	v_xor_b32_e32 v19, s24, v0
	v_and_b32_e32 v17, v17, v35
	v_xor_b32_e32 v18, s25, v16
	v_and_b32_e32 v3, v3, v19
	v_and_b32_e32 v17, v17, v18
	v_bcnt_u32_b32 v3, v3, 0
	v_bcnt_u32_b32 v3, v17, v3
	v_add_u32_e32 v2, v3, v2
	v_and_b32_e32 v3, 1, v4
	v_cmp_ne_u32_e32 vcc, 0, v3
	v_bfe_u32 v3, v4, 1, 1
	v_cmp_ne_u32_e64 s[0:1], 0, v3
	v_bfe_u32 v3, v4, 2, 1
	v_cmp_ne_u32_e64 s[6:7], 0, v3
	v_bfe_u32 v3, v4, 3, 1
	v_cmp_ne_u32_e64 s[8:9], 0, v3
	v_bfe_u32 v3, v4, 4, 1
	v_cmp_ne_u32_e64 s[10:11], 0, v3
	v_bfe_u32 v3, v4, 5, 1
	v_xor_b32_e32 v4, vcc_lo, v6
	v_xor_b32_e32 v18, s0, v7
	v_cmp_ne_u32_e64 s[12:13], 0, v3
	v_xor_b32_e32 v3, vcc_hi, v11
	v_xor_b32_e32 v17, s1, v12
	v_and_b32_e32 v4, v18, v4
	v_xor_b32_e32 v18, s6, v8
	v_and_b32_e32 v3, v17, v3
	v_xor_b32_e32 v17, s7, v13
	v_and_b32_e32 v4, v4, v18
	v_xor_b32_e32 v18, s8, v9
	v_and_b32_e32 v3, v3, v17
	v_xor_b32_e32 v17, s9, v14
	v_and_b32_e32 v4, v4, v18
	v_xor_b32_e32 v18, s10, v10
	v_and_b32_e32 v3, v3, v17
	v_xor_b32_e32 v17, s11, v15
	v_and_b32_e32 v4, v4, v18
	v_xor_b32_e32 v18, s12, v0
	v_and_b32_e32 v3, v3, v17
	v_xor_b32_e32 v17, s13, v16
	v_and_b32_e32 v4, v4, v18
	v_and_b32_e32 v3, v3, v17
	v_bcnt_u32_b32 v4, v4, 0
	v_bcnt_u32_b32 v3, v3, v4
	v_and_b32_e32 v4, 1, v5
	v_cmp_ne_u32_e32 vcc, 0, v4
	v_bfe_u32 v4, v5, 1, 1
	v_cmp_ne_u32_e64 s[0:1], 0, v4
	v_bfe_u32 v4, v5, 2, 1
	v_cmp_ne_u32_e64 s[6:7], 0, v4
	v_bfe_u32 v4, v5, 3, 1
	v_cmp_ne_u32_e64 s[8:9], 0, v4
	v_bfe_u32 v4, v5, 4, 1
	v_cmp_ne_u32_e64 s[10:11], 0, v4
	v_bfe_u32 v4, v5, 5, 1
	v_xor_b32_e32 v5, vcc_lo, v6
	v_xor_b32_e32 v7, s0, v7
	v_cmp_ne_u32_e64 s[12:13], 0, v4
	v_xor_b32_e32 v4, vcc_hi, v11
	v_xor_b32_e32 v6, s1, v12
	v_and_b32_e32 v5, v7, v5
	v_xor_b32_e32 v7, s6, v8
	v_and_b32_e32 v4, v6, v4
	v_xor_b32_e32 v6, s7, v13
	v_and_b32_e32 v5, v5, v7
	v_xor_b32_e32 v7, s8, v9
	v_and_b32_e32 v4, v4, v6
	v_xor_b32_e32 v6, s9, v14
	v_and_b32_e32 v5, v5, v7
	v_xor_b32_e32 v7, s10, v10
	v_and_b32_e32 v4, v4, v6
	v_xor_b32_e32 v6, s11, v15
	v_and_b32_e32 v5, v5, v7
	v_xor_b32_e32 v0, s12, v0
	v_and_b32_e32 v4, v4, v6
	v_xor_b32_e32 v6, s13, v16
	v_and_b32_e32 v0, v5, v0
	v_and_b32_e32 v4, v4, v6
	v_bcnt_u32_b32 v0, v0, 0
	v_bcnt_u32_b32 v0, v4, v0
	v_add3_u32 v0, v2, v3, v0
	v_lshlrev_b32_e32 v2, 2, v1
	v_add_u32_e32 v3, 0, v2
	v_mov_b32_e32 v4, 0
	ds_write_b32 v3, v4
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_add_u32 v3, v0
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b32 v3, v3
	v_bfrev_b32_e32 v0, 1
	s_cselect_b64 vcc, -1, 0
	s_mov_b32 s7, 0x27000
	s_mov_b32 s6, 0x7ffffffe
	v_cndmask_b32_e32 v2, v0, v2, vcc
	s_waitcnt lgkmcnt(0)
	s_barrier
	buffer_wbl2 sc1
	s_waitcnt vmcnt(0)
	buffer_atomic_add v3, v2, s[4:7], 0 offen
	v_mov_b32_e32 v2, 0x7f
	v_bitop3_b32 v1, s27, v2, v1 bitop3:0xc8
	s_and_b32 s5, s3, 0xffff
	s_mov_b32 s4, s2
	v_lshlrev_b32_e32 v1, 2, v1
	s_waitcnt vmcnt(0)
	buffer_inv sc1
	s_barrier
	buffer_load_dword v4, v1, s[4:7], 0 offen
	s_add_u32 s4, s2, 0x200
	s_addc_u32 s0, s3, 0
	s_and_b32 s5, s0, 0xffff
	buffer_load_dword v2, v1, s[4:7], 0 offen
	v_add_u32_e32 v3, 0, v1
	s_barrier
	s_and_b32 s29, s29, 0xffff
	s_bitcmp0_b32 s26, 7
	s_cselect_b64 vcc, -1, 0
	s_mov_b32 s30, s6
	s_mov_b32 s31, s7
	v_cndmask_b32_e32 v0, v0, v1, vcc
	s_waitcnt vmcnt(1)
	ds_write_b32 v3, v4
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_waitcnt vmcnt(0)
	v_and_b32_e32 v2, 0x7f, v2
	v_lshl_add_u32 v2, v2, 2, 0
	ds_read_b32 v2, v2
	s_waitcnt lgkmcnt(0)
	buffer_store_dword v2, v0, s[28:31], 0 offen
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 40
		.amdhsa_user_sgpr_count 12
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 10
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 37
		.amdhsa_next_free_sgpr 32
		.amdhsa_accum_offset 40
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
	.set .Lk.num_vgpr, 37
	.set .Lk.num_agpr, 0
	.set .Lk.numbered_sgpr, 32
	.set .Lk.num_named_barrier, 0
	.set .Lk.private_seg_size, 0
	.set .Lk.uses_vcc, 1
	.set .Lk.uses_flat_scratch, 0
	.set .Lk.has_dyn_sized_stack, 0
	.set .Lk.has_recursion, 0
	.set .Lk.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 1496
; TotalNumSgprs: 38
; NumVgprs: 37
; NumAgprs: 0
; TotalNumVgprs: 37
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 4
; VGPRBlocks: 4
; NumSGPRsForWavesPerEU: 38
; NumVGPRsForWavesPerEU: 37
; AccumOffset: 40
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 12
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 9
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
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 40
    .max_flat_workgroup_size: 256
    .name:           k
    .private_segment_fixed_size: 0
    .sgpr_count:     38
    .sgpr_spill_count: 0
    .symbol:         k.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     37
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx950
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
