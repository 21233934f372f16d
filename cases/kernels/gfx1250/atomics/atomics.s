	.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
	.amdhsa_code_object_version 5
	.text
	.globl	k                               ; -- Begin function k
	.p2align	8
	.type	k,@function
k:                                      ; @k
; %bb.0:
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1 ;  msbs: dst=0 src0=0 src1=0 src2=0
	s_mov_b64 s[64:65], 0
	v_nop
	global_prefetch_b8 v0, s[64:65] scope:SCOPE_SE
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2
	v_mov_b32_e32 v7, 0
	s_bfe_u32 s3, ttmp8, 0x50019
	s_lshl_b32 s4, ttmp9, 8
	v_and_b32_e32 v10, 7, v0
	v_and_b32_e32 v9, 31, v0
	s_lshl_b32 s2, s3, 5
	s_mov_b32 s7, 0
	s_mov_b32 s6, 0xffffff
	v_lshlrev_b32_e32 v6, 2, v10
	v_and_or_b32 v0, 0x60, s2, v9
	s_load_b256 s[8:15], s[0:1], 0x0 nv
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_1)
	v_dual_lshlrev_b32 v5, 3, v0 :: v_dual_lshlrev_b32 v8, 2, v0
	s_ashr_i32 s5, s4, 31
	v_dual_add_nc_u32 v4, 0, v5 :: v_dual_add_nc_u32 v11, 0, v8
	s_lshl_b64 s[4:5], s[4:5], 2
	s_wait_kmcnt 0x0
	v_add_nc_u64_e32 v[0:1], s[12:13], v[6:7]
	s_add_nc_u64 s[4:5], s[8:9], s[4:5]
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_4) | instid1(SALU_CYCLE_1)
	s_or_b32 s5, s5, 0xfc000000
	s_wait_alu depctr_va_vdst(2)
	buffer_load_b64 v[2:3], v5, s[4:7], null offen
	s_wait_xcnt 0x0
	s_add_nc_u64 s[4:5], s[10:11], 64
	s_or_b32 s5, s5, 0xfc000000
	s_wait_loadcnt 0x0
	s_wait_alu depctr_va_vdst(1)
	ds_store_b64 v4, v[2:3]
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	ds_load_2addr_stride64_b32 v[2:3], v11 offset1:2
	s_wait_dscnt 0x0
	v_or_b32_e32 v7, 15, v2
	s_barrier_signal -1
	v_or_b32_e32 v13, 15, v3
	v_and_b32_e32 v12, 15, v2
	s_wait_alu depctr_vm_vsrc(0)
	v_and_b32_e32 v11, 15, v3
	v_cvt_f32_i32_e32 v4, v2
	v_cmp_gt_i32_e32 vcc_lo, 0, v2
	v_cmp_lt_i32_e64 s2, -1, v2
	v_cvt_f32_ubyte0_e32 v14, v12
	v_cvt_f32_ubyte0_e32 v15, v11
	s_barrier_wait -1
	global_wb scope:SCOPE_DEV
	s_wait_storecnt 0x0
	s_clause 0x1
	global_atomic_max_i32 v10, v2, s[10:11] scale_offset scope:SCOPE_DEV
	global_atomic_max_i32 v10, v3, s[10:11] scale_offset scope:SCOPE_DEV
	s_wait_storecnt 0x0
	global_inv scope:SCOPE_DEV
	s_wait_loadcnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	s_barrier_signal -1
	s_barrier_wait -1
	global_wb scope:SCOPE_DEV
	s_wait_storecnt 0x0
	s_clause 0x1
	global_atomic_min_i32 v10, v2, s[10:11] offset:32 scale_offset scope:SCOPE_DEV
	global_atomic_min_i32 v10, v3, s[10:11] offset:32 scale_offset scope:SCOPE_DEV
	s_wait_storecnt 0x0
	global_inv scope:SCOPE_DEV
	s_wait_loadcnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	s_barrier_signal -1
	s_barrier_wait -1
	global_wb scope:SCOPE_DEV
	s_wait_storecnt 0x0
	s_wait_alu depctr_va_vdst(8)
	buffer_atomic_and_b32 v7, v6, s[4:7], null offen scope:SCOPE_DEV
	s_wait_alu depctr_va_vdst(7)
	buffer_atomic_and_b32 v13, v6, s[4:7], null offen scope:SCOPE_DEV
	s_wait_storecnt 0x0
	global_inv scope:SCOPE_DEV
	s_wait_loadcnt 0x0
	s_barrier_signal -1
	s_add_nc_u64 s[4:5], s[10:11], 0x60
	s_delay_alu instid0(SALU_CYCLE_1)
	s_or_b32 s5, s5, 0xfc000000
	s_barrier_wait -1
	s_barrier_signal -1
	s_barrier_wait -1
	global_wb scope:SCOPE_DEV
	s_wait_storecnt 0x0
	s_clause 0x1
	buffer_atomic_or_b32 v2, v6, s[4:7], null offen scope:SCOPE_DEV
	buffer_atomic_or_b32 v3, v6, s[4:7], null offen scope:SCOPE_DEV
	s_wait_storecnt 0x0
	global_inv scope:SCOPE_DEV
	s_wait_loadcnt 0x0
	s_barrier_signal -1
	s_add_nc_u64 s[4:5], s[10:11], 0x80
	s_delay_alu instid0(SALU_CYCLE_1)
	s_or_b32 s5, s5, 0xfc000000
	s_barrier_wait -1
	s_barrier_signal -1
	s_barrier_wait -1
	global_wb scope:SCOPE_DEV
	s_wait_storecnt 0x0
	s_clause 0x1
	buffer_atomic_xor_b32 v2, v6, s[4:7], null offen scope:SCOPE_DEV
	buffer_atomic_xor_b32 v3, v6, s[4:7], null offen scope:SCOPE_DEV
	s_wait_storecnt 0x0
	global_inv scope:SCOPE_DEV
	s_wait_loadcnt 0x0
	s_barrier_signal -1
	s_or_b64 s[4:5], s[12:13], 0xfc00000000000000
	s_barrier_wait -1
	s_barrier_signal -1
	s_barrier_wait -1
	global_wb scope:SCOPE_DEV
	s_wait_storecnt 0x0
	s_wait_alu depctr_va_vdst(1)
	buffer_atomic_add_f32 v14, v6, s[4:7], null offen scope:SCOPE_DEV
	s_wait_alu depctr_va_vdst(0)
	buffer_atomic_add_f32 v15, v6, s[4:7], null offen scope:SCOPE_DEV
	s_wait_storecnt 0x0
	global_inv scope:SCOPE_DEV
	s_wait_loadcnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	s_barrier_signal -1
	s_barrier_wait -1
	s_and_saveexec_b32 s4, s2
	s_cbranch_execz .LBB0_2
