import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Engine } from "../dist/index.js";
import { allVectors } from "./vector-files.ts";
import { readVectors, runVectors } from "./vectors.ts";

test("every vector comes out byte for byte", async () => {
  using engine = await Engine.open();
  const all = allVectors();
  expect(runVectors(engine, all)).toEqual([]);
  console.log(`vectors in node: ${all.length}`);
  const record = process.env.ELICIT_HOSTS;
  if (record) appendFileSync(record, `JavaScript vectors ${all.length} ${all.length}\n`);
});

test("a vector that is wrong is noticed", async () => {
  using engine = await Engine.open();
  const vector = (name: string) => `{"tcId":"json/${name}","spec":"[s]","about":"a, \\"b\\"","op":"parse",` +
    `"in":{"document": 3.0 },"want":{"ok" : true,"canonical":3 , "x":"a  b"}}`;
  const read = readVectors("json/number.json", `[\n${vector("none")},\n${vector("two")}\n]\n`);
  const want = { tcId: "json/none", place: "json/number.json#none", spec: "[s]", about: 'a, "b"', op: "parse",
    in: `{"document": 3.0 }`, want: `{"ok":true,"canonical":3,"x":"a  b"}` };
  expect(read).toEqual([want, { ...want, tcId: "json/two", place: "json/number.json#two" }]);
  expect(runVectors(engine, read).map(({ place }) => place)).toEqual(["json/number.json#none", "json/number.json#two"]);
});
