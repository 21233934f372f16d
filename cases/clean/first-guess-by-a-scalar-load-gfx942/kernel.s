; One lane of each workgroup adds; a scalar load gives the loop of compare-and-swap its first guess.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
    .amdhsa_code_object_version 5
    .text
    .globl k
    .p2align 8
    .type k,@function
k:
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_mov_b32_e32 v1, 0
    v_cmp_eq_u32_e32 vcc, 0, v0
    s_and_saveexec_b64 s[8:9], vcc
    s_cbranch_execz .Lout
    s_waitcnt lgkmcnt(0)
    s_load_dword s10, s[4:5], 0x4
    s_mov_b32 s11, 0xffff
    s_waitcnt lgkmcnt(0)
    v_mov_b32_e32 v3, s10
.Lagain:
    v_add_u16_e32 v2, 1, v3
    v_bfi_b32 v2, s11, v2, v3
    global_atomic_cmpswap v4, v1, v[2:3], s[4:5] offset:4 sc0
    s_waitcnt vmcnt(0)
    v_cmp_ne_u32_e32 vcc, v4, v3
    v_mov_b32_e32 v3, v4
    s_and_b64 exec, exec, vcc
    s_cbranch_execnz .Lagain
.Lout:
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
    .max_flat_workgroup_size: 64
    .args:
      - {.name: a, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: out, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