; %bb.1:
	global_wb scope:SCOPE_DEV
	s_wait_storecnt 0x0
	global_atomic_max_i32 v[0:1], v4, off offset:32 scope:SCOPE_DEV
.LBB0_2:
	s_wait_xcnt 0x0
	s_or_b32 exec_lo, exec_lo, s4
	s_load_b256 s[4:11], s[0:1], 0x20 nv
	v_cvt_f32_i32_e32 v5, v3
	s_wait_xcnt 0x0
	v_cmp_gt_i32_e64 s0, 0, v3
	s_mov_b32 s2, exec_lo
	v_cmpx_lt_i32_e32 -1, v3
	s_cbranch_execz .LBB0_4
; %bb.3:
	s_wait_alu depctr_va_vdst(2)
	global_atomic_max_i32 v[0:1], v5, off offset:32 scope:SCOPE_DEV
	s_wait_storecnt 0x0
	global_inv scope:SCOPE_DEV
	s_wait_loadcnt 0x0
.LBB0_4:
	s_or_b32 exec_lo, exec_lo, s2
	s_barrier_signal -1
	s_barrier_wait -1
	s_barrier_signal -1
	s_barrier_wait -1
	s_and_saveexec_b32 s1, vcc_lo
	s_cbranch_execz .LBB0_6
; %bb.5:
	s_wait_storecnt 0x0
	global_wb scope:SCOPE_DEV
	s_wait_storecnt 0x0
	global_atomic_min_u32 v[0:1], v4, off offset:32 scope:SCOPE_DEV
.LBB0_6:
	s_wait_xcnt 0x0
	s_or_b32 exec_lo, exec_lo, s1
	s_and_saveexec_b32 s1, s0
	s_cbranch_execz .LBB0_8
; %bb.7:
	s_wait_alu depctr_va_vdst(2)
	global_atomic_min_u32 v[0:1], v5, off offset:32 scope:SCOPE_DEV
	s_wait_storecnt 0x0
	global_inv scope:SCOPE_DEV
	s_wait_loadcnt 0x0
