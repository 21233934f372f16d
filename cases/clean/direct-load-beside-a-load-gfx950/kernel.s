; A load to v3 is under way when a direct load of four dwords is issued, which has no destination register (its field is 0).
    .amdgcn_target "amdgcn-amd-amdhsa--gfx950"
    .amdhsa_code_object_version 5
    .text
    .globl direct_load_beside_a_load
    .p2align 8
    .type direct_load_beside_a_load,@function
direct_load_beside_a_load:
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 4, v0
    v_lshlrev_b32_e32 v2, 2, v0
    s_mov_b32 s10, 0x400
    s_mov_b32 s11, 0x27000
    s_mov_b32 m0, 0
    s_waitcnt lgkmcnt(0)
    s_mov_b32 s8, s4
    s_and_b32 s9, s5, 0xffff
    buffer_load_dword v3, v2, s[8:11], 0 offen
    buffer_load_dwordx4 v1, s[8:11], 0 offen lds
    s_waitcnt vmcnt(0)
    v_add_u32_e32 v3, v3, v3
    ds_read_b128 v[4:7], v1
    s_waitcnt lgkmcnt(0)
    global_store_dwordx4 v1, v[4:7], s[6:7]
    s_endpgm

    .section .rodata,"a",@progbits
    .p2align 6
    .amdhsa_kernel direct_load_beside_a_load
        .amdhsa_group_segment_fixed_size 1024
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
  - .name: direct_load_beside_a_load
    .symbol: direct_load_beside_a_load.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
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
