    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl k
    .p2align 8
    .type k,@function
// No wait between the store and the arrival: LDS performs both in order, so who sees the phase sees the bytes.
k:
    s_load_b128 s[4:7], s[0:1], 0x0
    v_and_b32_e32 v0, 0x3ff, v0
    v_lshlrev_b32_e32 v1, 2, v0
    v_lshrrev_b32_e32 v3, 5, v0
    v_mov_b32_e32 v2, 0x200
    v_mov_b32_e32 v4, 31
    v_mov_b32_e32 v5, 31
    s_wait_kmcnt 0x0
    v_readfirstlane_b32 s8, v3
    s_cmp_eq_u32 s8, 0
    s_cbranch_scc0 .Lreader
    ds_store_b64 v2, v[4:5]
    s_wait_dscnt 0x0
    s_barrier_signal -1
    s_barrier_wait -1
    v_mov_b32_e32 v8, 1
    v_mov_b32_e32 v9, 0
    global_load_b32 v6, v1, s[4:5]
    s_wait_loadcnt 0x0
    ds_store_b32 v1, v6
    ds_atomic_barrier_arrive_rtn_b64 v[10:11], v2, v[8:9]
    s_endpgm
.Lreader:
    s_barrier_signal -1
    s_barrier_wait -1
    v_subrev_nc_u32_e32 v1, 128, v1
.Lpoll:
    ds_load_b32 v6, v2
    s_wait_dscnt 0x0
    v_readfirstlane_b32 s9, v6
    s_bitcmp1_b32 s9, 29
    s_cbranch_scc0 .Lpoll
    ds_load_b32 v7, v1
    s_wait_dscnt 0x0
    global_store_b32 v1, v7, s[6:7]
    s_endpgm
.Lk_end:
    .size k, .Lk_end-k
    .rodata
    .p2align 6
    .amdhsa_kernel k
        .amdhsa_group_segment_fixed_size 1024
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 64
        .amdhsa_next_free_sgpr 60
        .amdhsa_wavefront_size32 1
    .end_amdhsa_kernel
    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 60
    .vgpr_count: 64
    .max_flat_workgroup_size: 256
    .args:
      - {.name: a0, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: a1, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
