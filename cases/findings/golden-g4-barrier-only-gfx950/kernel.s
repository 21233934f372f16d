; G4: a barrier without vmcnt does not wait for a direct load.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx950"
    .amdhsa_code_object_version 5
    .text
    .globl golden_g4_barrier_only_gfx950
    .p2align 8
    .type golden_g4_barrier_only_gfx950,@function
golden_g4_barrier_only_gfx950:
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    v_readfirstlane_b32 s8, v1
    s_mov_b32 m0, s8
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_barrier
    v_xor_b32_e32 v3, 0x100, v1
    ds_read_b32 v2, v3
    s_waitcnt lgkmcnt(0)
    global_store_dword v3, v2, s[6:7]
    s_endpgm
.Lgolden_g4_barrier_only_gfx950_end:
    .size golden_g4_barrier_only_gfx950, .Lgolden_g4_barrier_only_gfx950_end-golden_g4_barrier_only_gfx950

    .rodata
    .p2align 6
    .amdhsa_kernel golden_g4_barrier_only_gfx950
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 48
        .amdhsa_next_free_sgpr 64
        .amdhsa_accum_offset 48
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: golden_g4_barrier_only_gfx950
    .symbol: golden_g4_barrier_only_gfx950.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 64
    .vgpr_count: 48
    .max_flat_workgroup_size: 128
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
