	.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
	.amdhsa_code_object_version 6
	.text
	.protected	sparse                  ; -- Begin function sparse
	.globl	sparse
	.p2align	8
	.type	sparse,@function
sparse:                                 ; @sparse
; %bb.0:
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
	s_load_b256 s[4:11], s[0:1], 0x0
	v_dual_lshlrev_b32 v1, 5, v0 :: v_dual_bitop2_b32 v32, 15, v0 bitop3:0x40
	v_and_b32_e32 v2, 0x3f0, v0
	v_mov_b32_e32 v24, 0
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_and_b32_e32 v33, 0x7e00, v1
	v_dual_lshlrev_b32 v3, 5, v32 :: v_dual_mov_b32 v25, v24
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(VALU_DEP_4)
	v_dual_mov_b32 v26, v24 :: v_dual_bitop2_b32 v1, v33, v32 bitop3:0x54
	v_dual_mov_b32 v27, v24 :: v_dual_mov_b32 v28, v24
	v_dual_mov_b32 v29, v24 :: v_dual_mov_b32 v30, v24
	v_add_lshl_u32 v2, v3, v2, 1
	v_mov_b32_e32 v31, v24
	v_lshl_or_b32 v32, v32, 2, v33
	s_wait_kmcnt 0x0
	s_clause 0x1f
	global_load_u16 v4, v1, s[8:9] offset:768 scale_offset
	global_load_u16 v5, v1, s[8:9] offset:800 scale_offset
	global_load_u16 v6, v1, s[8:9] offset:896 scale_offset
	global_load_u16 v7, v1, s[8:9] offset:928 scale_offset
	global_load_u16 v8, v1, s[8:9] offset:960 scale_offset
	global_load_u16 v9, v1, s[8:9] offset:992 scale_offset
	global_load_u16 v10, v1, s[8:9] offset:832 scale_offset
	global_load_u16 v11, v1, s[8:9] offset:864 scale_offset
	global_load_u16 v3, v1, s[8:9] offset:512 scale_offset
	global_load_u16 v34, v1, s[8:9] offset:544 scale_offset
	global_load_u16 v35, v1, s[8:9] offset:576 scale_offset
	global_load_u16 v36, v1, s[8:9] offset:608 scale_offset
	global_load_u16 v37, v1, s[8:9] offset:640 scale_offset
	global_load_u16 v38, v1, s[8:9] offset:672 scale_offset
	global_load_u16 v39, v1, s[8:9] offset:704 scale_offset
	global_load_u16 v40, v1, s[8:9] offset:736 scale_offset
	global_load_u16 v41, v1, s[8:9] offset:256 scale_offset
	global_load_u16 v42, v1, s[8:9] offset:288 scale_offset
	global_load_u16 v43, v1, s[8:9] offset:320 scale_offset
	global_load_u16 v44, v1, s[8:9] offset:352 scale_offset
	global_load_u16 v45, v1, s[8:9] offset:384 scale_offset
	global_load_u16 v46, v1, s[8:9] offset:416 scale_offset
	global_load_u16 v47, v1, s[8:9] offset:448 scale_offset
	global_load_u16 v48, v1, s[8:9] offset:480 scale_offset
	global_load_u16 v49, v1, s[8:9] offset:64 scale_offset
	global_load_u16 v50, v1, s[8:9] offset:96 scale_offset
	global_load_u16 v51, v1, s[8:9] offset:128 scale_offset
	global_load_u16 v52, v1, s[8:9] offset:192 scale_offset
	global_load_u16 v53, v1, s[8:9] offset:224 scale_offset
	global_load_u16 v54, v1, s[8:9] offset:160 scale_offset
	global_load_u16 v55, v1, s[8:9] scale_offset
	global_load_u16 v56, v1, s[8:9] offset:32 scale_offset
	s_clause 0x1
	global_load_b128 v[16:19], v2, s[4:5]
	global_load_b128 v[20:23], v2, s[4:5] offset:16
	global_load_b32 v57, v0, s[6:7] scale_offset
	s_wait_loadcnt 0x9
	s_wait_xcnt 0x3
	v_perm_b32 v1, v50, v49, 0x5040100
	v_perm_b32 v12, v5, v4, 0x5040100
	v_perm_b32 v5, v44, v43, 0x5040100
	v_perm_b32 v14, v7, v6, 0x5040100
	v_perm_b32 v7, v48, v47, 0x5040100
	v_perm_b32 v15, v9, v8, 0x5040100
	v_perm_b32 v9, v36, v35, 0x5040100
	v_perm_b32 v13, v11, v10, 0x5040100
	v_perm_b32 v11, v40, v39, 0x5040100
	v_perm_b32 v10, v38, v37, 0x5040100
	v_perm_b32 v8, v34, v3, 0x5040100
	v_perm_b32 v6, v46, v45, 0x5040100
	v_perm_b32 v4, v42, v41, 0x5040100
	s_wait_loadcnt 0x6
	v_perm_b32 v3, v53, v52, 0x5040100
	s_wait_loadcnt 0x5
	s_wait_xcnt 0x1
	v_perm_b32 v2, v54, v51, 0x5040100
	s_wait_loadcnt 0x3
	s_wait_xcnt 0x0
	v_perm_b32 v0, v56, v55, 0x5040100
	s_wait_loadcnt 0x0
	s_delay_alu instid0(VALU_DEP_1)
	v_swmmac_f32_16x16x64_f16 v[24:31], v[16:23], v[0:15], v57
	s_clause 0x7
	global_store_b32 v32, v24, s[10:11]
	global_store_b32 v32, v25, s[10:11] offset:64
	global_store_b32 v32, v26, s[10:11] offset:128
	global_store_b32 v32, v27, s[10:11] offset:192
	global_store_b32 v32, v28, s[10:11] offset:256
	global_store_b32 v32, v29, s[10:11] offset:320
	global_store_b32 v32, v30, s[10:11] offset:384
	global_store_b32 v32, v31, s[10:11] offset:448
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel sparse
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 32
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_wavefront_size32 1
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 58
		.amdhsa_next_free_sgpr 12
		.amdhsa_named_barrier_count 0
		.amdhsa_reserve_vcc 0
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_fp16_overflow 0
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_inst_pref_size 7
		.amdhsa_round_robin_scheduling 0
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
	.size	sparse, .Lfunc_end0-sparse
                                        ; -- End function
	.set sparse.num_vgpr, 58
	.set sparse.num_agpr, 0
	.set sparse.numbered_sgpr, 12
	.set sparse.num_named_barrier, 0
	.set sparse.private_seg_size, 0
	.set sparse.uses_vcc, 0
	.set sparse.uses_flat_scratch, 0
	.set sparse.has_dyn_sized_stack, 0
	.set sparse.has_recursion, 0
	.set sparse.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 888
; TotalNumSgprs: 12
; NumVgprs: 58
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 3
; NumSGPRsForWavesPerEU: 12
; NumVGPRsForWavesPerEU: 58
; NamedBarCnt: 0
; Occupancy: 16
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
	.text
	.p2alignl 7, 3214868480
	.fill 96, 4, 3214868480
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 0
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 0
	.set amdgpu.max_num_named_barrier, 0
	.text
	.ident	"Debian clang version 22.1.8 (1~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
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
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 32
    .max_flat_workgroup_size: 1024
    .name:           sparse
    .private_segment_fixed_size: 0
    .sgpr_count:     12
    .sgpr_spill_count: 0
    .symbol:         sparse.kd
    .uses_dynamic_stack: false
    .vgpr_count:     58
    .vgpr_spill_count: 0
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--gfx1250
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
