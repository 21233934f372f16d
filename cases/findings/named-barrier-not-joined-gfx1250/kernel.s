; Two waves exchange what they have in LDS over a named barrier that none of them has joined.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl exchange
    .p2align 8
    .type exchange,@function
exchange:
    s_load_b128 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_mov_b32 m0, 0x20001
    s_barrier_init m0
    s_barrier_signal -1
    s_barrier_wait -1
    ds_store_b32 v1, v0
    v_xor_b32_e32 v3, 0x80, v1
    s_wait_dscnt 0x0
    s_barrier_signal 1
    s_barrier_wait 1
    ds_load_b32 v2, v3
    s_wait_dscnt 0x0
    s_wait_kmcnt 0x0
    global_store_b32 v3, v2, s[6:7]
    s_endpgm
.Lexchange_end:
    .size exchange, .Lexchange_end-exchange

    .rodata
    .p2align 6
    .amdhsa_kernel exchange
        .amdhsa_group_segment_fixed_size 256
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 16
        .amdhsa_next_free_sgpr 40
        .amdhsa_wavefront_size32 1
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: exchange
    .symbol: exchange.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 40
    .vgpr_count: 16
    .max_flat_workgroup_size: 64
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
