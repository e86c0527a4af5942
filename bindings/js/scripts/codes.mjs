// Writes src/codes.ts from what the module says of itself: node scripts/codes.mjs. A test holds it fresh.
import { writeFileSync } from "node:fs";
import { Engine } from "../dist/index.js";
import { codesFile } from "./codes-file.mjs";

const engine = await Engine.open();
writeFileSync(new URL("../src/codes.ts", import.meta.url), codesFile(engine.describe()));
