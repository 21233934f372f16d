	.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
	.amdhsa_code_object_version 6
	.text
	.protected	mixed                   ; -- Begin function mixed
	.globl	mixed
	.p2align	8
	.type	mixed,@function
mixed:                                  ; @mixed
; %bb.0:
	s_mov_b32 s33, 0
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1
	s_mov_b32 s2, ttmp6
	s_mov_b32 s0, ttmp9
	v_mov_b32_e32 v8, v0
	s_load_b64 s[6:7], s[4:5], 0x0
	s_wait_xcnt 0x0
	s_load_b64 s[4:5], s[4:5], 0x8
	s_mov_b32 s3, 0
	v_mbcnt_lo_u32_b32 v0, -1, s3
	s_mov_b32 s1, 20
	v_lshlrev_b32_e64 v9, s1, v0
	scratch_store_b32 off, v9, s33 offset:120 ; 4-byte Folded Spill
	s_mov_b32 s1, s33
	v_mov_b32_e32 v0, s1
	v_mov_b32_e32 v1, v9
	s_mov_b64 s[12:13], src_flat_scratch_base_lo
                                        ; implicit-def: $vgpr15 : SGPR spill to VGPR lane
	v_writelane_b32 v15, s12, 0
	v_writelane_b32 v15, s13, 1
	v_add_nc_u64_e64 v[2:3], v[0:1], s[12:13]
	v_mov_b32_e32 v0, v3
	s_mov_b64 s[14:15], 0
	s_mov_b32 s9, s15
	v_writelane_b32 v15, s9, 2
	s_mov_b32 s10, -1
	v_writelane_b32 v15, s10, 3
	s_cmp_lg_u32 s1, s10
	s_cselect_b32 s8, -1, 0
	v_cndmask_b32_e64 v0, s9, v0, s8
	v_mov_b32_e32 v1, v2
	s_mov_b32 s1, s14
	v_writelane_b32 v15, s1, 4
	s_wait_xcnt 0x0
	s_or_saveexec_b32 s11, -1
	scratch_store_b32 off, v15, s33 offset:48 ; 4-byte Folded Spill
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	v_cndmask_b32_e64 v4, s1, v1, s8
                                        ; kill: def $vgpr4 killed $vgpr4 def $vgpr4_vgpr5 killed $exec
	v_mov_b32_e32 v5, v0
	v_mov_b64_e32 v[0:1], v[4:5]
	scratch_store_b64 off, v[0:1], s33 offset:112 ; 8-byte Folded Spill
	s_add_co_i32 s14, s33, 8
	s_mov_b32 s8, s14
	s_wait_xcnt 0x0
	v_mov_b32_e32 v0, s8
	v_mov_b32_e32 v1, v9
	v_add_nc_u64_e64 v[2:3], v[0:1], s[12:13]
	v_mov_b32_e32 v0, v3
	s_cmp_lg_u32 s8, s10
	s_cselect_b32 s8, -1, 0
	v_cndmask_b32_e64 v0, s9, v0, s8
	v_mov_b32_e32 v1, v2
	v_cndmask_b32_e64 v10, s1, v1, s8
                                        ; kill: def $vgpr10 killed $vgpr10 def $vgpr10_vgpr11 killed $exec
	v_mov_b32_e32 v11, v0
	v_mov_b64_e32 v[0:1], v[10:11]
	scratch_store_b64 off, v[0:1], s33 offset:104 ; 8-byte Folded Spill
	s_add_co_i32 s14, s33, 16
	s_mov_b32 s8, s14
	s_wait_xcnt 0x0
	v_mov_b32_e32 v0, s8
	v_mov_b32_e32 v1, v9
	v_add_nc_u64_e64 v[0:1], v[0:1], s[12:13]
	v_mov_b32_e32 v2, v1
	s_cmp_lg_u32 s8, s10
	s_cselect_b32 s8, -1, 0
	v_cndmask_b32_e64 v2, s9, v2, s8
                                        ; kill: def $vgpr0 killed $vgpr0 killed $vgpr0_vgpr1 killed $exec
	v_cndmask_b32_e64 v0, s1, v0, s8
                                        ; kill: def $vgpr0 killed $vgpr0 def $vgpr0_vgpr1 killed $exec
	v_mov_b32_e32 v1, v2
	v_mov_b64_e32 v[2:3], v[0:1]
	scratch_store_b64 off, v[2:3], s33 offset:96 ; 8-byte Folded Spill
	s_add_co_i32 s14, s33, 20
	s_mov_b32 s8, s14
	s_wait_xcnt 0x0
	v_mov_b32_e32 v2, s8
	v_mov_b32_e32 v3, v9
	v_add_nc_u64_e64 v[2:3], v[2:3], s[12:13]
	v_mov_b32_e32 v6, v3
	s_cmp_lg_u32 s8, s10
	s_cselect_b32 s8, -1, 0
	v_cndmask_b32_e64 v6, s9, v6, s8
                                        ; kill: def $vgpr2 killed $vgpr2 killed $vgpr2_vgpr3 killed $exec
	v_cndmask_b32_e64 v2, s1, v2, s8
                                        ; kill: def $vgpr2 killed $vgpr2 def $vgpr2_vgpr3 killed $exec
	v_mov_b32_e32 v3, v6
	v_mov_b64_e32 v[6:7], v[2:3]
	scratch_store_b64 off, v[6:7], s33 offset:88 ; 8-byte Folded Spill
	s_add_co_i32 s14, s33, 24
	s_mov_b32 s8, s14
	s_wait_xcnt 0x0
	v_mov_b32_e32 v6, s8
	v_mov_b32_e32 v7, v9
	v_add_nc_u64_e64 v[6:7], v[6:7], s[12:13]
	v_mov_b32_e32 v12, v7
	s_cmp_lg_u32 s8, s10
	s_cselect_b32 s8, -1, 0
	v_cndmask_b32_e64 v12, s9, v12, s8
                                        ; kill: def $vgpr6 killed $vgpr6 killed $vgpr6_vgpr7 killed $exec
	v_cndmask_b32_e64 v6, s1, v6, s8
                                        ; kill: def $vgpr6 killed $vgpr6 def $vgpr6_vgpr7 killed $exec
	v_mov_b32_e32 v7, v12
	v_mov_b64_e32 v[12:13], v[6:7]
	scratch_store_b64 off, v[12:13], s33 offset:80 ; 8-byte Folded Spill
	s_add_co_i32 s14, s33, 32
	s_mov_b32 s8, s14
	s_wait_xcnt 0x0
	v_mov_b32_e32 v12, s8
	v_mov_b32_e32 v13, v9
	v_add_nc_u64_e64 v[12:13], v[12:13], s[12:13]
	v_mov_b32_e32 v14, v13
	s_cmp_lg_u32 s8, s10
	s_cselect_b32 s8, -1, 0
	v_cndmask_b32_e64 v14, s9, v14, s8
                                        ; kill: def $vgpr12 killed $vgpr12 killed $vgpr12_vgpr13 killed $exec
	v_cndmask_b32_e64 v12, s1, v12, s8
                                        ; kill: def $vgpr12 killed $vgpr12 def $vgpr12_vgpr13 killed $exec
	v_mov_b32_e32 v13, v14
	scratch_store_b64 off, v[12:13], s33 offset:72 ; 8-byte Folded Spill
	s_add_co_i32 s14, s33, 40
	s_mov_b32 s8, s14
	s_wait_xcnt 0x0
	v_mov_b32_e32 v12, s8
	v_mov_b32_e32 v13, v9
	v_add_nc_u64_e64 v[12:13], v[12:13], s[12:13]
	v_mov_b32_e32 v14, v13
	s_cmp_lg_u32 s8, s10
	s_cselect_b32 s8, -1, 0
	v_cndmask_b32_e64 v14, s9, v14, s8
                                        ; kill: def $vgpr12 killed $vgpr12 killed $vgpr12_vgpr13 killed $exec
	v_cndmask_b32_e64 v12, s1, v12, s8
                                        ; kill: def $vgpr12 killed $vgpr12 def $vgpr12_vgpr13 killed $exec
	v_mov_b32_e32 v13, v14
	scratch_store_b64 off, v[12:13], s33 offset:64 ; 8-byte Folded Spill
	s_add_co_i32 s14, s33, 44
	s_mov_b32 s8, s14
	s_wait_xcnt 0x0
	v_mov_b32_e32 v12, s8
	v_mov_b32_e32 v13, v9
	v_add_nc_u64_e64 v[12:13], v[12:13], s[12:13]
	v_mov_b32_e32 v9, v13
	s_cmp_lg_u32 s8, s10
	s_cselect_b32 s8, -1, 0
	v_cndmask_b32_e64 v9, s9, v9, s8
                                        ; kill: def $vgpr12 killed $vgpr12 killed $vgpr12_vgpr13 killed $exec
	v_cndmask_b32_e64 v12, s1, v12, s8
                                        ; kill: def $vgpr12 killed $vgpr12 def $vgpr12_vgpr13 killed $exec
	v_mov_b32_e32 v13, v9
	scratch_store_b64 off, v[12:13], s33 offset:56 ; 8-byte Folded Spill
	s_wait_kmcnt 0x0
	s_wait_xcnt 0x0
	v_mov_b64_e32 v[12:13], s[6:7]
	flat_store_b64 v[4:5], v[12:13]
	s_wait_xcnt 0x0
	v_mov_b64_e32 v[12:13], s[4:5]
	flat_store_b64 v[10:11], v[12:13]
	s_mov_b32 s1, 0x3ff
	v_and_b32_e64 v8, v8, s1
	flat_store_b32 v[0:1], v8
	flat_load_b32 v8, v[0:1]
	s_mov_b32 s1, 15
	s_and_b32 s1, s2, s1
	s_bfe_u32 s2, s2, 0x4000c
	s_mov_b32 s4, 1
	s_add_co_i32 s2, s2, s4
	s_mul_i32 s2, s0, s2
	s_add_co_i32 s1, s1, s2
	s_getreg_b32 s2, hwreg(HW_REG_IB_STS2, 6, 4)
	s_cmp_eq_u32 s2, s3
	s_cselect_b32 s0, s0, s1
	s_mov_b32 s1, 6
	s_wait_loadcnt_dscnt 0x0
	v_lshl_add_u32 v8, s0, s1, v8
	flat_store_b32 v[2:3], v8
	s_get_pc_i64 s[2:3]
	s_add_nc_u64 s[2:3], s[2:3], .L__const.mixed.t@rel64+4
	s_load_b64 s[0:1], s[2:3], 0x0
	s_wait_kmcnt 0x0
	v_mov_b64_e32 v[8:9], s[0:1]
	flat_store_b64 v[6:7], v[8:9]
	flat_load_b64 v[4:5], v[4:5]
	flat_load_b32 v2, v[2:3]
	s_wait_loadcnt_dscnt 0x0
	s_wait_xcnt 0x2
	v_ashrrev_i32_e64 v6, 31, v2
                                        ; kill: def $vgpr2 killed $vgpr2 def $vgpr2_vgpr3 killed $exec
	s_wait_xcnt 0x0
	v_mov_b32_e32 v3, v6
	s_mov_b32 s0, 2
	v_lshl_add_u64 v[2:3], v[2:3], s0, v[4:5]
	global_load_b32 v3, v[2:3], off
	flat_load_b32 v2, v[0:1]
	s_wait_loadcnt_dscnt 0x0
	v_lshlrev_b32_e64 v2, s0, v2
	ds_store_b32 v2, v3
	flat_load_b32 v0, v[0:1]
	s_mov_b32 s0, 0x55555556
	s_wait_loadcnt_dscnt 0x0
	s_wait_xcnt 0x0
	v_mul_hi_i32 v1, v0, s0
	s_mov_b32 s0, 31
	v_lshrrev_b32_e64 v2, s0, v1
	v_add_nc_u32_e64 v1, v1, v2
	v_lshl_add_u32 v1, v1, 1, v1
	v_sub_nc_u32_e64 v0, v0, v1
	scratch_store_b32 off, v0, s33 offset:52 ; 4-byte Folded Spill
