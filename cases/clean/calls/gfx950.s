	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.amdhsa_code_object_version 6
	.text
	.hidden	fibonacci                       ; -- Begin function fibonacci
	.globl	fibonacci
	.p2align	2
	.type	fibonacci,@function
fibonacci:                              ; @fibonacci
; %bb.0:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_cmp_lt_i32_e32 vcc, 0, v0
	v_mov_b32_e32 v1, 0
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_4
; %bb.1:
	s_mov_b32 s4, 1
	s_mov_b32 s5, 0
	s_mov_b64 s[2:3], 0
.LBB0_2:                                ; =>This Inner Loop Header: Depth=1
	v_add_u32_e32 v0, -1, v0
	s_add_i32 s6, s5, s4
	v_cmp_eq_u32_e32 vcc, 0, v0
	v_mov_b32_e32 v1, s4
	s_mov_b32 s5, s4
	s_or_b64 s[2:3], vcc, s[2:3]
	s_mov_b32 s4, s6
	s_andn2_b64 exec, exec, s[2:3]
	s_cbranch_execnz .LBB0_2
; %bb.3:
	s_or_b64 exec, exec, s[2:3]
.LBB0_4:
	s_or_b64 exec, exec, s[0:1]
	v_mov_b32_e32 v0, v1
	s_setpc_b64 s[30:31]
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
; codeLenInByte = 84
; TotalNumSgprs: 38
; NumVgprs: 2
; NumAgprs: 0
; TotalNumVgprs: 2
; ScratchSize: 0
; MemoryBound: 0
	.text
	.hidden	recursive                       ; -- Begin function recursive
	.globl	recursive
	.p2align	2
	.type	recursive,@function
recursive:                              ; @recursive
; %bb.0:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_mov_b32 s0, s33
	s_mov_b32 s33, s32
	s_or_saveexec_b64 s[2:3], -1
	scratch_store_dword off, v42, s33 offset:8 ; 4-byte Folded Spill
	s_mov_b64 exec, s[2:3]
	v_writelane_b32 v42, s0, 4
	v_writelane_b32 v42, s30, 0
	scratch_store_dword off, v40, s33 offset:4 ; 4-byte Folded Spill
	scratch_store_dword off, v41, s33       ; 4-byte Folded Spill
	v_writelane_b32 v42, s31, 1
	v_mov_b32_e32 v40, v0
	v_writelane_b32 v42, s34, 2
	v_cmp_lt_i32_e32 vcc, 1, v40
	v_mov_b32_e32 v0, 1
	s_add_i32 s32, s32, 16
	v_writelane_b32 v42, s35, 3
	s_and_saveexec_b64 s[34:35], vcc
	s_cbranch_execz .LBB1_2
; %bb.1:
	v_add_u32_e32 v0, -1, v40
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, recursive@rel32@lo+4
	s_addc_u32 s1, s1, recursive@rel32@hi+12
	v_and_b32_e32 v41, 7, v40
	s_swappc_b64 s[30:31], s[0:1]
	v_mov_b32_e32 v2, v0
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, fibonacci@rel32@lo+4
	s_addc_u32 s1, s1, fibonacci@rel32@hi+12
	v_mov_b32_e32 v0, v41
	s_swappc_b64 s[30:31], s[0:1]
	v_mad_u64_u32 v[0:1], s[0:1], v0, v40, v[2:3]
