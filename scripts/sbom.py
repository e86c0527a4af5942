"""Prints the bill of materials of a release as CycloneDX: sbom.py VERSION.

The Go modules come from `go list` for every shipped file, the npm packages from package-lock.json. The document has no
time of day, and its serial number follows from its content, so two runs give the same bytes.
"""

import json
import os
import subprocess
import sys
import uuid

from cyclonedx.model import Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.validation.json import JsonStrictValidator
from cyclonedx.schema import SchemaVersion
from packageurl import PackageURL

#: The module is built with another go.mod, which Go takes outside of the workspace alone.
WASM = {"GOOS": "wasip1", "GOARCH": "wasm", "GOWORK": "off"}
#: What is shipped: a name, the Go package, and the system it is built for.
SHIPPED = [
    ("elicit", "./cmd/elicit", {"GOOS": "linux", "CGO_ENABLED": "0"}),
    ("elicit", "./cmd/elicit", {"GOOS": "darwin", "CGO_ENABLED": "0"}),
    ("elicit", "./cmd/elicit", {"GOOS": "windows", "CGO_ENABLED": "0"}),
    ("libelicit", "./cabi", {"GOOS": "linux", "CGO_ENABLED": "1"}),
    ("elicit.wasm", "./wasm", {**WASM, "GOFLAGS": "-modfile=dist/wasm.mod"}),
    ("elicit-browser.wasm", "./wasm", {**WASM, "GOFLAGS": "-modfile=dist/wasm.mod -tags=browser"}),
]
LIT = ["lit", "lit-element", "lit-html", "@lit/reactive-element", "@lit-labs/ssr-dom-shim"]
MODULE = "{{with .Module}}{{if not (or .Main .Replace)}}{{.Path}} {{.Version}}{{end}}{{end}}"


def modules():
    """The linked modules and their versions, with the shipped files that contain each."""
    found = {}
    for name, package, system in SHIPPED:
        command = ["go", "list", "-deps", "-f", MODULE, package]
        out = subprocess.run(command, env={**os.environ, **system}, check=True, capture_output=True, text=True).stdout
        toolchain = subprocess.run(["go", "env", "GOVERSION"], check=True, capture_output=True, text=True).stdout
        for line in {*out.split("\n"), "stdlib " + toolchain.strip()[len("go") :]} - {""}:
            found.setdefault(tuple(line.split()), set()).add(name)
    for (path, version), files in sorted(found.items()):
        space, _, short = path.rpartition("/")
        yield PackageURL("golang", space or None, short, version), path, version, files, None


def packages():
    with open("bindings/js/package-lock.json", encoding="utf-8") as file:
        locked = json.load(file)["packages"]
    for name in sorted(LIT):
        entry = locked["node_modules/" + name]
        scope, _, short = name.rpartition("/")
        purl = PackageURL("npm", scope or None, short, entry["version"])
        yield purl, name, entry["version"], {"elicit (its page)"}, entry["license"]


def bom(version):
    own = Component(name="elicit", version=version, type=ComponentType.APPLICATION, bom_ref="elicit")
    own.licenses.add(LicenseExpression("Apache-2.0"))
    made, parts = Bom(), []
    for purl, name, of, files, licence in [*modules(), *packages()]:
        part = Component(name=name, version=of, purl=purl, type=ComponentType.LIBRARY, bom_ref=str(purl))
        if licence:
            part.licenses.add(LicenseExpression(licence))
        for file in sorted(files):
            part.properties.add(Property(name="elicit:in", value=file))
        made.components.add(part)
        parts.append(part)
    made.metadata.component = own
    made.register_dependency(own, parts)
    return made


def main():
    document = json.loads(JsonV1Dot6(bom(sys.argv[1])).output_as_string())
    document["metadata"].pop("timestamp", None)
    document.pop("serialNumber", None)
    content = json.dumps(document, indent=2, sort_keys=True)
    document["serialNumber"] = "urn:uuid:%s" % uuid.uuid5(uuid.NAMESPACE_URL, content)
    text = json.dumps(document, indent=2, sort_keys=True)
    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if wrong is not None:
        sys.exit("the bill of materials is not valid CycloneDX: %s" % wrong)
    print(text)


if __name__ == "__main__":
    main()
