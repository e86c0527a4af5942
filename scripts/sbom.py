"""Prints the bill of materials of a release as CycloneDX: sbom.py VERSION.

NOTICE and the guardians' NOTICE name every part of every shipped file, with its licence; a test keeps both true. The
hashes are those of go.sum, package-lock.json and the Cargo.lock files, and of Go's sources. The document has no time of
day, and its serial number follows from its content, so two runs give the same bytes.
"""

import base64
import json
import pathlib
import re
import subprocess
import sys
import uuid
from hashlib import sha256

from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.validation.json import JsonStrictValidator
from cyclonedx.schema import SchemaVersion
from packageurl import PackageURL

SECTION = re.compile(r"={80}\n([^\n]+)\nin ([^\n]+)\n={80}\n(.*?)(?=\n={80}\n|\Z)", re.S)
#: What only one licence says, and its name in SPDX. A text that says both is under both.
LICENCES = {
    "Apache License": "Apache-2.0",
    "Permission is hereby granted, free of charge": "MIT",
    "Neither the name of": "BSD-3-Clause",
}


def licence(name, text):
    """The SPDX expression of a licence's text. The sections of crates begin with it."""
    first = text.strip().split("\n")[0]
    if re.fullmatch(r"[\w.-]+((/| OR )[\w.-]+)*", first) and len(first) > 2:
        return first.replace("/", " OR ")
    found = {spdx for words, spdx in LICENCES.items() if re.search(words.replace(" ", r"\s+"), text)}
    if not found and "Redistribution and use in source and binary forms" in text:
        found = {"BSD-2-Clause"}
    if not found:
        sys.exit("sbom.py does not know the licence of %s" % name)
    return " AND ".join(sorted(found))


def read(path):
    return pathlib.Path(path).read_text(encoding="utf-8")


def hashes():
    """The hash of each part's source, by the type, name and version of its package URL."""
    found = {}
    for path in ("go.work.sum", *map(str, pathlib.Path().rglob("go.sum"))):
        for name, version, h1 in (line.split() for line in read(path).splitlines()):
            if not version.endswith("/go.mod"):
                found["golang", name, version] = HashAlgorithm.SHA_256, base64.b64decode(h1[3:]).hex()
    version, h1 = re.search(r"tinygo_version=(\S+)\ntinygo_sum=h1:(\S+)", read("scripts/tinygo.sh")).groups()
    found["golang", "github.com/tinygo-org/tinygo", version] = HashAlgorithm.SHA_256, base64.b64decode(h1).hex()
    for path, entry in json.loads(read("bindings/js/package-lock.json"))["packages"].items():
        if entry.get("integrity", "").startswith("sha512-"):
            name = path.rpartition("node_modules/")[2]
            found["npm", name, entry["version"]] = HashAlgorithm.SHA_512, base64.b64decode(entry["integrity"][7:]).hex()
    for path in ("plugins/guests/cel/Cargo.lock", "wasm/component/wrap/Cargo.lock"):
        for name, version, sum256 in re.findall(
            r'name = "(.+)"\nversion = "(.+)"\nsource = .+\nchecksum = "(.+)"', read(path)
        ):
            found["cargo", name, version] = HashAlgorithm.SHA_256, sum256
    return found


def standard_library(root):
    """The hash of the sources of Go's own packages, which no go.sum has: of the lines of sha256sum, as for a module."""
    files = sorted(path for path in (pathlib.Path(root) / "src").rglob("*") if path.is_file())
    lines = ("%s  %s\n" % (sha256(path.read_bytes()).hexdigest(), path.relative_to(root)) for path in files)
    return HashAlgorithm.SHA_256, sha256("".join(lines).encode()).hexdigest()


def parts():
    known = hashes()
    env = subprocess.run(["go", "env", "GOVERSION", "GOROOT"], check=True, capture_output=True, text=True).stdout
    go, root = env.split("\n")[:2]
    notices = read("NOTICE") + read("plugins/guests/NOTICE")
    for head, files, text in SECTION.findall(notices):
        name, _, version = head.rpartition(" ")
        kind, key = "golang", (name, version)
        if head == "Go standard library":
            name, version = "stdlib", go[len("go") :]
            known["golang", name, version] = standard_library(root)
            key = name, version
        elif ("golang", *key) not in known:
            kind = "npm" if ("npm", *key) in known else "cargo"
        digest = known.get((kind, *key))
        if head.startswith("mvdan.cc/sh/v3/syntax "):  # a generated copy of one package of the module
            digest = known.get((kind := "golang", "mvdan.cc/sh/v3", version))
        if digest is None:
            sys.exit("no file of hashes has %s" % head)
        space, _, short = name.rpartition("/")
        part = Component(
            name=name,
            version=version,
            purl=PackageURL(kind, space or None, short, version),
            type=ComponentType.LIBRARY,
        )
        part.bom_ref.value = str(part.purl)
        part.licenses.add(LicenseExpression(licence(head, text)))
        part.hashes.add(HashType(alg=digest[0], content=digest[1]))
        for file in files.split(", "):
            part.properties.add(Property(name="elicit:in", value=file))
        yield part


def bom(version):
    own = Component(name="elicit", version=version, type=ComponentType.APPLICATION, bom_ref="elicit")
    own.licenses.add(LicenseExpression("Apache-2.0"))
    made, all_parts = Bom(), list(parts())
    made.components.update(all_parts)
    made.metadata.component = own
    made.register_dependency(own, all_parts)
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
