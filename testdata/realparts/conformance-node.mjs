// Lets the conformance suite start on Node 20, for node --import. The suite imports globSync of node:fs, which Node has
// since 22, and needs it for its audit of SDKs alone. It gets a globSync that refuses to work.
import * as fs from "node:fs";
import { register } from "node:module";

const withGlob = `export * from "node:fs"; export function globSync() { throw new Error("needs Node 22"); }`;
const hooks = `export function resolve(specifier, context, next) {
  const suite = context.parentURL?.includes("/@modelcontextprotocol/conformance/");
  if (specifier !== "fs" || !suite) return next(specifier, context);
  return { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(withGlob)}`)}, shortCircuit: true };
}`;
if (!("globSync" in fs)) register(`data:text/javascript,${encodeURIComponent(hooks)}`);
