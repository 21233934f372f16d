	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.text
	.p2align	6                               ; -- Begin function calls.rowsum__Pfp32_i32_c256
	.type	calls.rowsum__Pfp32_i32_c256,@function
calls.rowsum__Pfp32_i32_c256:           ; @calls.rowsum__Pfp32_i32_c256
; %bb.0:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_and_b32_e32 v5, 0x3ff, v31
	v_mov_b32_e32 v4, v2
	v_readfirstlane_b32 s0, v5
	s_and_b32 s3, s0, 0xc0
	v_and_or_b32 v6, v31, 63, s3
	v_lshlrev_b32_e32 v7, 2, v6
	v_bfrev_b32_e32 v8, 1
	v_cmp_lt_i32_e32 vcc, v6, v4
	s_mov_b32 s2, s15
	v_and_b32_e32 v1, 0xffff, v1
	v_mov_b32_e32 v3, 0x27000
	v_mov_b32_e32 v2, 0x7ffffffe
	v_cndmask_b32_e32 v4, v8, v7, vcc
	s_mov_b64 s[8:9], exec
.LBB0_1:                                ; =>This Inner Loop Header: Depth=1
	v_readfirstlane_b32 s4, v0
	v_readfirstlane_b32 s5, v1
	v_readfirstlane_b32 s6, v2
	v_readfirstlane_b32 s7, v3
	v_cmp_eq_u64_e32 vcc, s[4:5], v[0:1]
	s_nop 0
	v_cmp_eq_u64_e64 s[0:1], s[6:7], v[2:3]
	s_and_b64 s[0:1], vcc, s[0:1]
	s_and_saveexec_b64 s[0:1], s[0:1]
	buffer_load_dword v6, v4, s[4:7], 0 offen
                                        ; implicit-def: $vgpr0_vgpr1_vgpr2_vgpr3
                                        ; implicit-def: $vgpr4
	s_xor_b64 exec, exec, s[0:1]
	s_cbranch_execnz .LBB0_1
; %bb.2:
	s_mov_b64 exec, s[8:9]
	s_lshr_b32 s4, s3, 4
	s_ashr_i32 s3, s2, 31
	s_lshl_b64 s[0:1], s[2:3], 2
	s_waitcnt vmcnt(0)
	v_add_f32_dpp v0, v6, v6 row_shr:8 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_getpc_b64 s[2:3]
	s_add_u32 s2, s2, llvm.amdgcn.dynlds.offset.table@rel32@lo+4
	s_addc_u32 s3, s3, llvm.amdgcn.dynlds.offset.table@rel32@hi+12
	v_add_f32_dpp v0, v0, v0 row_shr:4 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_add_u32 s0, s2, s0
	s_addc_u32 s1, s3, s1
	v_add_f32_dpp v0, v0, v0 row_shr:2 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_load_dword s0, s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
	s_add_i32 s2, s0, s4
	v_add_f32_dpp v0, v0, v0 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
	v_mov_b32_e32 v1, v0
	s_nop 1
	v_mov_b32_dpp v1, v1 row_bcast:15 row_mask:0xa bank_mask:0xf bound_ctrl:1
	v_add_f32_e32 v0, v1, v0
	s_nop 1
	v_add_f32_dpp v0, v0, v0 row_bcast:31 row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_nop 0
	v_readlane_b32 s1, v0, 63
	v_mov_b32_e32 v0, s2
	s_nop 0
	v_mov_b32_e32 v1, s1
	ds_write_b32 v0, v1
	v_lshlrev_b32_e32 v0, 2, v5
	v_and_b32_e32 v0, 12, v0
	v_add_u32_e32 v0, s0, v0
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b32 v0, v0
	s_waitcnt lgkmcnt(0)
	s_nop 0
	v_add_f32_dpp v0, v0, v0 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_nop 1
	v_add_f32_dpp v0, v0, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
	s_setpc_b64 s[30:31]
