//! The kernel descriptor that `.amdhsa_*` lines describe.

use std::collections::BTreeMap;

use crate::gcn::kernel::KernelDescriptor;
use crate::gcn::target::Target;

/// The descriptor; `value` evaluates a key. manual: LLVM AMDGPUUsage.
pub(super) fn descriptor(
    target: Target,
    keys: &BTreeMap<&str, &str>,
    value: &dyn Fn(&str) -> u32,
) -> KernelDescriptor {
    const USER: [(&str, u32, u32); 7] = [
        (".amdhsa_user_sgpr_private_segment_buffer", 0, 4),
        (".amdhsa_user_sgpr_dispatch_ptr", 1, 2),
        (".amdhsa_user_sgpr_queue_ptr", 2, 2),
        (".amdhsa_user_sgpr_kernarg_segment_ptr", 3, 2),
        (".amdhsa_user_sgpr_dispatch_id", 4, 2),
        (".amdhsa_user_sgpr_flat_scratch_init", 5, 2),
        (".amdhsa_user_sgpr_private_segment_size", 6, 1),
    ];
    let mut properties = 0u32;
    let mut count = 0;
    for (key, bit, sgprs) in USER {
        if value(key) != 0 {
            properties |= 1 << bit;
            count += sgprs;
        }
    }
    let preload = value(".amdhsa_user_sgpr_kernarg_preload_length") & 127;
    count += preload;
    if keys.contains_key(".amdhsa_user_sgpr_count") {
        count = value(".amdhsa_user_sgpr_count");
    }
    let wave32 = target == Target::Gfx1250 || value(".amdhsa_wavefront_size32") != 0;
    properties |= u32::from(wave32) << 10 | (value(".amdhsa_uses_dynamic_stack") & 1) << 11;
    let or = |key: &str, default: u32| if keys.contains_key(key) { value(key) } else { default };
    let private =
        or(".amdhsa_enable_private_segment", value(".amdhsa_system_sgpr_private_segment_wavefront_offset"));
    let rsrc2 = private & 1
        | (count & 63) << 1
        | (or(".amdhsa_system_sgpr_workgroup_id_x", 1) & 1) << 7
        | (value(".amdhsa_system_sgpr_workgroup_id_y") & 1) << 8
        | (value(".amdhsa_system_sgpr_workgroup_id_z") & 1) << 9
        | (value(".amdhsa_system_sgpr_workgroup_info") & 1) << 10
        | (value(".amdhsa_system_vgpr_workitem_id") & 3) << 11;
    let rsrc1 = (value(".amdhsa_float_round_mode_32") & 3) << 12
        | (value(".amdhsa_float_round_mode_16_64") & 3) << 14
        | (value(".amdhsa_float_denorm_mode_32") & 3) << 16
        | (or(".amdhsa_float_denorm_mode_16_64", 3) & 3) << 18;
    let split = if target == Target::Gfx1250 { 0 } else { value(".amdhsa_tg_split") & 1 };
    KernelDescriptor {
        group_segment_fixed_size: value(".amdhsa_group_segment_fixed_size"),
        private_segment_fixed_size: value(".amdhsa_private_segment_fixed_size"),
        kernarg_size: value(".amdhsa_kernarg_size"),
        entry_offset: 0,
        rsrc1,
        rsrc2,
        rsrc3: split << 16,
        properties: properties as u16,
        preload: (preload | (value(".amdhsa_user_sgpr_kernarg_preload_offset") & 511) << 7) as u16,
    }
}
