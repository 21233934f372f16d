    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl k
    .p2align 8
    .type k,@function
// Each lane's arrival stands behind the wave's asynchronous loads: when the phase of the barrier word has ended, they have landed.
k:
    s_load_b128 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 4, v0
    v_mov_b32_e32 v2, 0x8000
    v_mov_b32_e32 v4, 31
    v_mov_b32_e32 v5, 31
    v_cmp_eq_u32_e32 vcc_lo, 0, v0
    s_and_saveexec_b32 s8, vcc_lo
    ds_store_b64 v2, v[4:5]
    s_mov_b32 exec_lo, s8
    s_wait_dscnt 0x0
    s_wait_kmcnt 0x0
    global_load_async_to_lds_b128 v1, v1, s[4:5] offset:0
    global_load_async_to_lds_b128 v1, v1, s[4:5] offset:512
    global_load_async_to_lds_b128 v1, v1, s[4:5] offset:1024
    global_load_async_to_lds_b128 v1, v1, s[4:5] offset:1536
    global_load_async_to_lds_b128 v1, v1, s[4:5] offset:2048
    global_load_async_to_lds_b128 v1, v1, s[4:5] offset:2560
    global_load_async_to_lds_b128 v1, v1, s[4:5] offset:3072
    global_load_async_to_lds_b128 v1, v1, s[4:5] offset:3584
    ds_atomic_async_barrier_arrive_b64 v2
.Lp:
    ds_load_b32 v6, v2
    s_wait_dscnt 0x0
    v_and_b32_e32 v6, 0x20000000, v6
    v_cmp_ne_u32_e32 vcc_lo, 0, v6
    s_cbranch_vccz .Lp
    ds_load_b128 v[8:11], v1 offset:0
    s_wait_dscnt 0x0
    global_store_b128 v1, v[8:11], s[6:7] offset:0
    ds_load_b128 v[8:11], v1 offset:512
    s_wait_dscnt 0x0
    global_store_b128 v1, v[8:11], s[6:7] offset:512
    ds_load_b128 v[8:11], v1 offset:1024
    s_wait_dscnt 0x0
    global_store_b128 v1, v[8:11], s[6:7] offset:1024
    ds_load_b128 v[8:11], v1 offset:1536
    s_wait_dscnt 0x0
    global_store_b128 v1, v[8:11], s[6:7] offset:1536
    ds_load_b128 v[8:11], v1 offset:2048
    s_wait_dscnt 0x0
    global_store_b128 v1, v[8:11], s[6:7] offset:2048
    ds_load_b128 v[8:11], v1 offset:2560
    s_wait_dscnt 0x0
    global_store_b128 v1, v[8:11], s[6:7] offset:2560
    ds_load_b128 v[8:11], v1 offset:3072
    s_wait_dscnt 0x0
    global_store_b128 v1, v[8:11], s[6:7] offset:3072
    ds_load_b128 v[8:11], v1 offset:3584
    s_wait_dscnt 0x0
    global_store_b128 v1, v[8:11], s[6:7] offset:3584

    s_endpgm
.Lk_end:
    .size k, .Lk_end-k
    .rodata
    .p2align 6
    .amdhsa_kernel k
        .amdhsa_group_segment_fixed_size 32784
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
    .group_segment_fixed_size: 32784
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