.Lfunc_end0:
	.size	calls.rowsum__Pfp32_i32_c256, .Lfunc_end0-calls.rowsum__Pfp32_i32_c256
                                        ; -- End function
	.set .Lcalls.rowsum__Pfp32_i32_c256.num_vgpr, 32
	.set .Lcalls.rowsum__Pfp32_i32_c256.num_agpr, 0
	.set .Lcalls.rowsum__Pfp32_i32_c256.numbered_sgpr, 32
	.set .Lcalls.rowsum__Pfp32_i32_c256.num_named_barrier, 0
	.set .Lcalls.rowsum__Pfp32_i32_c256.private_seg_size, 0
	.set .Lcalls.rowsum__Pfp32_i32_c256.uses_vcc, 1
	.set .Lcalls.rowsum__Pfp32_i32_c256.uses_flat_scratch, 0
	.set .Lcalls.rowsum__Pfp32_i32_c256.has_dyn_sized_stack, 0
	.set .Lcalls.rowsum__Pfp32_i32_c256.has_recursion, 0
	.set .Lcalls.rowsum__Pfp32_i32_c256.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Function info:
; codeLenInByte = 360
; TotalNumSgprs: 38
; NumVgprs: 32
; NumAgprs: 0
; TotalNumVgprs: 32
; ScratchSize: 0
; MemoryBound: 0
	.text
	.p2align	6                               ; -- Begin function calls.poly__fp32_c0.5
	.type	calls.poly__fp32_c0.5,@function
calls.poly__fp32_c0.5:                  ; @calls.poly__fp32_c0.5
; %bb.0:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_fmaak_f32 v1, 0.5, v0, 0x3fc00000
	v_fma_f32 v0, v0, v1, -0.5
	s_setpc_b64 s[30:31]
.Lfunc_end1:
	.size	calls.poly__fp32_c0.5, .Lfunc_end1-calls.poly__fp32_c0.5
                                        ; -- End function
	.set .Lcalls.poly__fp32_c0.5.num_vgpr, 2
	.set .Lcalls.poly__fp32_c0.5.num_agpr, 0
	.set .Lcalls.poly__fp32_c0.5.numbered_sgpr, 32
	.set .Lcalls.poly__fp32_c0.5.num_named_barrier, 0
	.set .Lcalls.poly__fp32_c0.5.private_seg_size, 0
	.set .Lcalls.poly__fp32_c0.5.uses_vcc, 0
	.set .Lcalls.poly__fp32_c0.5.uses_flat_scratch, 0
	.set .Lcalls.poly__fp32_c0.5.has_dyn_sized_stack, 0
	.set .Lcalls.poly__fp32_c0.5.has_recursion, 0
	.set .Lcalls.poly__fp32_c0.5.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Function info:
; codeLenInByte = 24
; TotalNumSgprs: 38
; NumVgprs: 2
; NumAgprs: 0
; TotalNumVgprs: 2
; ScratchSize: 0
; MemoryBound: 0
	.text
	.p2align	6                               ; -- Begin function calls.poly__fp32_c2.0
	.type	calls.poly__fp32_c2.0,@function
calls.poly__fp32_c2.0:                  ; @calls.poly__fp32_c2.0
; %bb.0:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_fmaak_f32 v1, 2.0, v0, 0x3fc00000
	v_fma_f32 v0, v0, v1, -2.0
	s_setpc_b64 s[30:31]
