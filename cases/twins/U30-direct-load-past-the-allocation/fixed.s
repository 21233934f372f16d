    .amdgcn_target "amdgcn-amd-amdhsa--gfx950"
    .amdhsa_code_object_version 5
    .text
    .globl direct_load_past_the_allocation
    .p2align 8
    .type direct_load_past_the_allocation,@function
direct_load_past_the_allocation:
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    v_lshlrev_b32_e32 v1, 2, v0
    v_lshrrev_b32_e32 v2, 6, v0
    v_readfirstlane_b32 s8, v2
    s_lshl_b32 s9, s8, 8
    s_mov_b32 m0, s9
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_waitcnt vmcnt(0)
    s_barrier
    ds_read_b32 v2, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[6:7]
    s_endpgm
.Ldirect_load_past_the_allocation_end:
    .size direct_load_past_the_allocation, .Ldirect_load_past_the_allocation_end-direct_load_past_the_allocation

    .rodata
    .p2align 6
    .amdhsa_kernel direct_load_past_the_allocation
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 32
        .amdhsa_next_free_sgpr 48
        .amdhsa_accum_offset 32
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: direct_load_past_the_allocation
    .symbol: direct_load_past_the_allocation.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 48
    .vgpr_count: 32
    .max_flat_workgroup_size: 128
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