.LBB1_2:
	s_or_b64 exec, exec, s[34:35]
	scratch_load_dword v41, off, s33        ; 4-byte Folded Reload
	scratch_load_dword v40, off, s33 offset:4 ; 4-byte Folded Reload
	v_readlane_b32 s35, v42, 3
	v_readlane_b32 s34, v42, 2
	v_readlane_b32 s31, v42, 1
	v_readlane_b32 s30, v42, 0
	s_mov_b32 s32, s33
	v_readlane_b32 s0, v42, 4
	s_or_saveexec_b64 s[2:3], -1
	scratch_load_dword v42, off, s33 offset:8 ; 4-byte Folded Reload
	s_mov_b64 exec, s[2:3]
	s_mov_b32 s33, s0
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
.Lfunc_end1:
	.size	recursive, .Lfunc_end1-recursive
                                        ; -- End function
	.set recursive.num_vgpr, max(43, fibonacci.num_vgpr)
	.set recursive.num_agpr, max(0, fibonacci.num_agpr)
	.set recursive.numbered_sgpr, max(36, fibonacci.numbered_sgpr)
	.set recursive.num_named_barrier, max(0, fibonacci.num_named_barrier)
	.set recursive.private_seg_size, 16+max(fibonacci.private_seg_size)
	.set recursive.uses_vcc, or(1, fibonacci.uses_vcc)
	.set recursive.uses_flat_scratch, or(0, fibonacci.uses_flat_scratch)
	.set recursive.has_dyn_sized_stack, or(0, fibonacci.has_dyn_sized_stack)
	.set recursive.has_recursion, or(1, fibonacci.has_recursion)
	.set recursive.has_indirect_call, or(0, fibonacci.has_indirect_call)
	.section	.AMDGPU.csdata,"",@progbits
; Function info:
; codeLenInByte = 272
; TotalNumSgprs: 42
; NumVgprs: 43
; NumAgprs: 0
; TotalNumVgprs: 43
; ScratchSize: 16
; MemoryBound: 0
	.text
	.hidden	twice                           ; -- Begin function twice
	.globl	twice
	.p2align	2
	.type	twice,@function
twice:                                  ; @twice
; %bb.0:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_lshlrev_b32_e32 v0, 1, v0
	s_setpc_b64 s[30:31]
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
; codeLenInByte = 12
; TotalNumSgprs: 38
; NumVgprs: 1
; NumAgprs: 0
; TotalNumVgprs: 1
; ScratchSize: 0
; MemoryBound: 0
	.text
	.protected	calls                   ; -- Begin function calls
	.globl	calls
	.p2align	8
	.type	calls,@function
