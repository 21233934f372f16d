; G10: a barrier does not wait for an async load.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl golden_g10_async_barrier_only
    .p2align 8
    .type golden_g10_async_barrier_only,@function
golden_g10_async_barrier_only:
    s_load_b128 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_wait_kmcnt 0x0
    global_load_async_to_lds_b32 v1, v1, s[4:5]
    s_barrier_signal -1
    s_barrier_wait -1
    v_xor_b32_e32 v3, 0x80, v1
    ds_load_b32 v2, v3
    s_wait_dscnt 0x0
    global_store_b32 v3, v2, s[6:7]
    s_endpgm
.Lgolden_g10_async_barrier_only_end:
    .size golden_g10_async_barrier_only, .Lgolden_g10_async_barrier_only_end-golden_g10_async_barrier_only

    .rodata
    .p2align 6
    .amdhsa_kernel golden_g10_async_barrier_only
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
  - .name: golden_g10_async_barrier_only
    .symbol: golden_g10_async_barrier_only.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 64
    .vgpr_count: 48
    .max_flat_workgroup_size: 64
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
