import { joined } from "./bytes.ts";
import { most } from "./instance.ts";

/**
 * The messages of a stream with one message a line, as bytes without the line ends (LF or CRLF). A line longer than the
 * machine accepts is cut, and the yielded beginning is still over that maximum, so the machine refuses it. A last line
 * without a line end is yielded too.
 */
export async function* lines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const keep = (part: Uint8Array) => {
    if (part.length === 0 || size > most) return;
    parts.push(part);
    size += part.length;
  };
  const whole = () => {
    const line = parts.length === 1 ? parts[0]! : joined(parts);
    parts = [];
    size = 0;
    return line.at(-1) === 0x0d ? line.subarray(0, -1) : line;
  };
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      keep(chunk.subarray(from, end));
      from = end + 1;
      yield whole();
    }
    keep(chunk.subarray(from));
  }
  if (size > 0) yield whole();
}
