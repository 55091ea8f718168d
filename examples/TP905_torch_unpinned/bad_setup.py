from setuptools import find_packages, setup

requirements = [
    "numpy>=1.26",
    "torch",  # expect: TP905:5
    "torchvision>=0.17",
]

setup(name="segmenter", version="0.3", packages=find_packages(), install_requires=requirements)
