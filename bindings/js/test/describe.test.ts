import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configurationKeys, Engine, eventNames, effectNames, operationNames, relayConfigurationKeys, relayEffectNames,
  relayEventNames } from "../dist/index.js";
import type { Configuration, Effect, Event, Operation, Operations, RelayConfiguration, RelayEffect,
  RelayEvent } from "../dist/index.js";
import type { ConfigurationKey, EffectName, EventName, LimitName, OperationName, Policy, PolicyKey,
  RelayConfigurationKey, RelayEffectName, RelayEventName } from "../dist/index.js";
import { codesFile } from "../scripts/codes-file.mjs";

/** Compiles only when both are the same set. */
type Same<A, B> = [A, B] extends [B, A] ? true : never;
const same: [
  Same<Event["event"], EventName>,
  Same<Effect["effect"], EffectName>,
  Same<keyof Operations, OperationName>,
  Same<Operation, OperationName>,
  Same<keyof NonNullable<Configuration["limits"]>, LimitName>,
  Same<keyof Configuration, ConfigurationKey>,
  Same<keyof Policy, PolicyKey>,
  Same<Exclude<RelayEvent["event"], EventName>, RelayEventName>,
  Same<RelayEffect["effect"], RelayEffectName | Exclude<EffectName, "reply">>,
  Same<keyof RelayConfiguration, RelayConfigurationKey>,
] = [true, true, true, true, true, true, true, true, true, true];

test("the constants are those of the module", async () => {
  using engine = await Engine.open();
  const d = engine.describe();
  expect(readFileSync(new URL("../src/codes.ts", import.meta.url), "utf8"), "run npm run codes").toBe(codesFile(d));
  expect(d.abi.current).toBe(1);
  expect([d.events, d.effects, d.ops]).toEqual([[...eventNames], [...effectNames], [...operationNames]]);
  expect(d.configuration.map((key) => key.name)).toEqual([...configurationKeys]);
  expect([d.relay.events, d.relay.effects]).toEqual([[...relayEventNames], [...relayEffectNames]]);
  expect(d.relay.config.map((key) => key.name)).toEqual([...relayConfigurationKeys]);
  expect(same).not.toContain(false);
});
