; s_wait_xcnt 0 proves scalar translations.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl xcnt_scalar_all
    .p2align 8
    .type xcnt_scalar_all,@function
xcnt_scalar_all:
    s_mov_b64 s[2:3], s[0:1]
    s_load_b64 s[4:5], s[0:1], 0x0
    s_load_b64 s[6:7], s[2:3], 0x8
    s_wait_xcnt 0x0
    s_mov_b64 s[0:1], 0
    s_wait_kmcnt 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    global_load_b32 v2, v1, s[4:5]
    s_wait_loadcnt 0x0
    global_store_b32 v1, v2, s[6:7]
    s_endpgm
.Lxcnt_scalar_all_end:
    .size xcnt_scalar_all, .Lxcnt_scalar_all_end-xcnt_scalar_all

    .rodata
    .p2align 6
    .amdhsa_kernel xcnt_scalar_all
        .amdhsa_group_segment_fixed_size 512
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 48
        .amdhsa_next_free_sgpr 64
        .amdhsa_wavefront_size32 1
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: xcnt_scalar_all
    .symbol: xcnt_scalar_all.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 64
    .vgpr_count: 48
    .max_flat_workgroup_size: 32
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
