; G14: one path adds one load, the other three: asynccnt 1 holds on both.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl golden_g14_minimum_of_paths
    .p2align 8
    .type golden_g14_minimum_of_paths,@function
golden_g14_minimum_of_paths:
    s_load_b128 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_lshl_add_u32 v9, ttmp9, 7, v1
    s_wait_kmcnt 0x0
    v_add_nc_u32_e32 v6, 0x80, v1
    v_add_nc_u32_e32 v7, 0x100, v1
    v_add_nc_u32_e32 v8, 0x180, v1
    global_load_async_to_lds_b32 v1, v9, s[4:5]
    s_cmp_eq_u32 ttmp9, 0
    s_cbranch_scc1 .Lone
    global_load_async_to_lds_b32 v6, v9, s[4:5]
    global_load_async_to_lds_b32 v7, v9, s[4:5]
.Lone:
    global_load_async_to_lds_b32 v8, v9, s[4:5]
    s_wait_asynccnt 0x1
    ds_load_b32 v2, v1
    s_wait_dscnt 0x0
    global_store_b32 v9, v2, s[6:7]
    s_wait_asynccnt 0x0
    s_endpgm
.Lgolden_g14_minimum_of_paths_end:
    .size golden_g14_minimum_of_paths, .Lgolden_g14_minimum_of_paths_end-golden_g14_minimum_of_paths

    .rodata
    .p2align 6
    .amdhsa_kernel golden_g14_minimum_of_paths
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 48
        .amdhsa_next_free_sgpr 64
        .amdhsa_wavefront_size32 1
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: golden_g14_minimum_of_paths
    .symbol: golden_g14_minimum_of_paths.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 64
    .vgpr_count: 48
    .max_flat_workgroup_size: 32
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
