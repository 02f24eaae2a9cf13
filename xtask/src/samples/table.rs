//! The wheels, and what is right about each file in them, row by row.

use super::wheel::{Content, FatbinSection, Sample, Wheel};

const WRITABLE: u32 = 0xC000_0040;
const READ_ONLY: u32 = 0x4000_0040;

/// An unsigned image without a CheckSum, as most are.
const PLAIN: Sample = Sample {
    path: "",
    condition: "no_fatbin",
    reason: None,
    check_sum: 0,
    signed: false,
    guard_cf: false,
    fatbin: None,
};

const fn section(virtual_size: u32, characteristics: u32, content: Content) -> FatbinSection {
    FatbinSection {
        virtual_size,
        characteristics,
        content: Some(content),
    }
}

const CUPY_CUDA102: &[&str] = &[
    "compute_30",
    "compute_50",
    "compute_70",
    "sm_60",
    "sm_61",
    "sm_70",
    "sm_75",
];

/// One module with seven elements.
const CUPY_CUDA102_CONTENT: Content = Content {
    modules: 1,
    elements: 7,
    gaps: (0, 0, 0),
    architectures: CUPY_CUDA102,
};

const XGBOOST: Wheel = Wheel {
    requirement: "xgboost==1.6.2",
    file: "xgboost-1.6.2-py3-none-win_amd64.whl",
    size: 125_439_295,
    sha256: "1ce15d3292d6ee75be4491ff6463c76ca548b7d77ca70f707cb23ea051e2faf7",
    small: true,
    misrecorded: &[],
    files: &[
        Sample {
            path: "xgboost/lib/xgboost.dll",
            condition: "writable",
            fatbin: Some(section(
                170_167_912,
                WRITABLE,
                Content {
                    modules: 37,
                    elements: 444,
                    gaps: (0, 0, 0),
                    architectures: &[
                        "compute_52",
                        "compute_60",
                        "compute_61",
                        "compute_70",
                        "compute_75",
                        "compute_80",
                        "sm_52",
                        "sm_60",
                        "sm_61",
                        "sm_70",
                        "sm_75",
                        "sm_80",
                    ],
                },
            )),
            ..PLAIN
        },
        Sample {
            path: "xgboost-1.6.2+b9934246faa9a25e10a12339685dfbe56d56f70b.data/data/xgboost/vcomp140.dll",
            check_sum: 0x2cb5c,
            signed: true,
            guard_cf: true,
            ..PLAIN
        },
    ],
};

const CUPY: Wheel = Wheel {
    requirement: "cupy-cuda102==9.6.0",
    file: "cupy_cuda102-9.6.0-cp38-cp38-win_amd64.whl",
    size: 43_873_091,
    sha256: "69ff1596bf9754b5c83df206ecd5f70464c208d02b16edad70cf29aac85f199c",
    small: true,
    misrecorded: &[],
    files: &[
        Sample {
            path: "cupy/cuda/cub.cp38-win_amd64.pyd",
            condition: "writable",
            fatbin: Some(section(31_739_672, WRITABLE, CUPY_CUDA102_CONTENT)),
            ..PLAIN
        },
        Sample {
            path: "cupy/cuda/thrust.cp38-win_amd64.pyd",
            condition: "writable",
            fatbin: Some(section(40_704_000, WRITABLE, CUPY_CUDA102_CONTENT)),
            ..PLAIN
        },
        Sample {
            path: "cupy/random/_generator_api.cp38-win_amd64.pyd",
            condition: "writable",
            fatbin: Some(section(7_413_920, WRITABLE, CUPY_CUDA102_CONTENT)),
            ..PLAIN
        },
    ],
};

const ONNXRUNTIME: Wheel = Wheel {
    requirement: "onnxruntime-gpu==1.12.0",
    file: "onnxruntime_gpu-1.12.0-cp38-cp38-win_amd64.whl",
    size: 110_828_841,
    sha256: "5402c142906567846a0dc60988e1428fdef8e4d582664977fb93f05eb7e816e6",
    small: true,
    misrecorded: &[],
    files: &[Sample {
        path: "onnxruntime/capi/onnxruntime_providers_cuda.dll",
        condition: "refused",
        reason: Some("signed"),
        check_sum: 0x1672_ead8,
        signed: true,
        guard_cf: true,
        fatbin: Some(section(
            358_503_196,
            WRITABLE,
            Content {
                modules: 66,
                elements: 1056,
                gaps: (66, 59_750_900, 18_166_032),
                architectures: &[
                    "compute_37",
                    "compute_50",
                    "compute_52",
                    "compute_60",
                    "compute_61",
                    "compute_70",
                    "compute_75",
                    "compute_80",
                    "sm_37",
                    "sm_50",
                    "sm_52",
                    "sm_60",
                    "sm_61",
                    "sm_70",
                    "sm_75",
                    "sm_80",
                ],
            },
        )),
    }],
};