.LBB0_8:
	s_or_b32 exec_lo, exec_lo, s1
	s_barrier_signal -1
	s_wait_alu depctr_vm_vsrc(0)
	v_dual_mov_b32 v1, 0 :: v_dual_lshlrev_b32 v0, 1, v10
	v_and_b32_e32 v4, 1, v2
	s_mov_b32 s0, 0
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_add_nc_u64_e32 v[14:15], s[14:15], v[0:1]
	v_cvt_f32_ubyte0_e32 v0, v4
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_dual_mov_b32 v5, v15 :: v_dual_bitop2_b32 v4, -4, v14 bitop3:0x40
	v_cvt_f16_f32_e32 v0.l, v0
	v_and_b32_e32 v1, 3, v14
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshlrev_b32_e32 v1, 3, v1
	v_lshlrev_b32_e64 v13, v1, 0xffff
	s_delay_alu instid0(VALU_DEP_1)
	v_not_b32_e32 v13, v13
	s_barrier_wait -1
	s_barrier_signal -1
	s_barrier_wait -1
	s_wait_alu depctr_va_vdst(5)
	global_load_b32 v7, v[4:5], off
.LBB0_9:                                ; %atomicrmw.start10
                                        ; =>This Inner Loop Header: Depth=1
	s_wait_loadcnt 0x0
	v_lshrrev_b32_e32 v6, v1, v7
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_f16_e32 v0.h, v6.l, v0.l
	v_cvt_u32_u16_e32 v6, v0.h
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshlrev_b32_e32 v6, v1, v6
	v_and_or_b32 v6, v7, v13, v6
	s_wait_storecnt 0x0
	global_wb scope:SCOPE_DEV
	s_wait_storecnt 0x0
	s_wait_xcnt 0x0
	s_wait_alu depctr_va_vdst(0)
	global_atomic_cmpswap_b32 v14, v[4:5], v[6:7], off th:TH_ATOMIC_RETURN scope:SCOPE_DEV
	s_wait_loadcnt 0x0
	v_cmp_eq_u32_e32 vcc_lo, v14, v7
	s_wait_alu depctr_vm_vsrc(0)
	v_mov_b32_e32 v7, v14
	s_or_b32 s0, vcc_lo, s0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_not1_b32 exec_lo, exec_lo, s0
	s_cbranch_execnz .LBB0_9
; %bb.10:                               ; %atomicrmw.end9
	s_or_b32 exec_lo, exec_lo, s0
	v_and_b32_e32 v0, 1, v3
	s_wait_alu depctr_va_vdst(1)
	global_load_b32 v7, v[4:5], off
	s_mov_b32 s0, 0
	v_cvt_f32_ubyte0_e32 v0, v0
	s_delay_alu instid0(VALU_DEP_1)
	v_cvt_f16_f32_e32 v0.l, v0
.LBB0_11:                               ; %atomicrmw.start
                                        ; =>This Inner Loop Header: Depth=1
	s_wait_loadcnt 0x0
	v_lshrrev_b32_e32 v6, v1, v7
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_f16_e32 v0.h, v6.l, v0.l
	v_cvt_u32_u16_e32 v6, v0.h
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshlrev_b32_e32 v6, v1, v6
	v_and_or_b32 v6, v7, v13, v6
	s_wait_alu depctr_va_vdst(0)
	global_atomic_cmpswap_b32 v14, v[4:5], v[6:7], off th:TH_ATOMIC_RETURN scope:SCOPE_DEV
	s_wait_loadcnt 0x0
	global_inv scope:SCOPE_DEV
	s_wait_loadcnt 0x0
	v_cmp_eq_u32_e32 vcc_lo, v14, v7
	s_wait_alu depctr_vm_vsrc(1)
	v_mov_b32_e32 v7, v14
	s_or_b32 s0, vcc_lo, s0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_not1_b32 exec_lo, exec_lo, s0
	s_cbranch_execnz .LBB0_11