calls:                                  ; @calls
; %bb.0:
	s_load_dwordx2 s[64:65], s[4:5], 0x0
	s_load_dword s55, s[4:5], 0x8
	v_mov_b32_e32 v40, v0
	s_mov_b32 s54, s8
	v_and_b32_e32 v0, 0x3ff, v40
	v_and_b32_e32 v41, 7, v40
	s_mov_b64 s[50:51], s[0:1]
	v_lshl_add_u32 v44, s54, 6, v0
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, recursive@rel32@lo+4
	s_addc_u32 s1, s1, recursive@rel32@hi+12
	v_mov_b32_e32 v0, v41
	s_mov_b32 s32, 0
	s_mov_b32 s52, s10
	s_mov_b32 s53, s9
	s_mov_b64 s[36:37], s[6:7]
	s_mov_b64 s[38:39], s[4:5]
	s_mov_b64 s[48:49], s[2:3]
	s_swappc_b64 s[30:31], s[0:1]
	v_mov_b32_e32 v42, v0
	v_lshlrev_b32_e32 v0, 2, v41
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, table@rel32@lo+4
	s_addc_u32 s1, s1, table@rel32@hi+12
	global_load_dword v41, v0, s[0:1]
	s_and_b32 s0, s54, 1
	s_lshl_b32 s2, s0, 3
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, operations@rel32@lo+4
	s_addc_u32 s1, s1, operations@rel32@hi+12
	s_load_dwordx2 s[0:1], s[0:1], s2 offset:0x0
	s_add_u32 s8, s38, 16
	v_and_b32_e32 v0, 15, v40
	s_addc_u32 s9, s39, 0
	s_mov_b64 s[4:5], s[50:51]
	s_mov_b64 s[6:7], s[48:49]
	s_mov_b64 s[10:11], s[36:37]
	s_mov_b32 s12, s54
	s_mov_b32 s13, s53
	s_mov_b32 s14, s52
	v_mov_b32_e32 v31, v40
	s_waitcnt lgkmcnt(0)
	s_swappc_b64 s[30:31], s[0:1]
	v_and_b32_e32 v1, 63, v40
	v_lshlrev_b32_e32 v1, 2, v1
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, zeros@rel32@lo+4
	s_addc_u32 s1, s1, zeros@rel32@hi+12
	global_load_dword v1, v1, s[0:1]
	v_add3_u32 v2, v42, s55, v41
	v_ashrrev_i32_e32 v45, 31, v44
	s_waitcnt vmcnt(0)
	v_add3_u32 v2, v2, v0, v1
	v_lshl_add_u64 v[0:1], v[44:45], 2, s[64:65]
	global_store_dword v[0:1], v2, off
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
		.amdhsa_uses_dynamic_stack 1
		.amdhsa_enable_private_segment 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 2
		.amdhsa_next_free_vgpr max(totalnumvgprs(calls.num_agpr, calls.num_vgpr), 1, 0)
		.amdhsa_next_free_sgpr max(calls.numbered_sgpr+6, 1, 0)-6
		.amdhsa_accum_offset (((((alignto(max(1, calls.num_vgpr), 4)/4)-1)&~65536)&63)+1)*4
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
.Lfunc_end3:
	.size	calls, .Lfunc_end3-calls
                                        ; -- End function
	.set calls.num_vgpr, max(46, amdgpu.max_num_vgpr)
	.set calls.num_agpr, max(0, amdgpu.max_num_agpr)
	.set calls.numbered_sgpr, max(66, amdgpu.max_num_sgpr)
	.set calls.num_named_barrier, max(0, amdgpu.max_num_named_barrier)
	.set calls.private_seg_size, 0+max(recursive.private_seg_size)
	.set calls.uses_vcc, 1
	.set calls.uses_flat_scratch, 1
	.set calls.has_dyn_sized_stack, 1
	.set calls.has_recursion, 1
	.set calls.has_indirect_call, 1
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 300
; TotalNumSgprs: calls.numbered_sgpr+6
; NumVgprs: calls.num_vgpr
; NumAgprs: calls.num_agpr
; TotalNumVgprs: totalnumvgprs(calls.num_agpr, calls.num_vgpr)
; ScratchSize: 16
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: (alignto(max(max(calls.numbered_sgpr+extrasgprs(calls.uses_vcc, calls.uses_flat_scratch, 1), 1, 0), 1), 8)/8)-1
; VGPRBlocks: (alignto(max(max(totalnumvgprs(calls.num_agpr, calls.num_vgpr), 1, 0), 1), 8)/8)-1
; NumSGPRsForWavesPerEU: max(calls.numbered_sgpr+6, 1, 0)
; NumVGPRsForWavesPerEU: max(totalnumvgprs(calls.num_agpr, calls.num_vgpr), 1, 0)
; AccumOffset: ((alignto(max(1, calls.num_vgpr), 4)/4)-1+1)*4
; Occupancy: occupancy(8, 8, 512, 8, 8, max(calls.numbered_sgpr+extrasgprs(calls.uses_vcc, calls.uses_flat_scratch, 1), 1, 0), max(totalnumvgprs(calls.num_agpr, calls.num_vgpr), 1, 0))
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
; COMPUTE_PGM_RSRC2:USER_SGPR: 8
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 1
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 2
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: (((alignto(max(1, calls.num_vgpr), 4)/4)-1)&~65536)&63
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 43
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 36
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
  - .agpr_count:     0
    .args:
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
    .sgpr_count:     72
    .sgpr_spill_count: 0
    .symbol:         calls.kd
    .uses_dynamic_stack: true
    .vgpr_count:     46
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx950
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
