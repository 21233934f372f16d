; Lane l keeps a word at 128 l: all 64 lanes want one of the 32 banks.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
    .amdhsa_code_object_version 5
    .text
    .globl column_of_words
    .p2align 8
    .type column_of_words,@function
column_of_words:
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_lshlrev_b32_e32 v2, 7, v0
    s_waitcnt lgkmcnt(0)
    global_load_dword v3, v1, s[4:5]
    s_waitcnt vmcnt(0)
    ds_write_b32 v2, v3
    ds_read_b32 v4, v2
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v4, s[6:7]
    s_endpgm

    .section .rodata,"a",@progbits
    .p2align 6
    .amdhsa_kernel column_of_words
        .amdhsa_group_segment_fixed_size 8192
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_next_free_vgpr 16
        .amdhsa_next_free_sgpr 32
        .amdhsa_accum_offset 16
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: column_of_words
    .symbol: column_of_words.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 8192
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
