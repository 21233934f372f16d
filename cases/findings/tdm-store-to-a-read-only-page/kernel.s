; A tensor store to a buffer that may only be read: an XNACK error, told once, at the end.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl store_read_only
    .p2align 8
    .type store_read_only,@function
store_read_only:
    s_load_b128 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_wait_kmcnt 0x0
    global_load_b32 v2, v1, s[4:5]
    s_wait_loadcnt 0x0
    ds_store_b32 v1, v2
    s_wait_dscnt 0x0
    s_mov_b32 s12, 1
    s_mov_b32 s13, 0
    s_mov_b32 s14, s6
    s_or_b32 s15, s7, 0x80000000
    s_mov_b32 s16, 0x20000
    s_mov_b32 s17, 0x200000
    s_mov_b32 s18, 0x10000
    s_mov_b32 s19, 0x200000
    s_mov_b32 s20, 1
    s_mov_b32 s21, 32
    s_mov_b64 s[22:23], 0
    tensor_store_from_lds s[12:15], s[16:23]
    s_wait_tensorcnt 0x0
    s_endpgm
.Lstore_read_only_end:
    .size store_read_only, .Lstore_read_only_end-store_read_only

    .rodata
    .p2align 6
    .amdhsa_kernel store_read_only
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
  - .name: store_read_only
    .symbol: store_read_only.kd
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
