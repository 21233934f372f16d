    .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
    .amdhsa_code_object_version 5
    .text
    .globl k
    .p2align 8
    .type k,@function
// The result of a product is read at the head of the next turn of the loop, seven wait states behind it.
k:
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    v_lshlrev_b32_e32 v1, 2, v0
    global_load_dword v2, v1, s[4:5]
    v_mov_b32_e32 v10, 0
    v_mov_b32_e32 v11, 0
    v_mov_b32_e32 v12, 0
    v_mov_b32_e32 v13, 0
    v_mov_b32_e32 v14, 0
    v_mov_b32_e32 v15, 0
    v_mov_b32_e32 v16, 0
    v_mov_b32_e32 v17, 0
    s_nop 1
    s_mov_b32 s8, 3
.Lnext:
    v_mov_b32_e32 v9, v11
    v_mov_b32_e32 v8, v9
    s_nop 7
    s_nop 7
    v_mfma_f32_16x16x16_f16 v[10:13], v[14:15], v[16:17], v[10:13]
    s_sub_i32 s8, s8, 1
    s_cmp_lg_u32 s8, 0
    s_nop 3
    s_cbranch_scc1 .Lnext
    s_waitcnt vmcnt(0)
    v_or_b32_e32 v2, v2, v9
    global_store_dword v1, v2, s[6:7]
    s_endpgm
.Lend:
    .size k, .Lend-k
    .rodata
    .p2align 6
    .amdhsa_kernel k
        .amdhsa_group_segment_fixed_size 0
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
    .group_segment_fixed_size: 0
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
