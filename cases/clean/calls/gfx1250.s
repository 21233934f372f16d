	.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
	.amdhsa_code_object_version 6
	.text
	.hidden	fibonacci                       ; -- Begin function fibonacci
	.globl	fibonacci
	.p2align	2
	.type	fibonacci,@function
fibonacci:                              ; @fibonacci
; %bb.0:
	s_wait_loadcnt_dscnt 0x0
	s_wait_kmcnt 0x0
	v_mov_b32_e32 v1, 0
	s_mov_b32 s0, exec_lo
	v_cmpx_lt_i32_e32 0, v0
	s_cbranch_execz .LBB0_4
; %bb.1:
	s_mov_b32 s2, 1
	s_mov_b32 s3, 0
	s_mov_b32 s1, 0
.LBB0_2:                                ; =>This Inner Loop Header: Depth=1
	v_dual_mov_b32 v1, s2 :: v_dual_add_nc_u32 v0, -1, v0
	s_add_co_i32 s4, s3, s2
	s_mov_b32 s3, s2
	s_mov_b32 s2, s4
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	v_cmp_eq_u32_e32 vcc_lo, 0, v0
	s_or_b32 s1, vcc_lo, s1
	s_and_not1_b32 exec_lo, exec_lo, s1
	s_cbranch_execnz .LBB0_2
; %bb.3:
	s_or_b32 exec_lo, exec_lo, s1
.LBB0_4:
	s_delay_alu instid0(SALU_CYCLE_1)
	s_or_b32 exec_lo, exec_lo, s0
	v_mov_b32_e32 v0, v1
	s_set_pc_i64 s[30:31]
.Lfunc_end0:
	.size	fibonacci, .Lfunc_end0-fibonacci
                                        ; -- End function
	.set fibonacci.num_vgpr, 2
	.set fibonacci.num_agpr, 0
	.set fibonacci.numbered_sgpr, 32
	.set fibonacci.num_named_barrier, 0
	.set fibonacci.private_seg_size, 0
	.set fibonacci.uses_vcc, 1
	.set fibonacci.uses_flat_scratch, 0
	.set fibonacci.has_dyn_sized_stack, 0
	.set fibonacci.has_recursion, 0
	.set fibonacci.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Function info:
; codeLenInByte = 96
; TotalNumSgprs: 34
; NumVgprs: 2
; ScratchSize: 0
; MemoryBound: 0
	.text
	.hidden	recursive                       ; -- Begin function recursive
	.globl	recursive
	.p2align	2
	.type	recursive,@function
recursive:                              ; @recursive
; %bb.0:
	s_wait_loadcnt_dscnt 0x0
	s_wait_kmcnt 0x0
	s_mov_b32 s0, s33
	s_mov_b32 s33, s32
	s_or_saveexec_b32 s1, -1
	scratch_store_b32 off, v42, s33 offset:8 ; 4-byte Folded Spill
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s1
	v_writelane_b32 v42, s0, 3
	v_dual_mov_b32 v1, v0 :: v_dual_mov_b32 v0, 1
	s_add_co_i32 s32, s32, 16
	s_clause 0x1                            ; 8-byte Folded Spill
	scratch_store_b32 off, v40, s33 offset:4
	scratch_store_b32 off, v41, s33
	v_writelane_b32 v42, s30, 0
	v_writelane_b32 v42, s31, 1
	v_writelane_b32 v42, s34, 2
	s_mov_b32 s34, exec_lo
	s_wait_xcnt 0x0
	v_cmpx_lt_i32_e32 1, v1
	s_cbranch_execz .LBB1_2
; %bb.1:
	v_dual_add_nc_u32 v0, -1, v1 :: v_dual_bitop2_b32 v40, 7, v1 bitop3:0x40
	s_get_pc_i64 s[0:1]
	s_add_nc_u64 s[0:1], s[0:1], recursive@rel64+4
	v_mov_b32_e32 v41, v1
	s_swap_pc_i64 s[30:31], s[0:1]
	v_dual_mov_b32 v2, v0 :: v_dual_mov_b32 v0, v40
	s_get_pc_i64 s[0:1]
	s_add_nc_u64 s[0:1], s[0:1], fibonacci@rel64+4
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	s_swap_pc_i64 s[30:31], s[0:1]
	v_mad_u32 v0, v0, v41, v2
.LBB1_2:
	s_or_b32 exec_lo, exec_lo, s34
	s_clause 0x1                            ; 8-byte Folded Reload
	scratch_load_b32 v41, off, s33
	scratch_load_b32 v40, off, s33 offset:4
	v_readlane_b32 s34, v42, 2
	v_readlane_b32 s31, v42, 1
	v_readlane_b32 s30, v42, 0
	s_mov_b32 s32, s33
	v_readlane_b32 s0, v42, 3
	s_wait_xcnt 0x0
	s_or_saveexec_b32 s1, -1
	scratch_load_b32 v42, off, s33 offset:8 ; 4-byte Folded Reload
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s1
	s_mov_b32 s33, s0
	s_wait_loadcnt 0x0
	s_set_pc_i64 s[30:31]
