; Two loads are under way and the older one is used: loadcnt 1 would do.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 6
    .text
    .globl drained_for_the_older_load
    .p2align 8
    .type drained_for_the_older_load,@function
drained_for_the_older_load:
    s_load_b128 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_wait_kmcnt 0x0
    global_load_b32 v2, v1, s[4:5]
    global_load_b32 v3, v1, s[4:5] offset:128
    s_wait_loadcnt 0x0
    global_store_b32 v1, v2, s[6:7]
    s_wait_loadcnt 0x0
    global_store_b32 v1, v3, s[6:7] offset:128
    s_endpgm

    .section .rodata,"a",@progbits
    .p2align 6
    .amdhsa_kernel drained_for_the_older_load
        .amdhsa_group_segment_fixed_size 0
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_next_free_vgpr 16
        .amdhsa_next_free_sgpr 32
        .amdhsa_wavefront_size32 1
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: drained_for_the_older_load
    .symbol: drained_for_the_older_load.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
