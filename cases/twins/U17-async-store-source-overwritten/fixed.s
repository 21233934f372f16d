    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl async_store_source_overwritten
    .p2align 8
    .type async_store_source_overwritten,@function
async_store_source_overwritten:
    s_load_b128 s[4:7], s[0:1], 0x0
    s_wait_kmcnt 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_lshrrev_b32_e32 v15, 5, v0
    v_readfirstlane_b32 s28, v15
    ds_store_b32 v1, v0
    s_wait_dscnt 0x0
    global_store_async_from_lds_b32 v1, v1, s[6:7]
    s_wait_asynccnt 0x0
    v_mov_b32_e32 v3, 7
    ds_store_b32 v1, v3
    s_wait_dscnt 0x0
    s_wait_asynccnt 0x0
    s_endpgm
.Lasync_store_source_overwritten_end:
    .size async_store_source_overwritten, .Lasync_store_source_overwritten_end-async_store_source_overwritten

    .rodata
    .p2align 6
    .amdhsa_kernel async_store_source_overwritten
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 32
        .amdhsa_next_free_sgpr 48
        .amdhsa_wavefront_size32 1
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: async_store_source_overwritten
    .symbol: async_store_source_overwritten.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 48
    .vgpr_count: 32
    .max_flat_workgroup_size: 32
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
