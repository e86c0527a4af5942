import type { Description } from "../dist/index.js";

/** The text of src/codes.ts for a description of the module. */
export function codesFile(description: Description): string;