.Lfunc_end2:
	.size	calls.poly__fp32_c2.0, .Lfunc_end2-calls.poly__fp32_c2.0
                                        ; -- End function
	.set .Lcalls.poly__fp32_c2.0.num_vgpr, 2
	.set .Lcalls.poly__fp32_c2.0.num_agpr, 0
	.set .Lcalls.poly__fp32_c2.0.numbered_sgpr, 32
	.set .Lcalls.poly__fp32_c2.0.num_named_barrier, 0
	.set .Lcalls.poly__fp32_c2.0.private_seg_size, 0
	.set .Lcalls.poly__fp32_c2.0.uses_vcc, 0
	.set .Lcalls.poly__fp32_c2.0.uses_flat_scratch, 0
	.set .Lcalls.poly__fp32_c2.0.has_dyn_sized_stack, 0
	.set .Lcalls.poly__fp32_c2.0.has_recursion, 0
	.set .Lcalls.poly__fp32_c2.0.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Function info:
; codeLenInByte = 24
; TotalNumSgprs: 38
; NumVgprs: 2
; NumAgprs: 0
; TotalNumVgprs: 2
; ScratchSize: 0
; MemoryBound: 0
	.text
	.globl	k                               ; -- Begin function k
	.p2align	8
	.type	k,@function
k:                                      ; @k
; %bb.1:
	s_load_dwordx2 s[2:3], s[0:1], 0x0
	s_load_dwordx8 s[4:11], s[0:1], 0x8
	s_waitcnt lgkmcnt(0)
	s_branch .LBB3_0
	.p2align	8
; %bb.2:
.LBB3_0:
	s_mov_b64 s[10:11], s[4:5]
	v_readfirstlane_b32 s4, v0
	s_and_b32 s4, s4, 0xc0
	v_bfrev_b32_e32 v3, 1
	v_and_or_b32 v1, v0, 63, s4
	s_mul_i32 s4, s6, s12
	s_ashr_i32 s5, s4, 31
	s_lshl_b64 s[12:13], s[4:5], 2
	s_add_u32 s16, s2, s12
	s_addc_u32 s2, s3, s13
	v_lshlrev_b32_e32 v2, 2, v1
	v_cmp_gt_i32_e32 vcc, s6, v1
	s_and_b32 s17, s2, 0xffff
	s_mov_b32 s19, 0x27000
	s_mov_b32 s18, 0x7ffffffe
	v_cndmask_b32_e32 v9, v3, v2, vcc
	buffer_load_dword v10, v9, s[16:19], 0 offen
	s_add_u32 s8, s0, 40
	s_addc_u32 s9, s1, 0
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, calls.rowsum__Pfp32_i32_c256@rel32@lo+4
	s_addc_u32 s1, s1, calls.rowsum__Pfp32_i32_c256@rel32@hi+12
	s_mov_b32 s15, 0
	v_mov_b32_e32 v31, v0
	v_mov_b32_e32 v0, s16
	v_mov_b32_e32 v1, s2
	v_mov_b32_e32 v2, s6
	s_mov_b32 s32, 0
	s_swappc_b64 s[30:31], s[0:1]
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, calls.poly__fp32_c0.5@rel32@lo+4
	s_addc_u32 s1, s1, calls.poly__fp32_c0.5@rel32@hi+12
	s_swappc_b64 s[30:31], s[0:1]
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, calls.poly__fp32_c2.0@rel32@lo+4
	s_addc_u32 s1, s1, calls.poly__fp32_c2.0@rel32@hi+12
	s_swappc_b64 s[30:31], s[0:1]
	s_add_u32 s16, s10, s12
	s_addc_u32 s0, s11, s13
	v_mul_f32_e32 v0, v10, v0
	s_and_b32 s17, s0, 0xffff
	buffer_store_dword v0, v9, s[16:19], 0 offen
	s_endpgm
