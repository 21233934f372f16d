    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl null_tensor_signals_nobody
    .p2align 8
    .type null_tensor_signals_nobody,@function
null_tensor_signals_nobody:
    s_load_b128 s[4:7], s[0:1], 0x0
    s_wait_kmcnt 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_lshrrev_b32_e32 v15, 5, v0
    v_readfirstlane_b32 s28, v15
    v_mov_b32_e32 v5, 0x200
    v_mov_b32_e32 v8, 0x0
    v_mov_b32_e32 v9, 0x0
    ds_store_b64 v5, v[8:9]
    s_wait_dscnt 0x0
    s_barrier_signal -1
    s_barrier_wait -1
    s_mov_b32 s12, 0x60000
    s_mov_b32 s13, 0x100040
    s_mov_b32 s14, 0x40000
    s_mov_b32 s15, 0x100000
    s_mov_b32 s16, 0x4
    s_mov_b32 s17, 0x10
    s_mov_b32 s18, 0x0
    s_mov_b32 s19, 0x0
    s_cmp_lg_u32 s28, 0
    s_cbranch_scc1 .Li
    s_mov_b32 s8, 0x0
    s_mov_b32 s9, 0x0
    s_mov_b32 s10, s4
    s_mov_b32 s11, s5
    s_or_b32 s11, s11, 0x80000000
    tensor_load_to_lds s[8:11], s[12:19]
.Li:
.Lpoll:
    ds_load_b32 v6, v5
    s_wait_dscnt 0x0
    v_readfirstlane_b32 s29, v6
    s_and_b32 s29, s29, 0x20000000
    s_cmp_eq_u32 s29, 0
    s_cbranch_scc1 .Lpoll
    ds_load_b32 v2, v1
    s_wait_dscnt 0x0
    global_store_b32 v1, v2, s[6:7]
    s_wait_tensorcnt 0x0
    s_endpgm
.Lnull_tensor_signals_nobody_end:
    .size null_tensor_signals_nobody, .Lnull_tensor_signals_nobody_end-null_tensor_signals_nobody

    .rodata
    .p2align 6
    .amdhsa_kernel null_tensor_signals_nobody
        .amdhsa_group_segment_fixed_size 1024
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 32
        .amdhsa_next_free_sgpr 48
        .amdhsa_wavefront_size32 1
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: null_tensor_signals_nobody
    .symbol: null_tensor_signals_nobody.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 48
    .vgpr_count: 32
    .max_flat_workgroup_size: 64
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