const MXNET: Wheel = Wheel {
    requirement: "mxnet-cu100==1.5.0",
    file: "mxnet_cu100-1.5.0-py2.py3-none-win_amd64.whl",
    size: 346_535_983,
    sha256: "2307a0ffa23ba1205d3e34a16b40c2efc3a7f76a6601c42da8caa9b5456e4495",
    small: false,
    misrecorded: &[],
    files: &[
        Sample {
            path: "mxnet/libmxnet.dll",
            condition: "refused",
            reason: Some("packed"),
            check_sum: 0x5070_5ce8,
            fatbin: Some(FatbinSection {
                virtual_size: 1_215_261_272,
                characteristics: WRITABLE,
                content: None,
            }),
            ..PLAIN
        },
        Sample {
            path: "mxnet/cudnn64_7.dll",
            condition: "writable",
            fatbin: Some(section(
                310_435_024,
                WRITABLE,
                Content {
                    modules: 280,
                    elements: 1642,
                    gaps: (0, 0, 0),
                    architectures: &[
                        "compute_70",
                        "sm_30",
                        "sm_35",
                        "sm_50",
                        "sm_60",
                        "sm_61",
                        "sm_70",
                        "sm_75",
                    ],
                },
            )),
            ..PLAIN
        },
    ],
};

const NVJPEG: Wheel = Wheel {
    requirement: "nvidia-nvjpeg-cu12==12.4.0.76",
    file: "nvidia_nvjpeg_cu12-12.4.0.76-py3-none-win_amd64.whl",
    size: 4_741_398,
    sha256: "21923726db667bd53050d0de88320983ff423322b7f376057dd943e487c40abc",
    small: true,
    misrecorded: &[],
    files: &[Sample {
        path: "nvidia/nvjpeg/bin/nvjpeg64_12.dll",
        condition: "read_only",
        fatbin: Some(section(
            6_107_768,
            READ_ONLY,
            Content {
                modules: 11,
                elements: 175,
                gaps: (0, 0, 0),
                architectures: &[
                    "compute_121",
                    "sm_100",
                    "sm_101",
                    "sm_103",
                    "sm_120",
                    "sm_121",
                    "sm_50",
                    "sm_52",
                    "sm_60",
                    "sm_61",
                    "sm_70",
                    "sm_75",
                    "sm_80",
                    "sm_86",
                    "sm_89",
                    "sm_90",
                ],
            },
        )),
        ..PLAIN
    }],
};

const TORCH: Wheel = Wheel {
    requirement: "torch==1.10.1",
    file: "torch-1.10.1-cp38-cp38-win_amd64.whl",
    size: 226_613_580,
    sha256: "af577602e884c5e40fbd29ec978f052202355da93cd31e0a23251bd7aaff5a99",
    small: false,
    // Differs from its hash in the published wheel.
    misrecorded: &["torch-1.10.1.dist-info/METADATA"],
    files: &[],
};

/// The two releases of one DLL that share the byte at 0x2df.
pub(super) const THRUST: [Wheel; 2] = [
    Wheel {
        requirement: "cupy-cuda111==10.6.0",
        file: "cupy_cuda111-10.6.0-cp38-cp38-win_amd64.whl",
        size: 80_485_300,
        sha256: "90b7e3865145a6e7eb074f85d2b98a4b12350d758ad948cb240e0be09b24a577",
        small: true,
        misrecorded: &[],
        files: &[],
    },
    Wheel {
        requirement: "cupy-cuda117==10.6.0",
        file: "cupy_cuda117-10.6.0-cp38-cp38-win_amd64.whl",
        size: 62_642_522,
        sha256: "37b5784cf5cf1008d69ea8d4d443383f786715dbf305ef359ec7689b34a6689b",
        small: true,
        misrecorded: &[],
        files: &[],
    },
];

/// The wheels of one environment.
pub(super) const SHARED: [Wheel; 6] = [NVJPEG, CUPY, XGBOOST, ONNXRUNTIME, MXNET, TORCH];

/// xgboost 1.6.2.
pub(crate) fn xgboost() -> Wheel {
    XGBOOST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architectures_are_sorted_so_that_lists_compare() {
        for sample in SHARED.iter().flat_map(|wheel| wheel.files) {
            if let Some(content) = sample.fatbin.and_then(|section| section.content) {
                assert!(content.architectures.is_sorted(), "{}", sample.path);
            }
        }
    }
}
