import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Engine } from "../dist/index.js";
import { readVector, runVectors } from "./vectors.ts";

const root = new URL("../../../testdata/vectors/", import.meta.url);
const index = JSON.parse(readFileSync(new URL("index.json", root), "utf8")) as { tcId: string }[];
const texts = index.map(({ tcId }) => readFileSync(new URL(`${tcId}.json`, root), "utf8"));

test("every vector comes out byte for byte", async () => {
  using engine = await Engine.open();
  expect(runVectors(engine, texts)).toEqual([]);
  expect(texts.length).toBeGreaterThan(1000);
  console.log(`vectors in node: ${texts.length}`);
});

test("a vector that is wrong is noticed", async () => {
  using engine = await Engine.open();
  const wrong = `{"tcId":"json/none","op":"parse","in":{"document": 3.0 },` +
    `"want":{"ok" : true,"canonical":3 , "x":"a  b"}}`;
  expect(readVector(wrong)).toEqual({ tcId: "json/none", op: "parse", in: `{"document": 3.0 }`,
    want: `{"ok":true,"canonical":3,"x":"a  b"}` });
  expect(runVectors(engine, [wrong])).toHaveLength(1);
});
