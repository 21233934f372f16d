	.amdgcn_target "amdgpu12.50-amd-amdhsa-unknown-gfx1250"
	.amdhsa_code_object_version 5
	.text
	.globl	wm                              ; -- Begin function wm
	.p2align	8
	.type	wm,@function
wm:                                     ; @wm
; %bb.0:
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1 ;  msbs: dst=0 src0=0 src1=0 src2=0
	s_mov_b64 s[64:65], 0
	v_nop
	global_prefetch_b8 v0, s[64:65] scope:SCOPE_SE
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2
	v_mov_b32_e32 v19, 0
	s_clause 0x1
	s_load_b256 s[4:11], s[0:1], 0x0 nv
	s_load_b64 s[2:3], s[0:1], 0x20 nv
	v_and_b32_e32 v42, 15, v0
	v_dual_mov_b32 v21, v19 :: v_dual_bitop2_b32 v20, 16, v0 bitop3:0x40
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_1)
	v_dual_mov_b32 v43, v19 :: v_dual_lshlrev_b32 v18, 6, v42
	s_wait_kmcnt 0x0
	v_add_nc_u64_e32 v[22:23], s[4:5], v[18:19]
	global_load_b64 v[44:45], v0, s[8:9] scale_offset
	s_wait_alu depctr_va_vdst(3)
	global_load_b64 v[46:47], v42, s[10:11] scale_offset
	v_lshlrev_b32_e32 v18, 4, v20
	v_add_nc_u64_e32 v[48:49], v[22:23], v[20:21]
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_add_nc_u64_e32 v[22:23], s[6:7], v[18:19]
	v_lshlrev_b32_e32 v18, 5, v20
	v_add_nc_u64_e32 v[50:51], v[22:23], v[42:43]
	s_wait_xcnt 0x1
	s_wait_alu depctr_vm_vsrc(1)
	s_delay_alu instid0(VALU_DEP_2)
	v_add_nc_u64_e32 v[0:1], s[2:3], v[18:19]
	v_lshlrev_b32_e32 v18, 2, v42
	s_wait_alu depctr_va_vdst(5)
	global_load_b128 v[2:5], v[48:49], off
	s_wait_xcnt 0x1
	s_wait_alu depctr_vm_vsrc(1)
	v_add_nc_u64_e32 v[42:43], v[0:1], v[18:19]
	s_clause 0x2
	global_load_b128 v[6:9], v[48:49], off offset:32
	global_load_b128 v[10:13], v[48:49], off offset:1024
	global_load_b128 v[14:17], v[48:49], off offset:1056
	s_wait_alu depctr_va_vdst(0)
	s_clause 0x14
	global_load_u8 v0, v[50:51], off offset:720
	global_load_u8 v18, v[50:51], off offset:704
	global_load_u8 v19, v[50:51], off offset:752
	global_load_u8 v20, v[50:51], off offset:736
	global_load_u8 v21, v[50:51], off offset:656
	global_load_u8 v22, v[50:51], off offset:640
	global_load_u8 v23, v[50:51], off offset:688
	global_load_u8 v24, v[50:51], off offset:672
	global_load_u8 v25, v[50:51], off offset:592
	global_load_u8 v26, v[50:51], off offset:576
	global_load_u8 v27, v[50:51], off offset:624
	global_load_u8 v28, v[50:51], off offset:608
	; meta instruction
	global_load_u8 v29, v[50:51], off offset:528
	global_load_u8 v30, v[50:51], off offset:512
	global_load_u8 v31, v[50:51], off offset:560
	global_load_u8 v32, v[50:51], off offset:544
	global_load_u8 v33, v[50:51], off offset:208
	global_load_u8 v34, v[50:51], off offset:192
	global_load_u8 v35, v[50:51], off offset:240
	global_load_u8 v36, v[50:51], off offset:224
	global_load_u8 v37, v[50:51], off offset:144
	s_wait_alu depctr_vm_vsrc(6)
	s_clause 0xa
	global_load_u8 v48, v[50:51], off offset:128
	global_load_u8 v49, v[50:51], off offset:176
	global_load_u8 v52, v[50:51], off offset:160
	global_load_u8 v53, v[50:51], off offset:80
	global_load_u8 v54, v[50:51], off offset:64
	global_load_u8 v55, v[50:51], off offset:112
	global_load_u8 v56, v[50:51], off offset:96
	global_load_u8 v57, v[50:51], off offset:16
	global_load_u8 v58, v[50:51], off
	global_load_u8 v59, v[50:51], off offset:48
	global_load_u8 v60, v[50:51], off offset:32
	s_wait_loadcnt 0x25
	v_and_b32_e32 v38, 0xffff, v44
	v_dual_lshrrev_b32 v39, 16, v44 :: v_dual_lshrrev_b32 v1, 24, v44
	s_wait_loadcnt 0x24
	v_and_b32_e32 v40, 0xffff, v46
	v_dual_lshrrev_b32 v41, 16, v46 :: v_dual_lshrrev_b32 v44, 24, v46
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_lshlrev_b16 v1.l, 8, v1.l
	v_lshlrev_b16 v1.h, 8, v44.l
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_bitop3_b16 v1.l, v39.l, v1.l, 0xff bitop3:0xec
	v_bitop3_b16 v39.l, v41.l, v1.h, 0xff bitop3:0xec
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_lshl_or_b32 v44, v1, 16, v38
	v_lshl_or_b32 v46, v39, 16, v40
	s_wait_loadcnt 0x1e
	v_perm_b32 v0, v18, v0, 0xc0c0004
	s_wait_loadcnt 0x1c
	v_perm_b32 v1, v20, v19, 0xc0c0004
	s_wait_loadcnt 0x1a
	v_perm_b32 v18, v22, v21, 0xc0c0004
	s_wait_loadcnt 0x18
	v_perm_b32 v19, v24, v23, 0xc0c0004
	v_lshl_or_b32 v41, v1, 16, v0
	s_wait_loadcnt 0x16
	v_perm_b32 v0, v26, v25, 0xc0c0004
	s_wait_loadcnt 0x14
	v_perm_b32 v1, v28, v27, 0xc0c0004
	v_lshl_or_b32 v40, v19, 16, v18
	s_wait_loadcnt 0x12
	v_perm_b32 v18, v30, v29, 0xc0c0004
	s_wait_loadcnt 0x10
	v_perm_b32 v19, v32, v31, 0xc0c0004
	v_lshl_or_b32 v39, v1, 16, v0
	s_wait_loadcnt 0xe
	v_perm_b32 v0, v34, v33, 0xc0c0004
	s_wait_loadcnt 0xc
	v_perm_b32 v1, v36, v35, 0xc0c0004
	v_lshl_or_b32 v38, v19, 16, v18
	s_wait_loadcnt 0xa
	v_perm_b32 v18, v48, v37, 0xc0c0004
	s_wait_loadcnt 0x8
	v_perm_b32 v19, v52, v49, 0xc0c0004
	v_lshl_or_b32 v37, v1, 16, v0
	s_wait_loadcnt 0x6
	v_perm_b32 v0, v54, v53, 0xc0c0004
	s_wait_loadcnt 0x4
	v_perm_b32 v1, v56, v55, 0xc0c0004
	v_lshl_or_b32 v36, v19, 16, v18
	s_wait_loadcnt 0x2
	v_perm_b32 v18, v58, v57, 0xc0c0004
	s_wait_loadcnt 0x0
	v_perm_b32 v19, v60, v59, 0xc0c0004
	v_lshl_or_b32 v35, v1, 16, v0
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshl_or_b32 v34, v19, 16, v18
	v_wmma_scale16_f32_32x16x128_f4 v[18:33], v[2:17], v[34:41], 0, v[44:45], v[46:47]
	s_wait_alu depctr_va_vdst(0)
	s_clause 0xf
	global_store_b32 v[42:43], v18, off
	global_store_b32 v[42:43], v19, off offset:64
	global_store_b32 v[42:43], v20, off offset:128
	global_store_b32 v[42:43], v21, off offset:192
	global_store_b32 v[42:43], v22, off offset:256
	global_store_b32 v[42:43], v23, off offset:320
	global_store_b32 v[42:43], v24, off offset:384
	global_store_b32 v[42:43], v25, off offset:448
	global_store_b32 v[42:43], v26, off offset:1024
	global_store_b32 v[42:43], v27, off offset:1088
	global_store_b32 v[42:43], v28, off offset:1152
	global_store_b32 v[42:43], v29, off offset:1216
	global_store_b32 v[42:43], v30, off offset:1280
	global_store_b32 v[42:43], v31, off offset:1344
	global_store_b32 v[42:43], v32, off offset:1408
	global_store_b32 v[42:43], v33, off offset:1472
	s_endpgm