.Lfunc_end1:
	.size	recursive, .Lfunc_end1-recursive
                                        ; -- End function
	.set recursive.num_vgpr, max(43, fibonacci.num_vgpr)
	.set recursive.num_agpr, max(0, fibonacci.num_agpr)
	.set recursive.numbered_sgpr, max(35, fibonacci.numbered_sgpr)
	.set recursive.num_named_barrier, max(0, fibonacci.num_named_barrier)
	.set recursive.private_seg_size, 16+max(fibonacci.private_seg_size)
	.set recursive.uses_vcc, or(1, fibonacci.uses_vcc)
	.set recursive.uses_flat_scratch, or(1, fibonacci.uses_flat_scratch)
	.set recursive.has_dyn_sized_stack, or(0, fibonacci.has_dyn_sized_stack)
	.set recursive.has_recursion, or(1, fibonacci.has_recursion)
	.set recursive.has_indirect_call, or(0, fibonacci.has_indirect_call)
	.section	.AMDGPU.csdata,"",@progbits
; Function info:
; codeLenInByte = 316
; TotalNumSgprs: 37
; NumVgprs: 43
; ScratchSize: 16
; MemoryBound: 0
	.text
	.hidden	twice                           ; -- Begin function twice
	.globl	twice
	.p2align	2
	.type	twice,@function
twice:                                  ; @twice
; %bb.0:
	s_wait_loadcnt_dscnt 0x0
	s_wait_kmcnt 0x0
	v_lshlrev_b32_e32 v0, 1, v0
	s_set_pc_i64 s[30:31]
.Lfunc_end2:
	.size	twice, .Lfunc_end2-twice
                                        ; -- End function
	.set twice.num_vgpr, 1
	.set twice.num_agpr, 0
	.set twice.numbered_sgpr, 32
	.set twice.num_named_barrier, 0
	.set twice.private_seg_size, 0
	.set twice.uses_vcc, 0
	.set twice.uses_flat_scratch, 0
	.set twice.has_dyn_sized_stack, 0
	.set twice.has_recursion, 0
	.set twice.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Function info:
; codeLenInByte = 16
; TotalNumSgprs: 32
; NumVgprs: 1
; ScratchSize: 0
; MemoryBound: 0
	.text
	.protected	calls                   ; -- Begin function calls
	.globl	calls
	.p2align	8
	.type	calls,@function
