; Vector translations end in order: with one outstanding the older load has been translated.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl xcnt_in_order
    .p2align 8
    .type xcnt_in_order,@function
xcnt_in_order:
    s_load_b128 s[4:7], s[0:1], 0x0
    s_wait_kmcnt 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v3, v1
    global_load_b32 v2, v1, s[4:5]
    global_load_b32 v4, v3, s[4:5]
    s_wait_xcnt 0x1
    v_mov_b32_e32 v1, 0
    s_wait_loadcnt 0x0
    global_store_b32 v3, v4, s[6:7]
    s_endpgm
.Lxcnt_in_order_end:
    .size xcnt_in_order, .Lxcnt_in_order_end-xcnt_in_order

    .rodata
    .p2align 6
    .amdhsa_kernel xcnt_in_order
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
  - .name: xcnt_in_order
    .symbol: xcnt_in_order.kd
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