.Lfunc_end0:
	.size	wm, .Lfunc_end0-wm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel wm
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 56
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
		.amdhsa_next_free_vgpr 61
		.amdhsa_next_free_sgpr 66
		.amdhsa_named_barrier_count 0
		.amdhsa_reserve_vcc 0
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_fp16_overflow 0
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_inst_pref_size ((instprefsize(.Lfunc_end0-wm)<<4)&4080)>>4
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
	.set .Lwm.num_vgpr, 61
	.set .Lwm.num_agpr, 0
	.set .Lwm.numbered_sgpr, 66
	.set .Lwm.num_named_barrier, 0
	.set .Lwm.private_seg_size, 0
	.set .Lwm.uses_vcc, 0
	.set .Lwm.uses_flat_scratch, 0
	.set .Lwm.has_dyn_sized_stack, 0
	.set .Lwm.has_recursion, 0
	.set .Lwm.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 1296
; TotalNumSgprs: 66
; NumVgprs: 61
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 3
; NumSGPRsForWavesPerEU: 66
; NumVGPRsForWavesPerEU: 61
; NamedBarCnt: 0
; Occupancy: 16
; WaveLimiterHint : 1
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
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 56
    .max_flat_workgroup_size: 32
    .name:           wm
    .private_segment_fixed_size: 0
    .sgpr_count:     66
    .sgpr_spill_count: 0
    .symbol:         wm.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     61
    .vgpr_spill_count: 0
    .wavefront_size: 32
amdhsa.target:   amdgpu12.50-amd-amdhsa-unknown-gfx1250
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
