; Tiles of 4 x 16 along rows of 104, 1 in flight: wait for the oldest, use it, move address and bound, load again; the last tile hangs over the edge.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl tdm_pipeline_1_in_flight
    .p2align 8
    .type tdm_pipeline_1_in_flight,@function
tdm_pipeline_1_in_flight:
    s_load_b128 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_wait_kmcnt 0x0
    s_mov_b32 s12, 1
    s_mov_b32 s14, s4
    s_or_b32 s15, s5, 0x80000000
    s_mov_b32 s16, 0x20000
    s_mov_b32 s18, 0x40000
    s_mov_b32 s19, 0x100000
    s_mov_b32 s20, 4
    s_mov_b32 s21, 104
    s_mov_b64 s[22:23], 0
    s_mov_b32 s24, 104
    s_mov_b32 s25, 0
    s_mov_b32 s27, 0
    s_mov_b32 s28, 0
    s_mov_b32 s29, 0
    s_lshl_b32 s17, s24, 16
    s_mov_b32 s13, s25
    tensor_load_to_lds s[12:15], s[16:23]
    s_add_co_u32 s14, s14, 64
    s_add_co_ci_u32 s15, s15, 0
    s_sub_co_i32 s24, s24, 16
    s_addk_co_i32 s25, 0x100
    s_cmp_eq_u32 s25, 0x100
    s_cselect_b32 s25, 0, s25
.Lmain:
    s_wait_tensorcnt 0x0
    v_add_nc_u32_e32 v2, s28, v1
    ds_load_b32 v3, v2
    ds_load_b32 v4, v2 offset:128
    v_add_nc_u32_e32 v5, s29, v1
    s_wait_dscnt 0x0
    global_store_b32 v5, v3, s[6:7]
    global_store_b32 v5, v4, s[6:7] offset:128
    s_addk_co_i32 s29, 0x100
    s_addk_co_i32 s28, 0x100
    s_cmp_eq_u32 s28, 0x100
    s_cselect_b32 s28, 0, s28
    s_wait_xcnt 0x0
    s_lshl_b32 s17, s24, 16
    s_mov_b32 s13, s25
    tensor_load_to_lds s[12:15], s[16:23]
    s_add_co_u32 s14, s14, 64
    s_add_co_ci_u32 s15, s15, 0
    s_sub_co_i32 s24, s24, 16
    s_addk_co_i32 s25, 0x100
    s_cmp_eq_u32 s25, 0x100
    s_cselect_b32 s25, 0, s25
    s_cmp_gt_i32 s24, 0
    s_cbranch_scc1 .Lmain
    s_wait_tensorcnt 0x0
.Ldrain:
    v_add_nc_u32_e32 v2, s28, v1
    ds_load_b32 v3, v2
    ds_load_b32 v4, v2 offset:128
    v_add_nc_u32_e32 v5, s29, v1
    s_wait_dscnt 0x0
    global_store_b32 v5, v3, s[6:7]
    global_store_b32 v5, v4, s[6:7] offset:128
    s_addk_co_i32 s29, 0x100
    s_addk_co_i32 s28, 0x100
    s_cmp_eq_u32 s28, 0x100
    s_cselect_b32 s28, 0, s28
    s_wait_xcnt 0x0
    s_add_co_i32 s27, s27, 1
    s_cmp_lt_i32 s27, 1
    s_cbranch_scc1 .Ldrain
    s_endpgm
.Ltdm_pipeline_1_in_flight_end:
    .size tdm_pipeline_1_in_flight, .Ltdm_pipeline_1_in_flight_end-tdm_pipeline_1_in_flight

    .rodata
    .p2align 6
    .amdhsa_kernel tdm_pipeline_1_in_flight
        .amdhsa_group_segment_fixed_size 256
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
  - .name: tdm_pipeline_1_in_flight
    .symbol: tdm_pipeline_1_in_flight.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 256
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
