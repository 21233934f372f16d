    .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
    .amdhsa_code_object_version 5
    .text
    .globl ds_read_result_used_early
    .p2align 8
    .type ds_read_result_used_early,@function
ds_read_result_used_early:
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    s_waitcnt lgkmcnt(0)
    v_lshlrev_b32_e32 v1, 2, v0
    global_load_dword v2, v1, s[4:5]
    s_waitcnt vmcnt(0)
    ds_write_b32 v1, v2
    ds_read_b32 v3, v1
    s_waitcnt lgkmcnt(0)
    v_add_u32_e32 v3, 1, v3
    global_store_dword v1, v3, s[6:7]
    s_endpgm
.Lds_read_result_used_early_end:
    .size ds_read_result_used_early, .Lds_read_result_used_early_end-ds_read_result_used_early

    .rodata
    .p2align 6
    .amdhsa_kernel ds_read_result_used_early
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
  - .name: ds_read_result_used_early
    .symbol: ds_read_result_used_early.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 48
    .vgpr_count: 32
    .max_flat_workgroup_size: 64
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
