//! The CPU half of libtorch 2.13.0, out of PyTorch's wheel.
//!
//! The wheel is built for CUDA, but `libtorch_cpu.so` works alone once the two small CUDA libraries that
//! it names are beside it. No driver and no graphics card are needed.

use crate::{Error, Kind, Limits, Package, Part, Recipe};
use std::fs;

/// What `tch` 0.26 wants, exactly.
const VERSION: &str = "2.13.0";

const TORCH: Package = Package {
    name: "torch",
    version: VERSION,
    file: "torch-2.13.0-cp311-cp311-manylinux_2_28_x86_64.whl",
    sha256: "60fcdcb2f3876e21146cb4524ef06397d727ca9ad5f020818547e25075fe3cb7",
    megabytes: 527,
    // Whichever Python runs pip: the libraries inside do not use it.
    kind: Kind::Wheel(&[
        "--python-version=3.11",
        "--implementation=cp",
        "--abi=cp311",
        "--platform=manylinux_2_28_x86_64",
    ]),
};

const CUDA_RUNTIME: Package = Package {
    name: "nvidia-cuda-runtime",
    version: "13.4.92",
    file: "nvidia_cuda_runtime-13.4.92-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
    sha256: "9641f797da20ce1dd8e779b6e96d08cf9ba564cec8e8225458811ee26423f3a5",
    megabytes: 3,
    kind: Kind::Wheel(&["--platform=manylinux2014_x86_64"]),
};

const CUPTI: Package = Package {
    name: "nvidia-cuda-cupti",
    version: "13.4.92",
    file: "nvidia_cuda_cupti-13.4.92-py3-none-manylinux_2_25_x86_64.whl",
    sha256: "037b561575e6983bc4fe1caae644d7a296a8367f451bf6c2a3194f4d0765431c",
    megabytes: 13,
    kind: Kind::Wheel(&["--platform=manylinux_2_25_x86_64"]),
};

pub(crate) const RECIPE: Recipe = Recipe {
    part: Part {
        name: "libtorch",
        summary: "libtorch 2.13.0 for the neural metrics, CPU only",
        folder: "libtorch-2.13.0",
        files: &[
            "build-version",
            "include/torch/csrc/api/include/torch/torch.h",
            "lib/libc10.so",
            "lib/libcudart.so.13",
            "lib/libcupti.so.13",
            "lib/libgomp.so",
            "lib/libgomp.so.1",
            "lib/libtorch.so",
            "lib/libtorch_cpu.so",
        ],
    },
    packages: &[TORCH, CUDA_RUNTIME, CUPTI],
    only_on: Some(("linux", "x86_64")),
    licence: None,
    limits: Limits { files: 20000, file_megabytes: 800, megabytes: 2000 },
    check: || Ok(()),
    revision: 1,
    make: |work| {
        work.unpack(&TORCH, |name| match name {
            "torch/lib/libtorch_cpu.so" | "torch/lib/libc10.so" | "torch/lib/libgomp.so.1" => {
                name.strip_prefix("torch/").map(str::to_owned)
            }
            "torch-2.13.0.dist-info/licenses/LICENSE" => Some("LICENSE".into()),
            _ => {
                name.strip_prefix("torch/").filter(|n| n.starts_with("include/")).map(str::to_owned)
            }
        })?;
        for (wheel, library, licence) in [
            (&CUDA_RUNTIME, "libcudart.so.13", "LICENSE-cuda-runtime"),
            (&CUPTI, "libcupti.so.13", "LICENSE-cuda-cupti"),
        ] {
            work.unpack(wheel, |name| {
                if name.ends_with(&format!("/lib/{library}")) {
                    Some(format!("lib/{library}"))
                } else {
                    name.ends_with("/licenses/License.txt").then(|| licence.to_owned())
                }
            })?;
        }
        // The linker looks for these names; the real libraries are the ones above.
        let lib = work.folder.join("lib");
        let version = work.folder.join("build-version");
        fs::copy(lib.join("libgomp.so.1"), lib.join("libgomp.so")).map_err(Error::io(&lib))?;
        fs::write(lib.join("libtorch.so"), "INPUT(libtorch_cpu.so)\n").map_err(Error::io(&lib))?;
        fs::write(&version, format!("{VERSION}\n")).map_err(Error::io(&version))
    },
};
