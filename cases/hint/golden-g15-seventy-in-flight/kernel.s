; G15: 70 direct loads and vmcnt(62): the first eight are proven; more than 63 outstanding stall.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
    .amdhsa_code_object_version 5
    .text
    .globl golden_g15_seventy_in_flight
    .p2align 8
    .type golden_g15_seventy_in_flight,@function
golden_g15_seventy_in_flight:
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    s_movk_i32 m0, 0x0
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x100
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x200
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x300
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x400
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x500
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x600
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x700
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x800
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x900
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0xa00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0xb00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0xc00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0xd00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0xe00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0xf00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x1000
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x1100
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x1200
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x1300
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x1400
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x1500
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x1600
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x1700
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x1800
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x1900
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x1a00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x1b00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x1c00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x1d00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x1e00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x1f00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x2000
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x2100
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x2200
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x2300
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x2400
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x2500
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x2600
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x2700
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x2800
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x2900
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x2a00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x2b00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x2c00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x2d00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x2e00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x2f00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x3000
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x3100
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x3200
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x3300
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x3400
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x3500
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x3600
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x3700
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x3800
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x3900
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x3a00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x3b00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x3c00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x3d00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x3e00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x3f00
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x4000
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x4100
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x4200
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x4300
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x4400
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_movk_i32 m0, 0x4500
    s_nop 0
    global_load_lds_dword v1, s[4:5]
    s_waitcnt vmcnt(62)
    ds_read_b32 v2, v1 offset:1792
    s_waitcnt vmcnt(0)
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[6:7]
    s_endpgm
.Lgolden_g15_seventy_in_flight_end:
    .size golden_g15_seventy_in_flight, .Lgolden_g15_seventy_in_flight_end-golden_g15_seventy_in_flight

    .rodata
    .p2align 6
    .amdhsa_kernel golden_g15_seventy_in_flight
        .amdhsa_group_segment_fixed_size 17920
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
  - .name: golden_g15_seventy_in_flight
    .symbol: golden_g15_seventy_in_flight.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 17920
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
