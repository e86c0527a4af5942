"""Sets the tag of the wheel, which pyproject.toml cannot do.

A wheel with the library in it is for one platform and every Python 3. A wheel without the library is for all platforms.
"""

import os
import sys

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel

HERE = os.path.dirname(os.path.abspath(__file__))
CARRIES = os.path.exists(os.path.join(HERE, "src", "elicit_engine", "libelicit.so.1"))


class Wheel(bdist_wheel):
    def run(self):
        if not CARRIES:
            warning = "no libelicit.so.1 here, so this wheel carries none. Its user has to install one."
            print("elicit-engine: " + warning, file=sys.stderr)
        super().run()

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class Package(Distribution):
    def has_ext_modules(self):
        return CARRIES


setup(cmdclass={"bdist_wheel": Wheel}, distclass=Package)
