//! Text, JSON and SVG of everything tilehaul finds.
