; G15: asynccnt 0x45 is more than six bits hold, so it never waits.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl golden_g15_count_beyond_the_counter
    .p2align 8
    .type golden_g15_count_beyond_the_counter,@function
golden_g15_count_beyond_the_counter:
    s_load_b128 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_wait_kmcnt 0x0
    v_add_nc_u32_e32 v6, 0x0, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x80, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x100, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x180, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x200, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x280, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x300, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x380, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x400, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x480, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x500, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x580, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x600, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x680, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x700, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x780, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x800, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x880, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x900, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x980, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0xa00, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0xa80, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0xb00, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0xb80, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0xc00, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0xc80, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0xd00, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0xd80, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0xe00, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0xe80, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0xf00, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0xf80, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1000, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1080, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1100, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1180, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1200, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1280, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1300, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1380, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1400, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1480, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1500, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1580, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1600, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1680, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1700, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1780, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1800, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1880, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1900, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1980, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1a00, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1a80, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1b00, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1b80, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1c00, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1c80, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1d00, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1d80, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1e00, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1e80, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1f00, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x1f80, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x2000, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x2080, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x2100, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x2180, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x2200, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    v_add_nc_u32_e32 v6, 0x2280, v1
    s_wait_xcnt 0x0
    global_load_async_to_lds_b32 v6, v1, s[4:5]
    s_wait_asynccnt 0x45
    ds_load_b32 v2, v1
    s_wait_asynccnt 0x0
    s_wait_dscnt 0x0
    global_store_b32 v1, v2, s[6:7]
    s_endpgm
.Lgolden_g15_count_beyond_the_counter_end:
    .size golden_g15_count_beyond_the_counter, .Lgolden_g15_count_beyond_the_counter_end-golden_g15_count_beyond_the_counter

    .rodata
    .p2align 6
    .amdhsa_kernel golden_g15_count_beyond_the_counter
        .amdhsa_group_segment_fixed_size 8960
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
  - .name: golden_g15_count_beyond_the_counter
    .symbol: golden_g15_count_beyond_the_counter.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 8960
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
