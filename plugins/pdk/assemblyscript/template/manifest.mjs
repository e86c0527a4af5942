// Puts guardian.json into the section where hosts look for it.
import { readFileSync } from "node:fs";
import { Transform } from "assemblyscript/transform";

export default class extends Transform {
  afterCompile(module) {
    module.addCustomSection("elicit.guardian", readFileSync("guardian.json"));
  }
}
