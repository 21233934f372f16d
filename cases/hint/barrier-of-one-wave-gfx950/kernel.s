; The workgroup is one wave: its barrier waits for nobody.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx950"
    .amdhsa_code_object_version 5
    .text
    .globl barrier_of_one_wave
    .p2align 8
    .type barrier_of_one_wave,@function
barrier_of_one_wave:
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_xor_b32_e32 v2, 0x80, v1
    s_waitcnt lgkmcnt(0)
    global_load_dword v3, v1, s[4:5]
    s_waitcnt vmcnt(0)
    ds_write_b32 v1, v3
    s_waitcnt lgkmcnt(0)
    s_barrier
    ds_read_b32 v4, v2
    s_waitcnt lgkmcnt(0)
    global_store_dword v2, v4, s[6:7]
    s_endpgm

    .section .rodata,"a",@progbits
    .p2align 6
    .amdhsa_kernel barrier_of_one_wave
        .amdhsa_group_segment_fixed_size 256
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
  - .name: barrier_of_one_wave
    .symbol: barrier_of_one_wave.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 256
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
