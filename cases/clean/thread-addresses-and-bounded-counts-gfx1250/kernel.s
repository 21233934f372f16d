; Addresses made of the lane's number, monitored loads, subtractions that stop at zero or do not happen.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl k
    .p2align 8
    .type k,@function
k:
    s_load_b128 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_wait_kmcnt 0x0
    global_load_addtid_b32 v2, s[4:5]
    global_load_monitor_b32 v3, v1, s[4:5]
    v_mov_b32_e32 v4, 10
    s_wait_loadcnt 0x0
    global_atomic_cond_sub_u32 v5, v1, v4, s[4:5] th:TH_ATOMIC_RETURN
    ds_store_b32 v1, v0
    s_wait_dscnt 0x0
    ds_sub_clamp_rtn_u32 v6, v1, v4
    s_wait_dscnt 0x0
    ds_cond_sub_u32 v1, v4
    s_wait_dscnt 0x0
    ds_load_b32 v7, v1
    s_wait_loadcnt 0x0
    s_wait_dscnt 0x0
    v_add_nc_u32_e32 v2, v2, v3
    global_store_addtid_b32 v2, s[6:7]
    global_store_b32 v1, v5, s[6:7] offset:128
    global_store_b32 v1, v6, s[6:7] offset:256
    global_store_b32 v1, v7, s[6:7] offset:384
    s_endpgm
.Lend:
    .size k, .Lend-k

    .rodata
    .p2align 6
    .amdhsa_kernel k
        .amdhsa_group_segment_fixed_size 128
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
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
    .group_segment_fixed_size: 128
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 64
    .vgpr_count: 64
    .max_flat_workgroup_size: 32
    .args:
      - {.name: a, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: out, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
