// Writes src/codes.ts from the module's description of itself: node scripts/codes.mjs. A test fails if it is stale.
import { writeFileSync } from "node:fs";
import { Engine } from "../dist/index.js";
import { codesFile } from "./codes-file.mjs";

const engine = await Engine.open();
writeFileSync(new URL("../src/codes.ts", import.meta.url), codesFile(engine.describe()));
