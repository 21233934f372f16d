    .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
    .amdhsa_code_object_version 5
    .text
    .globl waited_but_no_barrier
    .p2align 8
    .type waited_but_no_barrier,@function
waited_but_no_barrier:
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    v_lshlrev_b32_e32 v1, 2, v0
    v_lshrrev_b32_e32 v2, 6, v0
    v_readfirstlane_b32 s8, v2
    s_lshl_b32 s9, s8, 8
    s_mov_b32 m0, s9
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_waitcnt vmcnt(0)
    s_barrier
    v_xor_b32_e32 v3, 0x1fc, v1
    ds_read_b32 v4, v3
    s_waitcnt lgkmcnt(0)
    global_store_dword v3, v4, s[6:7]
    s_endpgm
.Lwaited_but_no_barrier_end:
    .size waited_but_no_barrier, .Lwaited_but_no_barrier_end-waited_but_no_barrier

    .rodata
    .p2align 6
    .amdhsa_kernel waited_but_no_barrier
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 32
        .amdhsa_next_free_sgpr 48
        .amdhsa_accum_offset 32
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: waited_but_no_barrier
    .symbol: waited_but_no_barrier.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 48
    .vgpr_count: 32
    .max_flat_workgroup_size: 128
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
