; G5 with vmcnt(4): the second load is not proven, 3 is the right number.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
    .amdhsa_code_object_version 5
    .text
    .globl golden_g5_vmcnt_too_high_by_1
    .p2align 8
    .type golden_g5_vmcnt_too_high_by_1,@function
golden_g5_vmcnt_too_high_by_1:
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    s_mov_b32 m0, 0
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x100
    s_nop 0
    global_load_lds_dword v1, s[4:5] offset:0
    s_movk_i32 m0, 0x200
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    global_load_dword v5, v1, s[4:5]
    s_movk_i32 m0, 0x300
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_waitcnt vmcnt(4)
    ds_read_b32 v2, v1 offset:256
    s_waitcnt vmcnt(0)
    ds_read_b32 v3, v1 offset:768
    s_waitcnt lgkmcnt(0)
    v_sub_u32_e32 v3, v3, v5
    v_add_u32_e32 v2, v2, v3
    global_store_dword v1, v2, s[6:7]
    s_endpgm
.Lgolden_g5_vmcnt_too_high_by_1_end:
    .size golden_g5_vmcnt_too_high_by_1, .Lgolden_g5_vmcnt_too_high_by_1_end-golden_g5_vmcnt_too_high_by_1

    .rodata
    .p2align 6
    .amdhsa_kernel golden_g5_vmcnt_too_high_by_1
        .amdhsa_group_segment_fixed_size 1024
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 48
        .amdhsa_next_free_sgpr 64
        .amdhsa_accum_offset 48
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: golden_g5_vmcnt_too_high_by_1
    .symbol: golden_g5_vmcnt_too_high_by_1.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 64
    .vgpr_count: 48
    .max_flat_workgroup_size: 64
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
