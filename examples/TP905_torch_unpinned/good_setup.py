import setuptools

setuptools.setup(
    name="segmenter",
    install_requires=["numpy", "torch>=2.4,<3", "torchvision==0.19.0"],
    extras_require={"cpu": ["torch"]},
)
