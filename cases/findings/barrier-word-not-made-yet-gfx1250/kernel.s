; A barrier word in LDS is stored, and the tensor loads of both waves arrive there, behind a barrier that does not wait for the store.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl barrier_word
    .p2align 8
    .type barrier_word,@function
barrier_word:
    s_load_b128 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v6, 0
    s_mov_b32 s2, exec_lo
    v_cmpx_eq_u32_e32 0, v0
    s_cbranch_execz .Lmade
    v_mov_b32_e32 v2, 1
    v_mov_b32_e32 v3, 1
    ds_store_b64 v6, v[2:3] offset:512
.Lmade:
    s_or_b32 exec_lo, exec_lo, s2
    s_barrier_signal -1
    s_barrier_wait -1
    s_wait_kmcnt 0x0
    s_bfe_u32 s3, ttmp8, 0x50019
    s_lshl_b32 s13, s3, 8
    s_mov_b32 s12, 1
    s_add_co_u32 s14, s4, s13
    s_add_co_ci_u32 s15, s5, 0
    s_or_b32 s15, s15, 0x80000000
    s_mov_b32 s16, 0x60000
    s_mov_b32 s17, 0x400040
    s_mov_b32 s18, 0x10000
    s_mov_b32 s19, 0x400000
    s_mov_b32 s20, 1
    s_mov_b32 s21, 64
    s_mov_b64 s[22:23], 0
    tensor_load_to_lds s[12:15], s[16:23]
.Lpoll:
    s_sleep 1
    ds_load_b32 v2, v6 offset:512
    s_wait_dscnt 0x0
    v_and_b32_e32 v2, 0x20000000, v2
    v_cmp_eq_u32_e32 vcc_lo, 0, v2
    s_cbranch_vccnz .Lpoll
    ds_load_b32 v3, v1
    ds_load_b32 v4, v1 offset:256
    s_wait_dscnt 0x0
    global_store_b32 v1, v3, s[6:7]
    global_store_b32 v1, v4, s[6:7] offset:256
    s_endpgm
.Lbarrier_word_end:
    .size barrier_word, .Lbarrier_word_end-barrier_word

    .rodata
    .p2align 6
    .amdhsa_kernel barrier_word
        .amdhsa_group_segment_fixed_size 520
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
  - .name: barrier_word
    .symbol: barrier_word.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 520
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