; %bb.1:
	s_wait_xcnt 0x0
	s_or_saveexec_b32 s11, -1
	scratch_load_b32 v15, off, s33 offset:48 ; 4-byte Folded Reload
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	scratch_load_b32 v0, off, s33 offset:52 ; 4-byte Folded Reload
	s_mov_b32 s0, 0
	s_wait_loadcnt 0x0
	v_cmp_gt_i32_e64 s0, v0, s0
	s_mov_b32 s1, 0
	v_writelane_b32 v15, s1, 5
	s_wait_xcnt 0x0
	s_mov_b32 s1, exec_lo
	s_and_b32 s0, s1, s0
	s_xor_b32 s1, s0, s1
	v_writelane_b32 v15, s1, 6
	s_or_saveexec_b32 s11, -1
	scratch_store_b32 off, v15, s33 offset:48 ; 4-byte Folded Spill
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	s_mov_b32 exec_lo, s0
	s_cbranch_execz .LBB0_7
; %bb.2:
	s_or_saveexec_b32 s11, -1
	scratch_load_b32 v15, off, s33 offset:48 ; 4-byte Folded Reload
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	scratch_load_b32 v0, off, s33 offset:52 ; 4-byte Folded Reload
	s_mov_b32 s0, 1
	s_wait_loadcnt 0x0
	v_cmp_eq_u32_e64 s1, v0, s0
	s_mov_b32 s0, -1
	v_writelane_b32 v15, s0, 7
	s_wait_xcnt 0x0
	s_mov_b32 s0, exec_lo
	v_writelane_b32 v15, s0, 8
	s_or_saveexec_b32 s11, -1
	scratch_store_b32 off, v15, s33 offset:48 ; 4-byte Folded Spill
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	s_and_b32 s0, s0, s1
	s_mov_b32 exec_lo, s0
	s_cbranch_execz .LBB0_3
	s_branch .LBB0_8
