	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.amdhsa_code_object_version 6
	.text
	.protected	sparse                  ; -- Begin function sparse
	.globl	sparse
	.p2align	8
	.type	sparse,@function
sparse:                                 ; @sparse
; %bb.0:
	s_load_dwordx8 s[4:11], s[0:1], 0x0
	v_and_b32_e32 v4, 15, v0
	v_lshrrev_b32_e32 v1, 4, v0
	v_lshlrev_b32_e32 v2, 4, v4
	v_lshlrev_b32_e32 v3, 2, v1
	v_add_lshl_u32 v2, v2, v3, 1
	s_waitcnt lgkmcnt(0)
	global_load_dwordx2 v[16:17], v2, s[4:5]
	v_lshlrev_b32_e32 v5, 8, v1
	v_lshl_or_b32 v1, v4, 1, v5
	global_load_ushort v8, v1, s[8:9]
	global_load_ushort v9, v1, s[8:9] offset:32
	global_load_ushort v6, v1, s[8:9] offset:128
	global_load_ushort v10, v1, s[8:9] offset:160
	global_load_ushort v7, v1, s[8:9] offset:192
	global_load_ushort v11, v1, s[8:9] offset:224
	global_load_ushort v12, v1, s[8:9] offset:64
	global_load_ushort v13, v1, s[8:9] offset:96
	v_lshlrev_b32_e32 v0, 2, v0
	global_load_dword v14, v0, s[6:7]
	s_mov_b32 s0, 0x5040100
	v_mov_b32_e32 v0, 0
	v_mov_b32_e32 v1, v0
	v_mov_b32_e32 v2, v0
	v_mov_b32_e32 v3, v0
	v_lshl_or_b32 v15, v4, 2, v5
	s_waitcnt vmcnt(7)
	v_perm_b32 v4, v9, v8, s0
	s_waitcnt vmcnt(5)
	v_perm_b32 v6, v10, v6, s0
	s_waitcnt vmcnt(3)
	v_perm_b32 v7, v11, v7, s0
	s_waitcnt vmcnt(1)
	v_perm_b32 v5, v13, v12, s0
	s_waitcnt vmcnt(0)
	s_nop 0
	v_smfmac_f32_16x16x32_f16 v[0:3], v[16:17], v[4:7], v14
	s_nop 7
	global_store_dword v15, v0, s[10:11]
	global_store_dword v15, v1, s[10:11] offset:64
	global_store_dword v15, v2, s[10:11] offset:128
	global_store_dword v15, v3, s[10:11] offset:192
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
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 18
		.amdhsa_next_free_sgpr 12
		.amdhsa_accum_offset 20
		.amdhsa_reserve_vcc 0
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
	.size	sparse, .Lfunc_end0-sparse
                                        ; -- End function
	.set sparse.num_vgpr, 18
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
; codeLenInByte = 268
; TotalNumSgprs: 18
; NumVgprs: 18
; NumAgprs: 0
; TotalNumVgprs: 18
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 2
; VGPRBlocks: 2
; NumSGPRsForWavesPerEU: 18
; NumVGPRsForWavesPerEU: 18
; AccumOffset: 20
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 4
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
	.ident	"Debian clang version 22.1.8 (1~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
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
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 32
    .max_flat_workgroup_size: 1024
    .name:           sparse
    .private_segment_fixed_size: 0
    .sgpr_count:     18
    .sgpr_spill_count: 0
    .symbol:         sparse.kd
    .uses_dynamic_stack: false
    .vgpr_count:     18
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx950
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