.Lfunc_end3:
	.size	k, .Lfunc_end3-k
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 296
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
		.amdhsa_next_free_vgpr 32
		.amdhsa_next_free_sgpr 33
		.amdhsa_accum_offset 32
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
	.set .Lk.num_vgpr, max(32, .Lcalls.rowsum__Pfp32_i32_c256.num_vgpr, .Lcalls.poly__fp32_c0.5.num_vgpr, .Lcalls.poly__fp32_c2.0.num_vgpr)
	.set .Lk.num_agpr, max(0, .Lcalls.rowsum__Pfp32_i32_c256.num_agpr, .Lcalls.poly__fp32_c0.5.num_agpr, .Lcalls.poly__fp32_c2.0.num_agpr)
	.set .Lk.numbered_sgpr, max(33, .Lcalls.rowsum__Pfp32_i32_c256.numbered_sgpr, .Lcalls.poly__fp32_c0.5.numbered_sgpr, .Lcalls.poly__fp32_c2.0.numbered_sgpr)
	.set .Lk.num_named_barrier, max(0, .Lcalls.rowsum__Pfp32_i32_c256.num_named_barrier, .Lcalls.poly__fp32_c0.5.num_named_barrier, .Lcalls.poly__fp32_c2.0.num_named_barrier)
	.set .Lk.private_seg_size, 0+max(.Lcalls.rowsum__Pfp32_i32_c256.private_seg_size, .Lcalls.poly__fp32_c0.5.private_seg_size, .Lcalls.poly__fp32_c2.0.private_seg_size)
	.set .Lk.uses_vcc, or(1, .Lcalls.rowsum__Pfp32_i32_c256.uses_vcc, .Lcalls.poly__fp32_c0.5.uses_vcc, .Lcalls.poly__fp32_c2.0.uses_vcc)
	.set .Lk.uses_flat_scratch, or(0, .Lcalls.rowsum__Pfp32_i32_c256.uses_flat_scratch, .Lcalls.poly__fp32_c0.5.uses_flat_scratch, .Lcalls.poly__fp32_c2.0.uses_flat_scratch)
	.set .Lk.has_dyn_sized_stack, or(0, .Lcalls.rowsum__Pfp32_i32_c256.has_dyn_sized_stack, .Lcalls.poly__fp32_c0.5.has_dyn_sized_stack, .Lcalls.poly__fp32_c2.0.has_dyn_sized_stack)
	.set .Lk.has_recursion, or(0, .Lcalls.rowsum__Pfp32_i32_c256.has_recursion, .Lcalls.poly__fp32_c0.5.has_recursion, .Lcalls.poly__fp32_c2.0.has_recursion)
	.set .Lk.has_indirect_call, or(0, .Lcalls.rowsum__Pfp32_i32_c256.has_indirect_call, .Lcalls.poly__fp32_c0.5.has_indirect_call, .Lcalls.poly__fp32_c2.0.has_indirect_call)
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 484
; TotalNumSgprs: 39
; NumVgprs: 32
; NumAgprs: 0
; TotalNumVgprs: 32
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 4
; VGPRBlocks: 3
; NumSGPRsForWavesPerEU: 39
; NumVGPRsForWavesPerEU: 32
; AccumOffset: 32
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 12
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 7
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 32
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 32
	.set amdgpu.max_num_named_barrier, 0
	.text
	.type	llvm.amdgcn.dynlds.offset.table,@object ; @llvm.amdgcn.dynlds.offset.table
	.section	.data.rel.ro,"aw",@progbits
	.p2align	2, 0x0
llvm.amdgcn.dynlds.offset.table:
	.long	0
	.size	llvm.amdgcn.dynlds.offset.table, 4

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
      - .offset:         16
        .size:           4
        .value_kind:     by_value
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
        .value_kind:     hidden_block_count_x
      - .offset:         44
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         48
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         52
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         54
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         56
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         58
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         60
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         62
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         80
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         88
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         96
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         104
        .size:           2
        .value_kind:     hidden_grid_dims
      - .offset:         160
        .size:           4
        .value_kind:     hidden_dynamic_lds_size
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 296
    .max_flat_workgroup_size: 256
    .name:           k
    .private_segment_fixed_size: 0
    .sgpr_count:     39
    .sgpr_spill_count: 0
    .symbol:         k.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     32
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