.LBB0_3:
	s_or_saveexec_b32 s11, -1
	scratch_load_b32 v15, off, s33 offset:48 ; 4-byte Folded Reload
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	s_wait_loadcnt 0x0
	v_readlane_b32 s1, v15, 8
	s_or_b32 exec_lo, exec_lo, s1
	v_readlane_b32 s0, v15, 7
	s_and_b32 s0, s0, exec_lo
	v_writelane_b32 v15, s0, 5
	s_or_saveexec_b32 s11, -1
	scratch_store_b32 off, v15, s33 offset:48 ; 4-byte Folded Spill
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	s_branch .LBB0_7
.LBB0_4:
	s_or_saveexec_b32 s11, -1
	scratch_load_b32 v15, off, s33 offset:48 ; 4-byte Folded Reload
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	s_wait_loadcnt 0x0
	v_readlane_b32 s1, v15, 9
	scratch_load_b32 v0, off, s33 offset:52 ; 4-byte Folded Reload
	s_mov_b32 s0, 0
	s_wait_loadcnt 0x0
	v_cmp_ne_u32_e64 s2, v0, s0
	s_mov_b32 s0, -1
	s_mov_b32 s0, exec_lo
	s_and_not1_b32 s1, s1, exec_lo
	s_and_b32 s2, s2, exec_lo
	s_or_b32 s1, s1, s2
	v_writelane_b32 v15, s1, 10
	v_writelane_b32 v15, s0, 11
	s_wait_xcnt 0x0
	s_or_saveexec_b32 s11, -1
	scratch_store_b32 off, v15, s33 offset:48 ; 4-byte Folded Spill
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	s_branch .LBB0_9
.LBB0_5:
	s_or_saveexec_b32 s11, -1
	scratch_load_b32 v15, off, s33 offset:48 ; 4-byte Folded Reload
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	s_wait_loadcnt 0x0
	v_readlane_b32 s0, v15, 12
	s_or_b32 exec_lo, exec_lo, s0
	v_readlane_b32 s1, v15, 13
	s_mov_b32 s0, exec_lo
	v_writelane_b32 v15, s0, 14
	s_or_saveexec_b32 s11, -1
	scratch_store_b32 off, v15, s33 offset:48 ; 4-byte Folded Spill
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	s_and_b32 s0, s0, s1
	s_mov_b32 exec_lo, s0
	s_cbranch_execz .LBB0_11
