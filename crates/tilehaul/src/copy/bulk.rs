//! A contiguous copy without a descriptor.

use tilehaul_descriptor::ElementType;
use tilehaul_diag::{Code, Diagnostic, Level};
use tilehaul_engine::Region;
use tilehaul_engine::bulk::BulkCopy;
use tilehaul_engine::reduce::{ReduceOp, ReduceType, Reduction};

use super::types::{Elements, Side, Use, compare};
use super::{Copied, finish};
use crate::explain::ExplainError;
use crate::npy::Array;

/// A raw bulk copy.
#[derive(Clone, Debug)]
pub struct BulkRequest {
    /// Byte of the source where it begins.
    pub from: u64,
    /// Byte of the destination where it lands.
    pub to: u64,
    /// Bytes.
    pub bytes: u32,
    /// What combines them with the destination's.
    pub reduce: Option<ReduceOp>,
    /// What a reduction takes elements for; the destination's type when absent.
    pub element: Option<ElementType>,
}

/// Runs one bulk copy over (or into) the destination.
///
/// # Errors
/// When the reduction does not exist for the elements; refusals and faults are part of the answer.
pub fn bulk(request: &BulkRequest, source: &Array, destination: &Array) -> Result<Copied, ExplainError> {
    let BulkRequest { from, to, bytes, .. } = *request;
    let mut diagnostics = Vec::new();
    let copy = match request.reduce {
        None => {
            if source.descr.bytes != destination.descr.bytes || source.descr.kind != destination.descr.kind {
                diagnostics.extend(destination.descr.element().and_then(|element| {
                    let side = Side { option: "--source", descr: source.descr };
                    compare(side, "--into", Elements::Of(element), Use::Moved)
                }));
            }
            BulkCopy::new(to, from, bytes)
        }
        Some(op) => {
            let held = request.element.or(destination.descr.element()).ok_or_else(|| {
                ExplainError::Unusable(format!(
                    "--into holds raw {}; name its elements with --dtype",
                    destination.descr
                ))
            })?;
            for (option, array) in [("--into", destination), ("--source", source)] {
                let side = Side { option, descr: array.descr };
                diagnostics.extend(compare(side, "--dtype", Elements::Of(held), Use::Combined));
            }
            let reduction = reduce_type(held).and_then(|ty| Reduction::bulk_global(op, ty)).ok_or_else(|| {
                ExplainError::Unusable(format!(
                    "elements of {} have no bulk reduction {}; .npy has no bf16, so name it with --dtype bf16",
                    held.name(),
                    op.name()
                ))
            })?;
            BulkCopy::reduce(to, from, bytes, reduction)
        }
    };
    diagnostics.sort_by_key(|d| d.level);
    if diagnostics.iter().any(|d| d.level == Level::Error) {
        return Ok(Copied::refused(diagnostics));
    }
    let copy = match copy {
        Ok(copy) => copy,
        Err(fault) => {
            let told = Diagnostic::new(Code(fault.code()), Level::Error, fault.to_string())
                .note(format!("the launch would end with CUDA error {}", fault.cuda_error()))
                .source(fault.source());
            diagnostics.insert(0, told);
            return Ok(Copied::refused(diagnostics));
        }
    };
    if let Some(asked) = copy.asked {
        diagnostics.push(
            Diagnostic::new(
                Code("bulk-size-truncated"),
                Level::Warning,
                format!("{asked} bytes are asked for, {} move: only bits 19:4 of the size count", copy.bytes),
            )
            .source(tilehaul_diag::Source::hardware("h200 fact 84")),
        );
    }
    let mut after = Region::new(0, destination.data.clone());
    Ok(finish(&copy.plan, &Region::new(0, source.data.clone()), &mut after, destination, diagnostics))
}

/// The type that a reduction instruction names for these elements.
fn reduce_type(element: ElementType) -> Option<ReduceType> {
    Some(match element {
        ElementType::U32 => ReduceType::U32,
        ElementType::I32 => ReduceType::S32,
        ElementType::U64 => ReduceType::U64,
        ElementType::I64 => ReduceType::S64,
        ElementType::F16 => ReduceType::F16,
        ElementType::Bf16 => ReduceType::Bf16,
        ElementType::F32 => ReduceType::F32,
        ElementType::F32Ftz => ReduceType::F32Ftz,
        ElementType::F64 => ReduceType::F64,
        _ => return None,
    })
}
