; The buffer ends inside the third row of the tile: what is there of it is written.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl store_row
    .p2align 8
    .type store_row,@function
store_row:
    s_load_b128 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_add_nc_u32_e32 v2, 100, v0
    ds_store_b32 v1, v2
    ds_store_b32 v1, v2 offset:128
    s_wait_dscnt 0x0
    s_wait_kmcnt 0x0
    s_mov_b32 s12, 1
    s_mov_b32 s13, 0
    s_mov_b32 s14, s6
    s_or_b32 s15, s7, 0x80000000
    s_mov_b32 s16, 0x20000
    s_mov_b32 s17, 0x100000
    s_mov_b32 s18, 0x30000
    s_mov_b32 s19, 0x100000
    s_mov_b32 s20, 0x3
    s_mov_b32 s21, 0x18
    s_mov_b32 s22, 0x0
    s_mov_b32 s23, 0x0
    tensor_store_from_lds s[12:15], s[16:23]
    s_wait_tensorcnt 0x0
    s_endpgm
.Lstore_row_end:
    .size store_row, .Lstore_row_end-store_row

    .rodata
    .p2align 6
    .amdhsa_kernel store_row
        .amdhsa_group_segment_fixed_size 512
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
  - .name: store_row
    .symbol: store_row.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
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