; %bb.6:
	scratch_load_b64 v[0:1], off, s33 offset:72 ; 8-byte Folded Reload
	scratch_load_b64 v[2:3], off, s33 offset:96 ; 8-byte Folded Reload
	s_wait_loadcnt 0x0
	flat_load_b32 v2, v[2:3]
	s_mov_b32 s0, 2
	s_wait_loadcnt_dscnt 0x0
	s_wait_xcnt 0x0
	v_lshlrev_b32_e64 v2, s0, v2
	s_mov_b32 s0, -1
	v_cmp_ne_u32_e64 s1, v2, s0
	s_mov_b64 s[4:5], 0
	s_mov_b32 s0, s4
	v_cndmask_b32_e64 v2, s0, v2, s1
	s_mov_b64 s[2:3], src_shared_base
	s_mov_b32 s2, s3
	s_mov_b32 s0, s5
	v_mov_b32_e32 v3, s2
	v_cndmask_b32_e64 v4, s0, v3, s1
                                        ; kill: def $vgpr2 killed $vgpr2 def $vgpr2_vgpr3 killed $exec
	v_mov_b32_e32 v3, v4
	flat_store_b64 v[0:1], v[2:3]
	s_branch .LBB0_11
.LBB0_7:
	s_or_saveexec_b32 s11, -1
	scratch_load_b32 v15, off, s33 offset:48 ; 4-byte Folded Reload
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	s_wait_loadcnt 0x0
	v_readlane_b32 s0, v15, 6
	s_or_saveexec_b32 s0, s0
	v_readlane_b32 s2, v15, 5
	v_writelane_b32 v15, s2, 9
	s_mov_b32 s1, 0
	v_writelane_b32 v15, s2, 10
	v_writelane_b32 v15, s1, 11
	s_and_b32 s0, exec_lo, s0
	v_writelane_b32 v15, s0, 15
	s_or_saveexec_b32 s11, -1
	scratch_store_b32 off, v15, s33 offset:48 ; 4-byte Folded Spill
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	s_xor_b32 exec_lo, exec_lo, s0
	s_cbranch_execz .LBB0_9
	s_branch .LBB0_4
