/** The files that the pages load, by their names. scripts/module.mjs writes the module. */
export declare const files: Readonly<Record<string, string>>;