; %bb.12:                               ; %atomicrmw.end
	s_or_b32 exec_lo, exec_lo, s0
	s_barrier_signal -1
	v_cvt_f64_u32_e32 v[0:1], v12
	s_wait_kmcnt 0x0
	s_or_b64 s[8:9], s[8:9], 0xfc00000000000000
	s_mov_b32 s11, 0
	s_mov_b32 s10, 0xffffff
	v_cvt_f64_u32_e32 v[4:5], v11
	s_barrier_wait -1
	s_barrier_signal -1
	v_dual_lshlrev_b32 v6, 3, v10 :: v_dual_bitop2_b32 v7, s3, v9 bitop3:0x54
	s_delay_alu instid0(VALU_DEP_1)
	v_cmp_eq_u32_e64 s0, 0, v7
	s_barrier_wait -1
	global_wb scope:SCOPE_DEV
	s_wait_storecnt 0x0
	s_wait_alu depctr_va_vdst(1)
	s_clause 0x1
	buffer_atomic_add_f64 v[0:1], v6, s[8:11], null offen scope:SCOPE_DEV
	buffer_atomic_add_f64 v[4:5], v6, s[8:11], null offen scope:SCOPE_DEV
	s_wait_storecnt 0x0
	global_inv scope:SCOPE_DEV
	s_wait_loadcnt 0x0
	s_barrier_signal -1
	s_or_b32 s9, s7, 0xfc000000
	s_mov_b32 s8, s6
	s_barrier_wait -1
	s_barrier_signal -1
	s_barrier_wait -1
	global_wb scope:SCOPE_DEV
	s_wait_storecnt 0x0
	s_clause 0x1
	buffer_atomic_add_u32 v2, v8, s[8:11], null offen scope:SCOPE_DEV
	buffer_atomic_add_u32 v3, v8, s[8:11], null offen offset:512 scope:SCOPE_DEV
	s_wait_storecnt 0x0
	global_inv scope:SCOPE_DEV
	s_wait_loadcnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	s_barrier_signal -1
	s_barrier_wait -1
	s_and_saveexec_b32 s1, s0
	s_cbranch_execz .LBB0_14
; %bb.13:
	s_wait_alu depctr_vm_vsrc(0)
	v_mov_b32_e32 v1, 0
	s_add_co_i32 s2, ttmp9, 1
	s_delay_alu instid0(SALU_CYCLE_1)
	v_mov_b32_e32 v0, s2
	global_wb scope:SCOPE_DEV
	s_wait_storecnt 0x0
	s_wait_alu depctr_va_vdst(0)
	global_atomic_cmpswap_b32 v0, v1, v[0:1], s[4:5] th:TH_ATOMIC_RETURN scope:SCOPE_DEV
	s_wait_loadcnt 0x0
	global_inv scope:SCOPE_DEV
	s_wait_loadcnt 0x0
	ds_store_b32 v1, v0
.LBB0_14:                               ; %.critedge
	s_or_b32 exec_lo, exec_lo, s1
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_wait_alu depctr_vm_vsrc(0)
	v_mov_b32_e32 v0, 0
	s_barrier_wait -1
	s_wait_alu depctr_va_vdst(0)
	ds_load_b32 v0, v0
	s_wait_dscnt 0x0
	v_cmp_ne_u32_e32 vcc_lo, 0, v0
	s_cbranch_vccz .LBB0_16
; %bb.15:
	s_endpgm
.LBB0_16:
	s_barrier_signal -1
	s_barrier_wait -1
	s_and_saveexec_b32 s1, s0
	s_cbranch_execz .LBB0_18
; %bb.17:
	s_wait_alu depctr_vm_vsrc(0)
	v_dual_mov_b32 v0, 0 :: v_dual_mov_b32 v1, 7
	global_wb scope:SCOPE_DEV
	s_wait_storecnt 0x0
	s_wait_alu depctr_va_vdst(0)
	global_atomic_swap_b32 v0, v1, s[4:5] offset:4 scope:SCOPE_DEV
	s_wait_storecnt 0x0
	global_inv scope:SCOPE_DEV
	s_wait_loadcnt 0x0
.LBB0_18:
	s_or_b32 exec_lo, exec_lo, s1
	s_barrier_signal -1
	s_barrier_wait -1
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 72
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
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 66
		.amdhsa_named_barrier_count 0
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_fp16_overflow 0
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
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
                                        ; -- End function
	.set .Lk.num_vgpr, 16
	.set .Lk.num_agpr, 0
	.set .Lk.numbered_sgpr, 66
	.set .Lk.num_named_barrier, 0
	.set .Lk.private_seg_size, 0
	.set .Lk.uses_vcc, 1
	.set .Lk.uses_flat_scratch, 0
	.set .Lk.has_dyn_sized_stack, 0
	.set .Lk.has_recursion, 0
	.set .Lk.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 1912
; TotalNumSgprs: 68
; NumVgprs: 16
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 0
; NumSGPRsForWavesPerEU: 68
; NumVGPRsForWavesPerEU: 16
; NamedBarCnt: 0
; Occupancy: 16
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 1
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
	.section	".note.GNU-stack","",@progbits
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
      - .address_space:  global
        .offset:         32
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         40
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         48
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         56
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         64
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 72
    .max_flat_workgroup_size: 128
    .name:           k
    .private_segment_fixed_size: 0
    .sgpr_count:     68
    .sgpr_spill_count: 0
    .symbol:         k.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     16
    .vgpr_spill_count: 0
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--gfx1250
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