.LBB0_8:
	s_or_saveexec_b32 s11, -1
	scratch_load_b32 v15, off, s33 offset:48 ; 4-byte Folded Reload
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	scratch_load_b64 v[0:1], off, s33 offset:72 ; 8-byte Folded Reload
	scratch_load_b64 v[2:3], off, s33 offset:80 ; 8-byte Folded Reload
	scratch_load_b64 v[4:5], off, s33 offset:96 ; 8-byte Folded Reload
	s_wait_loadcnt 0x0
	flat_load_b32 v4, v[4:5]
	s_mov_b32 s0, 1
	s_wait_loadcnt_dscnt 0x0
	s_wait_xcnt 0x0
	v_and_b32_e64 v4, v4, s0
	s_mov_b32 s0, 2
	v_lshlrev_b32_e64 v4, s0, v4
	v_mov_b32_e32 v6, 0
                                        ; kill: def $vgpr4 killed $vgpr4 def $vgpr4_vgpr5 killed $exec
	v_mov_b32_e32 v5, v6
	v_add_nc_u64_e64 v[2:3], v[2:3], v[4:5]
	flat_store_b64 v[0:1], v[2:3]
	s_mov_b32 s0, 0
	s_xor_b32 s0, exec_lo, -1
	v_writelane_b32 v15, s0, 7
	s_wait_xcnt 0x0
	s_or_saveexec_b32 s11, -1
	scratch_store_b32 off, v15, s33 offset:48 ; 4-byte Folded Spill
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	s_branch .LBB0_3
.LBB0_9:
	s_or_saveexec_b32 s11, -1
	scratch_load_b32 v15, off, s33 offset:48 ; 4-byte Folded Reload
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	s_wait_loadcnt 0x0
	v_readlane_b32 s2, v15, 15
	s_or_b32 exec_lo, exec_lo, s2
	v_readlane_b32 s0, v15, 10
	v_readlane_b32 s1, v15, 11
	v_writelane_b32 v15, s1, 16
	v_writelane_b32 v15, s1, 13
	s_mov_b32 s1, exec_lo
	s_and_b32 s0, s1, s0
	s_xor_b32 s1, s0, s1
	v_writelane_b32 v15, s1, 12
	s_or_saveexec_b32 s11, -1
	scratch_store_b32 off, v15, s33 offset:48 ; 4-byte Folded Spill
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	s_mov_b32 exec_lo, s0
	s_cbranch_execz .LBB0_5
