    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl k
    .p2align 8
    .type k,@function
// Copies a row. The line that names no known instruction is not reached.
k:
    s_load_b128 s[4:7], s[0:1], 0x0
    s_wait_kmcnt 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_cmp_eq_u64 s[4:5], 0
    s_cbranch_scc1 .Lnever
    global_load_b32 v2, v1, s[4:5]
    s_wait_loadcnt 0x0
    global_store_b32 v1, v2, s[6:7]
    s_endpgm
.Lnever:
    v_of_a_later_target_b32 v1, v2
    s_endpgm
.Lend:
    .size k, .Lend-k
    .p2align 8
    .type other,@function
// Its first line has an operand too many.
other:
    v_mov_b32_e32 v1, v2, v3
    s_endpgm
.Lend2:
    .size other, .Lend2-other
    .rodata
    .p2align 6
    .amdhsa_kernel k
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_next_free_vgpr 64
        .amdhsa_next_free_sgpr 64
        .amdhsa_wavefront_size32 1
    .end_amdhsa_kernel
    .p2align 6
    .amdhsa_kernel other
        .amdhsa_kernarg_size 0
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
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .args:
      - .offset: 0
        .size: 16
        .value_kind: by_value
  - .name: other
    .symbol: other.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
...
    .end_amdgpu_metadata
