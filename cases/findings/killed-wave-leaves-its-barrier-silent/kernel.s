; The tile that wave 0 sleeps on was asked for by wave 1, which is killed: its load stops and no barrier is told.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl killed_arrive
    .p2align 8
    .type killed_arrive,@function
killed_arrive:
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v8, 0x100
    v_mov_b32_e32 v6, 0
    v_mov_b32_e32 v7, 0
    s_load_b128 s[4:7], s[0:1], 0x0
    s_bfe_u32 s3, ttmp8, 0x50019
    s_wait_kmcnt 0x0
    s_cmp_eq_u32 s3, 0
    s_cbranch_scc1 .Lfirst
    s_barrier_signal -1
    s_barrier_wait -1
    s_mov_b32 s12, 1
    s_mov_b32 s13, 0
    s_mov_b32 s14, s4
    s_or_b32 s15, s5, 0x80000000
    s_mov_b32 s16, 0x60000
    s_mov_b32 s17, 0x200020
    s_mov_b32 s18, 0x10000
    s_mov_b32 s19, 0x200000
    s_mov_b32 s20, 1
    s_mov_b32 s21, 32
    s_mov_b64 s[22:23], 0
    tensor_load_to_lds s[12:15], s[16:23]
    s_wait_tensorcnt 0x0
    s_endpgm
.Lfirst:
    ds_store_b64 v8, v[6:7]
    s_wait_dscnt 0x0
    s_barrier_signal -1
    s_barrier_wait -1
.Lpoll:
    ds_load_b64 v[4:5], v8
    s_wait_dscnt 0x0
    v_readfirstlane_b32 s8, v4
    s_cmp_eq_u32 s8, 0
    s_cbranch_scc1 .Lpoll
    ds_load_b32 v3, v1
    s_wait_dscnt 0x0
    global_store_b32 v1, v3, s[6:7]
    s_endpgm
.Lkilled_arrive_end:
    .size killed_arrive, .Lkilled_arrive_end-killed_arrive

    .rodata
    .p2align 6
    .amdhsa_kernel killed_arrive
        .amdhsa_group_segment_fixed_size 512
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
  - .name: killed_arrive
    .symbol: killed_arrive.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 64
    .vgpr_count: 64
    .max_flat_workgroup_size: 64
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
