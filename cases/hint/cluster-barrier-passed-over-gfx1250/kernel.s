    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl k
    .p2align 8
    .type k,@function
// The first wave of each workgroup goes through two phases of the cluster's barrier; nothing makes the second wave come to its
// first wait before both have ended.
k:
    s_load_b128 s[4:7], s[0:1], 0x0
    s_wait_kmcnt 0x0
    s_barrier_signal_isfirst -1
    s_barrier_wait -1
    s_cbranch_scc0 .Lidle
    s_barrier_signal -3
    s_barrier_wait -3
    s_barrier_signal -3
    s_branch .Lmet
.Lidle:
    s_movk_i32 s9, 0x200
.Lslow:
    s_sub_co_i32 s9, s9, 1
    s_cmp_lg_u32 s9, 0
    s_cbranch_scc1 .Lslow
    s_barrier_wait -3
.Lmet:
    s_barrier_wait -3
    s_and_b32 s8, ttmp6, 15
    s_lshl_b32 s8, s8, 8
    v_lshlrev_b32_e32 v1, 2, v0
    v_add_nc_u32_e32 v1, s8, v1
    global_load_b32 v2, v1, s[4:5]
    s_wait_loadcnt 0x0
    global_store_b32 v1, v2, s[6:7]
    s_endpgm
.Lend:
    .size k, .Lend-k
    .rodata
    .p2align 6
    .amdhsa_kernel k
        .amdhsa_group_segment_fixed_size 2048
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
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 2048
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 64
    .vgpr_count: 64
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: a0, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: a1, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
