"""What pyproject.toml cannot say: a wheel with the library in it is for one platform and every Python 3, one without for all."""

import os
import sys

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel

CARRIES = os.path.exists(os.path.join(os.path.dirname(os.path.abspath(__file__)), "src", "elicit_engine", "libelicit.so.1"))


class Wheel(bdist_wheel):
    def run(self):
        if not CARRIES:
            print("elicit-engine: no libelicit.so.1 here, so this wheel carries none. Its user has to install one.", file=sys.stderr)
        super().run()

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class Package(Distribution):
    def has_ext_modules(self):
        return CARRIES


setup(cmdclass={"bdist_wheel": Wheel}, distclass=Package)
