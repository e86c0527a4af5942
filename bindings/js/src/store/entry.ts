import * as base64 from "../base64.ts";
import type { Entry, NewEntry } from "./store.ts";

/** An entry of a session as every language writes it. */
export function encodeEntry(
  session: string, { id, at, server = "", tool = "", outcome = "", text = "", body }: NewEntry,
): string {
  return JSON.stringify({
    Session: session, ID: id, At: at, Server: server, Tool: tool, Outcome: outcome, Text: text,
    Body: body ? base64.spell(body) : null,
  });
}

export function decodeEntry(text: Uint8Array): Entry {
  const said = JSON.parse(new TextDecoder().decode(text)) as Record<string, string> & { At: number };
  return {
    session: said["Session"]!, id: said["ID"]!, at: said.At, server: said["Server"]!, tool: said["Tool"]!,
    outcome: said["Outcome"]!, text: said["Text"]!, body: base64.read(said["Body"] ?? ""),
  };
}
