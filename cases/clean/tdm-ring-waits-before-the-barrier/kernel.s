; A ring of two tiles that two waves fill by halves: each waits for its own older tile, then all meet, then they read.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl ring_waits_in_time
    .p2align 8
    .type ring_waits_in_time,@function
ring_waits_in_time:
    s_load_b128 s[4:7], s[0:1], 0x0
    v_and_b32_e32 v1, 31, v0
    v_lshlrev_b32_e32 v1, 2, v1
    v_lshrrev_b32_e32 v2, 5, v0
    v_readfirstlane_b32 s8, v2
    s_lshl_b32 s10, s8, 7
    s_mov_b32 s11, 0
    s_xor_b32 s25, s10, 0x80
    v_add_nc_u32_e32 v3, s25, v1
    v_mov_b32_e32 v4, v3
    s_wait_kmcnt 0x0
    s_mov_b32 s12, 1
    s_mov_b32 s13, s10
    s_add_nc_u64 s[14:15], s[4:5], s[10:11]
    s_or_b32 s15, s15, 0x80000000
    s_mov_b32 s16, 0x20000
    s_mov_b32 s17, 0x200000
    s_mov_b32 s18, 0x10000
    s_mov_b32 s19, 0x200000
    s_mov_b32 s20, 1
    s_mov_b32 s21, 32
    s_mov_b64 s[22:23], 0
    tensor_load_to_lds s[12:15], s[16:23]
    s_mov_b32 s24, 0
.Lturn:
    s_xor_b32 s13, s13, 0x100
    s_add_nc_u64 s[14:15], s[14:15], 0x100
    s_cmp_lt_u32 s24, 3
    s_cselect_b32 s12, 1, 0
    tensor_load_to_lds s[12:15], s[16:23]
    s_wait_tensorcnt 0x1
    s_barrier_signal -1
    s_barrier_wait -1
    ds_load_b32 v5, v3
    s_wait_dscnt 0x0
    global_store_b32 v4, v5, s[6:7]
    s_add_nc_u64 s[6:7], s[6:7], 0x100
    v_xor_b32_e32 v3, 0x100, v3
    s_barrier_signal -1
    s_barrier_wait -1
    s_add_co_i32 s24, s24, 1
    s_cmp_lt_u32 s24, 4
    s_cbranch_scc1 .Lturn
    s_endpgm
.Lring_waits_in_time_end:
    .size ring_waits_in_time, .Lring_waits_in_time_end-ring_waits_in_time

    .rodata
    .p2align 6
    .amdhsa_kernel ring_waits_in_time
        .amdhsa_group_segment_fixed_size 512
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
  - .name: ring_waits_in_time
    .symbol: ring_waits_in_time.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 64
    .vgpr_count: 64
    .max_flat_workgroup_size: 64
    .args:
      - {.name: src, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: dst, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
