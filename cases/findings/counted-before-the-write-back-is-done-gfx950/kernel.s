    .amdgcn_target "amdgcn-amd-amdhsa--gfx950"
    .amdhsa_code_object_version 5
    .text
    .globl k
    .p2align 8
    .type k,@function
// Each workgroup stores a row; the one that counts last adds up the rows of both. One wave counts for all: it releases what
// the others stored before the barrier. It does not wait for its write-back.
k:
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    v_lshlrev_b32_e32 v1, 2, v0
    s_lshl_b32 s8, s2, 9
    v_add_u32_e32 v2, s8, v1
    global_store_dword v2, v0, s[4:5]
    s_barrier
    v_cmp_eq_u32_e32 vcc, 0, v0
    s_and_saveexec_b64 s[10:11], vcc
    s_cbranch_execz .Lmeet
    v_mov_b32_e32 v5, 0
    v_mov_b32_e32 v6, 1
    buffer_wbl2 sc1
    global_atomic_add v7, v5, v6, s[4:5] offset:2044 sc0
    s_waitcnt vmcnt(0)
    buffer_inv sc1
    ds_write_b32 v5, v7
.Lmeet:
    s_or_b64 exec, exec, s[10:11]
    v_mov_b32_e32 v5, 0
    s_waitcnt lgkmcnt(0)
    s_barrier
    ds_read_b32 v7, v5
    s_waitcnt lgkmcnt(0)
    v_readfirstlane_b32 s9, v7
    s_cmp_eq_u32 s9, 0
    s_cbranch_scc1 .Lout
    global_load_dword v8, v1, s[4:5]
    global_load_dword v9, v1, s[4:5] offset:512
    s_waitcnt vmcnt(0)
    v_add_u32_e32 v8, v8, v9
    v_lshrrev_b32_e32 v8, 1, v8
    global_store_dword v1, v8, s[6:7]
.Lout:
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
        .amdhsa_accum_offset 64
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
    .wavefront_size: 64
    .sgpr_count: 64
    .vgpr_count: 64
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: a0, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: a1, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