calls:                                  ; @calls
; %bb.0:
	s_mov_b32 s32, 0
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
	s_load_b96 s[52:54], s[4:5], 0x0
	s_mov_b64 s[50:51], s[0:1]
	s_bfe_u32 s0, ttmp6, 0x4000c
	v_mov_b32_e32 v40, v0
	s_add_co_i32 s0, s0, 1
	s_and_b32 s1, ttmp6, 15
	s_mul_i32 s0, ttmp9, s0
	s_mov_b64 s[48:49], s[2:3]
	s_getreg_b32 s2, hwreg(HW_REG_IB_STS2, 6, 4)
	s_add_co_i32 s1, s1, s0
	v_and_b32_e32 v0, 0x3ff, v40
	v_and_b32_e32 v41, 7, v40
	s_cmp_eq_u32 s2, 0
	s_mov_b64 s[36:37], s[6:7]
	s_cselect_b32 s35, ttmp9, s1
	s_get_pc_i64 s[0:1]
	s_add_nc_u64 s[0:1], s[0:1], recursive@rel64+4
	v_lshl_add_u32 v43, s35, 6, v0
	v_mov_b32_e32 v0, v41
	s_mov_b64 s[38:39], s[4:5]
	s_swap_pc_i64 s[30:31], s[0:1]
	s_get_pc_i64 s[0:1]
	s_add_nc_u64 s[0:1], s[0:1], table@rel64+4
	s_and_b32 s2, s35, 1
	global_load_b32 v41, v41, s[0:1] scale_offset
	s_wait_xcnt 0x0
	s_get_pc_i64 s[0:1]
	s_add_nc_u64 s[0:1], s[0:1], operations@rel64+4
	v_dual_mov_b32 v42, v0 :: v_dual_bitop2_b32 v0, 15, v40 bitop3:0x40
	s_load_b64 s[0:1], s[0:1], s2 offset:0x0 scale_offset
	v_mov_b32_e32 v31, v40
	s_add_nc_u64 s[8:9], s[38:39], 16
	s_mov_b64 s[4:5], s[50:51]
	s_mov_b64 s[6:7], s[48:49]
	s_mov_b64 s[10:11], s[36:37]
	s_wait_kmcnt 0x0
	s_swap_pc_i64 s[30:31], s[0:1]
	v_and_b32_e32 v1, 63, v40
	s_get_pc_i64 s[0:1]
	s_add_nc_u64 s[0:1], s[0:1], zeros@rel64+4
	v_add3_u32 v2, v42, s54, v41
	global_load_b32 v1, v1, s[0:1] scale_offset
	s_wait_loadcnt 0x0
	v_add3_u32 v0, v2, v0, v1
	global_store_b32 v43, v0, s[52:53] scale_offset
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel calls
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 16
		.amdhsa_kernarg_size 272
		.amdhsa_user_sgpr_count 8
		.amdhsa_user_sgpr_dispatch_ptr 1
		.amdhsa_user_sgpr_queue_ptr 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 1
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_wavefront_size32 1
		.amdhsa_uses_dynamic_stack 1
		.amdhsa_enable_private_segment 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 2
		.amdhsa_next_free_vgpr max(totalnumvgprs(calls.num_agpr, calls.num_vgpr), 1, 0)
		.amdhsa_next_free_sgpr max(calls.numbered_sgpr+2, 1, 0)-2
		.amdhsa_named_barrier_count (((((alignto(calls.num_named_barrier, 4)/4)<<14)&~4080)|48)&114688)>>14
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_fp16_overflow 0
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_inst_pref_size 3
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
.Lfunc_end3:
	.size	calls, .Lfunc_end3-calls
                                        ; -- End function
	.set calls.num_vgpr, max(44, amdgpu.max_num_vgpr)
	.set calls.num_agpr, max(0, amdgpu.max_num_agpr)
	.set calls.numbered_sgpr, max(55, amdgpu.max_num_sgpr)
	.set calls.num_named_barrier, max(0, amdgpu.max_num_named_barrier)
	.set calls.private_seg_size, 0+max(recursive.private_seg_size)
	.set calls.uses_vcc, 1
	.set calls.uses_flat_scratch, 1
	.set calls.has_dyn_sized_stack, 1
	.set calls.has_recursion, 1
	.set calls.has_indirect_call, 1
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 288
; TotalNumSgprs: calls.numbered_sgpr+2
; NumVgprs: calls.num_vgpr
; ScratchSize: 16
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: (alignto(max(max(totalnumvgprs(calls.num_agpr, calls.num_vgpr), 1, 0), 1), 16)/16)-1
; NumSGPRsForWavesPerEU: max(calls.numbered_sgpr+2, 1, 0)
; NumVGPRsForWavesPerEU: max(totalnumvgprs(calls.num_agpr, calls.num_vgpr), 1, 0)
; NamedBarCnt: alignto(calls.num_named_barrier, 4)/4
; Occupancy: occupancy(16, 16, 1024, 11, 16, max(calls.numbered_sgpr+extrasgprs(calls.uses_vcc, calls.uses_flat_scratch, 1), 1, 0), max(totalnumvgprs(calls.num_agpr, calls.num_vgpr), 1, 0))
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
; COMPUTE_PGM_RSRC2:USER_SGPR: 8
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 1
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 2
	.text
	.p2alignl 7, 3214868480
	.fill 96, 4, 3214868480
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 43
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 35
	.set amdgpu.max_num_named_barrier, 0
	.text
	.hidden	operations                      ; @operations
	.type	operations,@object
	.data
	.globl	operations
	.p2align	3, 0x0
operations:
	.quad	fibonacci
	.quad	twice
	.size	operations, 16

	.hidden	table                           ; @table
	.type	table,@object
	.section	.rodata,"a",@progbits
	.globl	table
	.p2align	2, 0x0
table:
	.long	3                               ; 0x3
	.long	1                               ; 0x1
	.long	4                               ; 0x4
	.long	1                               ; 0x1
	.long	5                               ; 0x5
	.long	9                               ; 0x9
	.long	2                               ; 0x2
	.long	6                               ; 0x6
	.size	table, 32

	.hidden	zeros                           ; @zeros
	.type	zeros,@object
	.section	.bss,"aw",@nobits
	.globl	zeros
	.p2align	2, 0x0
zeros:
	.zero	400
	.size	zeros, 400

	.ident	"Debian clang version 22.1.8 (1~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym fibonacci
	.addrsig_sym twice
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .offset:         8
        .size:           4
        .value_kind:     by_value
      - .offset:         16
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         20
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         24
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         28
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         30
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         32
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         34
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         36
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         38
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         56
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         64
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         80
        .size:           2
        .value_kind:     hidden_grid_dims
      - .offset:         96
        .size:           8
        .value_kind:     hidden_hostcall_buffer
      - .offset:         104
        .size:           8
        .value_kind:     hidden_multigrid_sync_arg
      - .offset:         112
        .size:           8
        .value_kind:     hidden_heap_v1
      - .offset:         120
        .size:           8
        .value_kind:     hidden_default_queue
      - .offset:         128
        .size:           8
        .value_kind:     hidden_completion_action
      - .offset:         216
        .size:           8
        .value_kind:     hidden_queue_ptr
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 272
    .max_flat_workgroup_size: 1024
    .name:           calls
    .private_segment_fixed_size: 16
    .sgpr_count:     57
    .sgpr_spill_count: 0
    .symbol:         calls.kd
    .uses_dynamic_stack: true
    .vgpr_count:     44
    .vgpr_spill_count: 0
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--gfx1250
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
