; G7: the same wave reads the bytes and has the result before the refill.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
    .amdhsa_code_object_version 5
    .text
    .globl golden_g7_read_before_refill
    .p2align 8
    .type golden_g7_read_before_refill,@function
golden_g7_read_before_refill:
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    ds_write_b32 v1, v0
    s_waitcnt lgkmcnt(0)
    s_mov_b32 m0, 0
    ds_read_b32 v2, v1
    s_waitcnt lgkmcnt(0)
    global_load_lds_dword v1, s[4:5]
    s_waitcnt vmcnt(0) lgkmcnt(0)
    global_store_dword v1, v2, s[6:7]
    s_endpgm
.Lgolden_g7_read_before_refill_end:
    .size golden_g7_read_before_refill, .Lgolden_g7_read_before_refill_end-golden_g7_read_before_refill

    .rodata
    .p2align 6
    .amdhsa_kernel golden_g7_read_before_refill
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
  - .name: golden_g7_read_before_refill
    .symbol: golden_g7_read_before_refill.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 64
    .vgpr_count: 48
    .max_flat_workgroup_size: 64
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
