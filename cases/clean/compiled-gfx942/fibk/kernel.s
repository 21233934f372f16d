	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 6
	.text
	.p2align	2                               ; -- Begin function fib
	.type	fib,@function
fib:                                    ; @fib
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_mov_b32 s0, s33
	s_mov_b32 s33, s32
	s_or_saveexec_b64 s[2:3], -1
	scratch_store_dword off, v42, s33 offset:8 ; 4-byte Folded Spill
	s_mov_b64 exec, s[2:3]
	v_writelane_b32 v42, s0, 6
	v_writelane_b32 v42, s30, 0
	v_writelane_b32 v42, s31, 1
	v_writelane_b32 v42, s34, 2
	v_writelane_b32 v42, s35, 3
	scratch_store_dword off, v40, s33 offset:4 ; 4-byte Folded Spill
	scratch_store_dword off, v41, s33       ; 4-byte Folded Spill
	v_writelane_b32 v42, s36, 4
	v_cmp_lt_u32_e32 vcc, 1, v0
	v_mov_b32_e32 v40, 0
	s_add_i32 s32, s32, 16
	v_writelane_b32 v42, s37, 5
	s_and_saveexec_b64 s[34:35], vcc
	s_cbranch_execz .LBB0_4
	s_mov_b64 s[36:37], 0
	v_mov_b32_e32 v40, 0
.LBB0_2:                                ; =>This Inner Loop Header: Depth=1
	v_add_u32_e32 v41, -2, v0
	v_add_u32_e32 v0, -1, v0
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, fib@rel32@lo+4
	s_addc_u32 s1, s1, fib@rel32@hi+12
	s_swappc_b64 s[30:31], s[0:1]
	v_cmp_gt_u32_e32 vcc, 2, v41
	v_add_u32_e32 v40, v0, v40
	s_or_b64 s[36:37], vcc, s[36:37]
	v_mov_b32_e32 v0, v41
	s_andn2_b64 exec, exec, s[36:37]
	s_cbranch_execnz .LBB0_2
	s_or_b64 exec, exec, s[36:37]
	v_mov_b32_e32 v0, v41
.LBB0_4:                                ; %Flow2
	s_or_b64 exec, exec, s[34:35]
	v_add_u32_e32 v0, v0, v40
	scratch_load_dword v41, off, s33        ; 4-byte Folded Reload
	scratch_load_dword v40, off, s33 offset:4 ; 4-byte Folded Reload
	v_readlane_b32 s37, v42, 5
	v_readlane_b32 s36, v42, 4
	v_readlane_b32 s35, v42, 3
	v_readlane_b32 s34, v42, 2
	v_readlane_b32 s31, v42, 1
	v_readlane_b32 s30, v42, 0
	s_mov_b32 s32, s33
	v_readlane_b32 s0, v42, 6
	s_or_saveexec_b64 s[2:3], -1
	scratch_load_dword v42, off, s33 offset:8 ; 4-byte Folded Reload
	s_mov_b64 exec, s[2:3]
	s_mov_b32 s33, s0
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
.Lfunc_end0:
	.size	fib, .Lfunc_end0-fib
                                        ; -- End function
	.set .Lfib.num_vgpr, 43
	.set .Lfib.num_agpr, 0
	.set .Lfib.numbered_sgpr, 38
	.set .Lfib.num_named_barrier, 0
	.set .Lfib.private_seg_size, 16
	.set .Lfib.uses_vcc, 1
	.set .Lfib.uses_flat_scratch, 0
	.set .Lfib.has_dyn_sized_stack, 0
	.set .Lfib.has_recursion, 1
	.set .Lfib.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.protected	fibk                    ; -- Begin function fibk
	.globl	fibk
	.p2align	8
	.type	fibk,@function
fibk:                                   ; @fibk
	s_load_dword s3, s[0:1], 0x18
	v_lshl_add_u32 v0, s2, 6, v0
	s_mov_b32 s32, 0
	s_waitcnt lgkmcnt(0)
	v_cmp_gt_i32_e32 vcc, s3, v0
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB1_2
	s_load_dwordx2 s[2:3], s[0:1], 0x0
	s_load_dwordx2 s[38:39], s[0:1], 0x10
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshlrev_b64 v[40:41], 2, v[0:1]
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, fib@rel32@lo+4
	s_addc_u32 s1, s1, fib@rel32@hi+12
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[0:1], s[2:3], 0, v[40:41]
	global_load_dword v0, v[0:1], off
	s_waitcnt vmcnt(0)
	v_and_b32_e32 v0, 7, v0
	s_swappc_b64 s[30:31], s[0:1]
	v_lshl_add_u64 v[2:3], s[38:39], 0, v[40:41]
	global_store_dword v[2:3], v0, off
.LBB1_2:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel fibk
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 16
		.amdhsa_kernarg_size 28
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 1
		.amdhsa_enable_private_segment 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 43
		.amdhsa_next_free_sgpr 40
		.amdhsa_accum_offset 44
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
.Lfunc_end1:
	.size	fibk, .Lfunc_end1-fibk
                                        ; -- End function
	.set fibk.num_vgpr, max(42, .Lfib.num_vgpr)
	.set fibk.num_agpr, max(0, .Lfib.num_agpr)
	.set fibk.numbered_sgpr, max(40, .Lfib.numbered_sgpr)
	.set fibk.num_named_barrier, max(0, .Lfib.num_named_barrier)
	.set fibk.private_seg_size, 0+max(.Lfib.private_seg_size)
	.set fibk.uses_vcc, or(1, .Lfib.uses_vcc)
	.set fibk.uses_flat_scratch, or(0, .Lfib.uses_flat_scratch)
	.set fibk.has_dyn_sized_stack, or(0, .Lfib.has_dyn_sized_stack)
	.set fibk.has_recursion, or(1, .Lfib.has_recursion)
	.set fibk.has_indirect_call, or(0, .Lfib.has_indirect_call)
	.section	.AMDGPU.csdata,"",@progbits
	.text
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 43
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 38
	.set amdgpu.max_num_named_barrier, 0
	.text
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
      - .offset:         24
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 28
    .max_flat_workgroup_size: 1024
    .name:           fibk
    .private_segment_fixed_size: 16
    .sgpr_count:     46
    .sgpr_spill_count: 0
    .symbol:         fibk.kd
    .uses_dynamic_stack: true
    .vgpr_count:     43
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
