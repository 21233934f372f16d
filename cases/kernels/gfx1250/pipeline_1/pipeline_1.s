    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl pipeline_1
    .p2align 8
    .type pipeline_1,@function
pipeline_1:
    s_load_b128 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 3, v0             // this lane's 8 bytes of a tile
    s_wait_kmcnt 0x0
    // group 0: one tile, the LDS slot, the tile's address, type 2
    s_mov_b32 s8, 1
    s_mov_b32 s9, 0
    s_mov_b32 s10, s4
    s_or_b32 s11, s5, 0x80000000
    // group 1: 4-byte elements, tensor_dim0 = 72, tensor_dim1 = 4, tile 16 x 4, row stride 72
    s_mov_b32 s12, 0x20000
    s_mov_b32 s13, 0x480000
    s_mov_b32 s14, 0x40000
    s_mov_b32 s15, 0x100000
    s_mov_b32 s16, 4
    s_mov_b32 s17, 72
    s_mov_b32 s18, 0
    s_mov_b32 s19, 0
    s_movk_i32 s30, 72                      // columns left from the tile's start
    s_mov_b32 s31, 1                       // loads before the loop
.Lfill:
    tensor_load_to_lds s[8:11], s[12:19]
    s_wait_xcnt 0x0
    s_add_co_u32 s10, s10, 64               // 16 columns on
    s_add_co_ci_u32 s11, s11, 0
    s_sub_co_i32 s30, s30, 16
    s_max_i32 s30, s30, 0
    s_lshl_b32 s13, s30, 16                 // the bound shrinks with the tile
    s_add_co_u32 s9, s9, 0x100
    s_sub_co_u32 s31, s31, 1
    s_cmp_lg_u32 s31, 0
    s_cbranch_scc1 .Lfill
    s_mov_b32 s9, 0
    v_mov_b32_e32 v4, v1
    s_mov_b32 s31, 5                        // tiles
.Lloop:
    s_wait_tensorcnt 0x0                    // tile n has landed
    ds_load_b64 v[2:3], v4
    s_wait_dscnt 0x0
    v_add_nc_u32_e32 v2, v2, v2
    v_add_nc_u32_e32 v3, v3, v3
    global_store_b64 v1, v[2:3], s[6:7]
    s_wait_xcnt 0x0
    s_add_co_u32 s6, s6, 0x100
    s_add_co_ci_u32 s7, s7, 0
    tensor_load_to_lds s[8:11], s[12:19]    // tile n + 1, into the slot just read; past the end the bound is 0
    s_wait_xcnt 0x0
    s_add_co_u32 s10, s10, 64
    s_add_co_ci_u32 s11, s11, 0
    s_sub_co_i32 s30, s30, 16
    s_max_i32 s30, s30, 0
    s_lshl_b32 s13, s30, 16
    s_add_co_u32 s9, s9, 0x100
    v_add_nc_u32_e32 v4, 0x100, v4
    s_cmp_lg_u32 s9, 0x100
    s_cbranch_scc1 .Lsame
    s_mov_b32 s9, 0
    v_mov_b32_e32 v4, v1
.Lsame:
    s_sub_co_u32 s31, s31, 1
    s_cmp_lg_u32 s31, 0
    s_cbranch_scc1 .Lloop
    s_wait_tensorcnt 0x0
    s_endpgm
.Lpipeline_1_end:
    .size pipeline_1, .Lpipeline_1_end-pipeline_1

    .rodata
    .p2align 6
    .amdhsa_kernel pipeline_1
        .amdhsa_group_segment_fixed_size 256
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 32
        .amdhsa_next_free_sgpr 48
        .amdhsa_wavefront_size32 1
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: pipeline_1
    .symbol: pipeline_1.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 48
    .vgpr_count: 32
    .max_flat_workgroup_size: 32
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
