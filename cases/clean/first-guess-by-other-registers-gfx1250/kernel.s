; The load that gives a loop of compare-and-swap its first guess names the place by other registers than the swap.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
	.amdhsa_code_object_version 6
	.text
	.protected	subtract
	.globl	subtract
	.p2align	8
	.type	subtract,@function
subtract:
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
	s_load_b128 s[0:3], s[0:1], 0x0
	v_dual_mov_b32 v3, 0 :: v_dual_bitop2_b32 v2, 3, v0 bitop3:0x40
	s_wait_kmcnt 0x0
	global_load_b32 v4, v0, s[0:1] scale_offset
	global_load_b32 v1, v2, s[2:3] offset:48 scale_offset
	s_wait_xcnt 0x0
	v_lshlrev_b32_e32 v2, 2, v2
	s_mov_b32 s0, 0
	s_delay_alu instid0(VALU_DEP_1)
	v_add_nc_u64_e32 v[2:3], s[2:3], v[2:3]
.LBB0_1:
	s_wait_loadcnt 0x0
	v_sub_f32_e32 v0, v1, v4
	global_atomic_cmpswap_b32 v0, v[2:3], v[0:1], off offset:48 th:TH_ATOMIC_RETURN scope:SCOPE_DEV
	s_wait_loadcnt 0x0
	v_cmp_eq_u32_e32 vcc_lo, v0, v1
	v_mov_b32_e32 v1, v0
	s_or_b32 s0, vcc_lo, s0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_not1_b32 exec_lo, exec_lo, s0
	s_cbranch_execnz .LBB0_1
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel subtract
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 16
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
		.amdhsa_next_free_vgpr 113
		.amdhsa_next_free_sgpr 4
		.amdhsa_named_barrier_count 0
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_fp16_overflow 0
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_inst_pref_size 1
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
	.size	subtract, .Lfunc_end0-subtract

	.set subtract.num_vgpr, 5
	.set subtract.num_agpr, 0
	.set subtract.numbered_sgpr, 4
	.set subtract.num_named_barrier, 0
	.set subtract.private_seg_size, 0
	.set subtract.uses_vcc, 1
	.set subtract.uses_flat_scratch, 0
	.set subtract.has_dyn_sized_stack, 0
	.set subtract.has_recursion, 0
	.set subtract.has_indirect_call, 0
	.protected	__clang_ocl_kern_imp_subtract
	.globl	__clang_ocl_kern_imp_subtract
	.p2align	2
	.type	__clang_ocl_kern_imp_subtract,@function
__clang_ocl_kern_imp_subtract:
	s_wait_loadcnt_dscnt 0x0
	s_wait_kmcnt 0x0
	v_dual_mov_b32 v5, 0 :: v_dual_bitop2_b32 v4, 3, v31 bitop3:0x40
	v_and_b32_e32 v6, 0x3ff, v31
	s_mov_b32 s0, 0
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshlrev_b32_e32 v4, 2, v4
	v_add_nc_u64_e32 v[2:3], v[2:3], v[4:5]
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshlrev_b32_e32 v4, 2, v6
	v_add_nc_u64_e32 v[6:7], v[0:1], v[4:5]
	global_load_b32 v4, v[6:7], off
	global_load_b32 v1, v[2:3], off offset:48
.LBB1_1:
	s_wait_loadcnt 0x0
	v_sub_f32_e32 v0, v1, v4
	s_wait_xcnt 0x0
	global_atomic_cmpswap_b32 v0, v[2:3], v[0:1], off offset:48 th:TH_ATOMIC_RETURN scope:SCOPE_DEV
	s_wait_loadcnt 0x0
	v_cmp_eq_u32_e32 vcc_lo, v0, v1
	s_wait_xcnt 0x0
	v_mov_b32_e32 v1, v0
	s_or_b32 s0, vcc_lo, s0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_not1_b32 exec_lo, exec_lo, s0
	s_cbranch_execnz .LBB1_1
	s_or_b32 exec_lo, exec_lo, s0
	s_set_pc_i64 s[30:31]
.Lfunc_end1:
	.size	__clang_ocl_kern_imp_subtract, .Lfunc_end1-__clang_ocl_kern_imp_subtract

	.set __clang_ocl_kern_imp_subtract.num_vgpr, 32
	.set __clang_ocl_kern_imp_subtract.num_agpr, 0
	.set __clang_ocl_kern_imp_subtract.numbered_sgpr, 32
	.set __clang_ocl_kern_imp_subtract.num_named_barrier, 0
	.set __clang_ocl_kern_imp_subtract.private_seg_size, 0
	.set __clang_ocl_kern_imp_subtract.uses_vcc, 1
	.set __clang_ocl_kern_imp_subtract.uses_flat_scratch, 0
	.set __clang_ocl_kern_imp_subtract.has_dyn_sized_stack, 0
	.set __clang_ocl_kern_imp_subtract.has_recursion, 0
	.set __clang_ocl_kern_imp_subtract.has_indirect_call, 0
	.p2alignl 7, 3214868480
	.fill 96, 4, 3214868480
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 32
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 32
	.set amdgpu.max_num_named_barrier, 0
	.text
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .address_space:  global
        .is_const:       true
        .offset:         0
        .size:           8
        .type_name:      'float*'
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .type_name:      'float*'
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 16
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 64
    .name:           subtract
    .private_segment_fixed_size: 0
    .reqd_workgroup_size:
      - 64
      - 1
      - 1
    .sgpr_count:     6
    .sgpr_spill_count: 0
    .symbol:         subtract.kd
    .uses_dynamic_stack: false
    .vgpr_count:     5
    .vgpr_spill_count: 0
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--gfx1250
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
