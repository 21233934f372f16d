    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl tensor_store_before_the_ds_store
    .p2align 8
    .type tensor_store_before_the_ds_store,@function
tensor_store_before_the_ds_store:
    s_load_b128 s[4:7], s[0:1], 0x0
    s_wait_kmcnt 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_lshrrev_b32_e32 v15, 5, v0
    v_readfirstlane_b32 s28, v15
    global_load_b32 v2, v1, s[4:5]
    s_wait_loadcnt 0x0
    v_add_nc_u32_e32 v2, 5, v2
    ds_store_b32 v1, v2
    s_mov_b32 s12, 0x20000
    s_mov_b32 s13, 0x200000
    s_mov_b32 s14, 0x10000
    s_mov_b32 s15, 0x200000
    s_mov_b32 s16, 0x1
    s_mov_b32 s17, 0x20
    s_mov_b32 s18, 0x0
    s_mov_b32 s19, 0x0
    s_mov_b32 s8, 0x1
    s_mov_b32 s9, 0x0
    s_mov_b32 s10, s6
    s_mov_b32 s11, s7
    s_or_b32 s11, s11, 0x80000000
    tensor_store_from_lds s[8:11], s[12:19]
    s_wait_tensorcnt 0x0
    s_endpgm
.Ltensor_store_before_the_ds_store_end:
    .size tensor_store_before_the_ds_store, .Ltensor_store_before_the_ds_store_end-tensor_store_before_the_ds_store

    .rodata
    .p2align 6
    .amdhsa_kernel tensor_store_before_the_ds_store
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
  - .name: tensor_store_before_the_ds_store
    .symbol: tensor_store_before_the_ds_store.kd
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
