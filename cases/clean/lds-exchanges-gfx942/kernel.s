; Rare LDS atomics: append and consume, wrap, conditional exchange, two exchanges with one address.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
    .amdhsa_code_object_version 5
    .text
    .globl k
    .p2align 8
    .type k,@function
k:
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 2, v0
    v_lshlrev_b32_e32 v2, 3, v0
    ; a counter that lanes add to and take from together
    v_mov_b32_e32 v3, 0
    v_mov_b32_e32 v4, 0x64
    ds_write_b32 v3, v4
    s_mov_b32 m0, 0
    v_mov_b32_e32 v11, 7
    s_waitcnt lgkmcnt(0)
    ds_append v10
    s_waitcnt lgkmcnt(0)
    s_mov_b64 s[8:9], exec
    s_mov_b64 exec, 0x3f
    ds_consume v11
    s_waitcnt lgkmcnt(0)
    s_mov_b64 exec, s[8:9]
    ds_read_b32 v12, v3
    ; each lane counts down from its own number, or starts again
    ds_write_b32 v1, v0 offset:256
    v_mov_b32_e32 v5, 5
    v_mov_b32_e32 v6, 0x64
    s_waitcnt lgkmcnt(0)
    ds_wrap_rtn_b32 v13, v1, v5, v6 offset:256
    s_waitcnt lgkmcnt(0)
    ds_read_b32 v14, v1 offset:256
    ; the first dword is exchanged, the second stays
    v_mov_b32_e32 v20, v0
    v_mov_b32_e32 v21, 3
    ds_write_b64 v2, v[20:21] offset:512
    v_or_b32_e32 v22, 0x80000000, v0
    v_add_u32_e32 v22, 1, v22
    v_mov_b32_e32 v23, 9
    s_waitcnt lgkmcnt(0)
    ds_condxchg32_rtn_b64 v[24:25], v2, v[22:23] offset:512
    s_waitcnt lgkmcnt(0)
    ds_read_b64 v[26:27], v2 offset:512
    ; two exchanges with one address
    v_mov_b32_e32 v30, 1
    v_mov_b32_e32 v31, 2
    ds_write2st64_b32 v1, v0, v6 offset0:4 offset1:5
    s_waitcnt lgkmcnt(0)
    ds_wrxchg2st64_rtn_b32 v[32:33], v1, v30, v31 offset0:4 offset1:5
    s_waitcnt lgkmcnt(0)
    ds_read2st64_b32 v[34:35], v1 offset0:4 offset1:5
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v10, s[4:5] offset:0
    global_store_dword v1, v11, s[4:5] offset:256
    global_store_dword v1, v12, s[4:5] offset:512
    global_store_dword v1, v13, s[4:5] offset:768
    global_store_dword v1, v14, s[4:5] offset:1024
    global_store_dword v1, v24, s[4:5] offset:1280
    global_store_dword v1, v25, s[4:5] offset:1536
    global_store_dword v1, v26, s[4:5] offset:1792
    global_store_dword v1, v27, s[4:5] offset:2048
    global_store_dword v1, v32, s[4:5] offset:2304
    global_store_dword v1, v33, s[4:5] offset:2560
    global_store_dword v1, v34, s[4:5] offset:2816
    global_store_dword v1, v35, s[4:5] offset:3072
    s_endpgm
.Lend:
    .size k, .Lend-k

    .rodata
    .p2align 6
    .amdhsa_kernel k
        .amdhsa_group_segment_fixed_size 2048
        .amdhsa_kernarg_size 8
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 64
        .amdhsa_next_free_sgpr 64
        .amdhsa_accum_offset 64
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 2048
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 64
    .vgpr_count: 64
    .max_flat_workgroup_size: 64
    .args:
      - {.name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
