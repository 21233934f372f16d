    .amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
    .amdhsa_code_object_version 5
    .text
    .globl k
    .p2align 8
    .type k,@function
k:
    s_load_b128 s[4:7], s[0:1], 0x0
    v_lshlrev_b32_e32 v1, 5, v0
    v_mov_b32_e32 v16, 0x7f7f7f7f
    v_mov_b32_e32 v17, 0x80808080
    v_mov_b32_e32 v66, 0x38383838
    v_mov_b32_e32 v67, 0x38383838
    v_mov_b32_e32 v68, 0x38383838
    v_mov_b32_e32 v69, 0x38383838
    v_mov_b32_e32 v70, 0x38383838
    v_mov_b32_e32 v71, 0x38383838
    v_mov_b32_e32 v72, 0x38383838
    v_mov_b32_e32 v73, 0x38383838
    v_mov_b32_e32 v74, 0x38383838
    v_mov_b32_e32 v75, 0x38383838
    v_mov_b32_e32 v76, 0x38383838
    v_mov_b32_e32 v77, 0x38383838
    v_mov_b32_e32 v78, 0x38383838
    v_mov_b32_e32 v79, 0x38383838
    v_mov_b32_e32 v80, 0x38383838
    v_mov_b32_e32 v81, 0x38383838
    s_set_vgpr_msb 0x40
    v_mov_b32_e32 v16, 0
    v_mov_b32_e32 v17, 0
    v_mov_b32_e32 v42, 0x22222222
    v_mov_b32_e32 v43, 0x22222222
    v_mov_b32_e32 v44, 0x22222222
    v_mov_b32_e32 v45, 0x22222222
    v_mov_b32_e32 v46, 0x22222222
    v_mov_b32_e32 v47, 0x22222222
    v_mov_b32_e32 v48, 0x22222222
    v_mov_b32_e32 v49, 0x22222222
    s_set_vgpr_msb 0x4001
    v_wmma_scale_f32_16x16x128_f8f6f4 v[20:27], v[42:49], v[66:81], 0, v16, v17 matrix_a_fmt:MATRIX_FMT_FP4
    s_set_vgpr_msb 0x100
    s_wait_kmcnt 0x0
    global_store_b128 v1, v[20:23], s[6:7]
    global_store_b128 v1, v[24:27], s[6:7] offset:16

    s_endpgm
.Lk_end:
    .size k, .Lk_end-k
    .rodata
    .p2align 6
    .amdhsa_kernel k
        .amdhsa_group_segment_fixed_size 4096
        .amdhsa_kernarg_size 16
        .amdhsa_user_sgpr_count 2
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_system_sgpr_workgroup_id_x 1
        .amdhsa_next_free_vgpr 400
        .amdhsa_next_free_sgpr 60
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
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 60
    .vgpr_count: 400
    .max_flat_workgroup_size: 256
    .args:
      - {.name: a0, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: a1, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
...
    .end_amdgpu_metadata
