; Two loads may be outstanding behind the first: the flat one may still be.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl flat_load
    .p2align 8
    .type flat_load,@function
flat_load:
    s_load_b128 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_wait_kmcnt 0x0
    v_add_co_u32 v6, vcc_lo, s4, v1
    v_add_co_ci_u32_e64 v7, null, s5, 0, vcc_lo
    ds_store_b32 v1, v0
    s_wait_dscnt 0x0
    global_load_b32 v3, v1, s[4:5]
    flat_load_b32 v2, v[6:7]
    flat_store_b32 v[6:7], v0
    ds_load_b32 v4, v1
    global_load_b32 v5, v1, s[4:5]
    s_wait_loadcnt 0x2
    s_wait_dscnt 0x0
    v_sub_nc_u32_e32 v2, v2, v4
    v_add_nc_u32_e32 v2, v2, v0
    global_store_b32 v1, v2, s[6:7]
    s_endpgm
.Lflat_load_end:
    .size flat_load, .Lflat_load_end-flat_load

    .rodata
    .p2align 6
    .amdhsa_kernel flat_load
        .amdhsa_group_segment_fixed_size 256
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 64
        .amdhsa_next_free_sgpr 64
        .amdhsa_wavefront_size32 1
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: flat_load
    .symbol: flat_load.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 64
    .vgpr_count: 64
    .max_flat_workgroup_size: 32
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