; %bb.10:
	s_or_saveexec_b32 s11, -1
	scratch_load_b32 v15, off, s33 offset:48 ; 4-byte Folded Reload
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	s_wait_loadcnt 0x0
	v_readlane_b32 s0, v15, 16
	scratch_load_b64 v[0:1], off, s33 offset:72 ; 8-byte Folded Reload
	scratch_load_b64 v[2:3], off, s33 offset:88 ; 8-byte Folded Reload
	scratch_load_b64 v[4:5], off, s33 offset:112 ; 8-byte Folded Reload
	s_wait_loadcnt 0x0
	flat_load_b64 v[4:5], v[4:5]
	flat_load_b32 v2, v[2:3]
	s_wait_loadcnt_dscnt 0x0
	v_ashrrev_i32_e64 v6, 31, v2
                                        ; kill: def $vgpr2 killed $vgpr2 def $vgpr2_vgpr3 killed $exec
	s_wait_xcnt 0x0
	v_mov_b32_e32 v3, v6
	s_mov_b32 s1, 2
	v_lshl_add_u64 v[2:3], v[2:3], s1, v[4:5]
	flat_store_b64 v[0:1], v[2:3]
	s_mov_b32 s1, 0
	s_and_not1_b32 s0, s0, exec_lo
	v_writelane_b32 v15, s0, 13
	s_wait_xcnt 0x0
	s_or_saveexec_b32 s11, -1
	scratch_store_b32 off, v15, s33 offset:48 ; 4-byte Folded Spill
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	s_branch .LBB0_5
.LBB0_11:
	s_wait_xcnt 0x0
	s_or_saveexec_b32 s11, -1
	scratch_load_b32 v15, off, s33 offset:48 ; 4-byte Folded Reload
	s_wait_xcnt 0x0
	s_mov_b32 exec_lo, s11
	s_wait_loadcnt 0x0
	v_readlane_b32 s0, v15, 14
	s_or_b32 exec_lo, exec_lo, s0
	scratch_load_b64 v[0:1], off, s33 offset:88 ; 8-byte Folded Reload
	scratch_load_b64 v[4:5], off, s33 offset:104 ; 8-byte Folded Reload
	scratch_load_b64 v[2:3], off, s33 offset:72 ; 8-byte Folded Reload
	scratch_load_b64 v[6:7], off, s33 offset:56 ; 8-byte Folded Reload
	scratch_load_b64 v[10:11], off, s33 offset:64 ; 8-byte Folded Reload
	s_wait_loadcnt 0x2
	flat_load_b64 v[8:9], v[2:3]
	v_mov_b32_e32 v12, 1
	s_wait_loadcnt 0x1
	flat_store_b32 v[10:11], v12
	flat_load_b32 v10, v[10:11]
	s_wait_xcnt 0x0
	s_wait_loadcnt_dscnt 0x0
	flat_atomic_add_u32 v8, v[8:9], v10 th:TH_ATOMIC_RETURN
	s_wait_loadcnt_dscnt 0x0
	flat_store_b32 v[6:7], v8
	flat_load_b64 v[2:3], v[2:3]
	s_wait_loadcnt_dscnt 0x0
	flat_load_b32 v2, v[2:3]
	flat_load_b64 v[4:5], v[4:5]
	flat_load_b32 v0, v[0:1]
	s_wait_loadcnt_dscnt 0x0
	s_wait_xcnt 0x2
	v_ashrrev_i32_e64 v3, 31, v0
                                        ; kill: def $vgpr0 killed $vgpr0 def $vgpr0_vgpr1 killed $exec
	s_wait_xcnt 0x0
	v_mov_b32_e32 v1, v3
	s_mov_b32 s0, 2
	v_lshl_add_u64 v[0:1], v[0:1], s0, v[4:5]
	global_store_b32 v[0:1], v2, off
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel mixed
		.amdhsa_group_segment_fixed_size 256
		.amdhsa_private_segment_fixed_size 128
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
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 2
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 34
		.amdhsa_named_barrier_count 0
		.amdhsa_reserve_vcc 0
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_fp16_overflow 0
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_inst_pref_size 22
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
	.size	mixed, .Lfunc_end0-mixed
                                        ; -- End function
	.set mixed.num_vgpr, 16
	.set mixed.num_agpr, 0
	.set mixed.numbered_sgpr, 34
	.set mixed.num_named_barrier, 0
	.set mixed.private_seg_size, 128
	.set mixed.uses_vcc, 0
	.set mixed.uses_flat_scratch, 0
	.set mixed.has_dyn_sized_stack, 0
	.set mixed.has_recursion, 0
	.set mixed.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 2760
; TotalNumSgprs: 34
; NumVgprs: 16
; ScratchSize: 128
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 256 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 0
; NumSGPRsForWavesPerEU: 34
; NumVGPRsForWavesPerEU: 16
; NamedBarCnt: 0
; Occupancy: 16
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
	.set amdgpu.max_num_vgpr, 0
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 0
	.set amdgpu.max_num_named_barrier, 0
	.text
	.type	.L__const.mixed.t,@object       ; @__const.mixed.t
	.section	.rodata.cst8,"aM",@progbits,8
	.p2align	2, 0x0
.L__const.mixed.t:
	.long	7                               ; 0x7
	.long	9                               ; 0x9
	.size	.L__const.mixed.t, 8

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
    .group_segment_fixed_size: 256
    .kernarg_segment_align: 8
    .kernarg_segment_size: 272
    .max_flat_workgroup_size: 1024
    .name:           mixed
    .private_segment_fixed_size: 128
    .sgpr_count:     34
    .sgpr_spill_count: 22
    .symbol:         mixed.kd
    .uses_dynamic_stack: false
    .vgpr_count:     16
    .vgpr_spill_count: 28
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--gfx1250
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
