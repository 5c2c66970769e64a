//! What libtorch must not take this processor's word for.

use std::{env, fs};

/// The variable by which oneDNN, which makes libtorch's narrow products, is told what to leave alone.
const VARIABLE: &str = "ONEDNN_MAX_CPU_ISA";

/// All but AMX.
const WITHOUT_TILES: &str = "AVX512_CORE_FP16";

/// The part of CPUID that describes AMX's tiles.
const TILES_LEAF: u32 = 0x1d;

/// A variable and its value that a program with libtorch must be started with before it may multiply in `bf16`; `None` where all is well.
///
/// Some virtual machines announce AMX and do not describe its tiles. oneDNN then configures tiles without rows, and the first product ends the process
/// with an illegal instruction. It reads the variable once, so that a program cannot help itself.
pub fn amx_workaround() -> Option<(&'static str, &'static str)> {
    let said = env::var_os(VARIABLE).is_some_and(|value| !value.is_empty());
    // Elsewhere than on Linux nobody was seen to have this.
    let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    (!said && has_undescribed_tiles(&processor)).then_some((VARIABLE, WITHOUT_TILES))
}

fn has_undescribed_tiles(processor: &str) -> bool {
    let field = |name: &str| {
        let mut fields = processor.lines().filter_map(|line| line.split_once(':'));
        fields.find(|(key, _)| key.trim() == name).map(|(_, value)| value)
    };
    let announced = |flags: &str| flags.split_whitespace().any(|flag| flag == "amx_tile");
    let last_leaf = field("cpuid level").and_then(|level| level.trim().parse::<u32>().ok());
    field("flags").is_some_and(announced) && last_leaf.is_some_and(|last| last < TILES_LEAF)
}

#[cfg(test)]
mod tests {
    use super::has_undescribed_tiles;

    #[test]
    fn tiles_are_described_above_leaf_28() {
        let processor = |level: u32, flags: &str| {
            format!("processor\t: 0\ncpuid level\t: {level}\nflags\t\t: fpu {flags} avx\n")
        };
        assert!(has_undescribed_tiles(&processor(28, "amx_bf16 amx_tile")));
        assert!(!has_undescribed_tiles(&processor(32, "amx_bf16 amx_tile")));
        assert!(!has_undescribed_tiles(&processor(28, "avx512_bf16")));
        assert!(!has_undescribed_tiles(""));
    }
}
