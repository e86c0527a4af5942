/** Random bytes are drawn in blocks of this size, because a draw costs the same for 32 bytes as for the whole block. */
const pool = new Uint8Array(2048);
let left = 0;

/** Fills `bytes` with random bytes. The pool keeps no copy of the bytes that it hands out. */
export function fill(bytes: Uint8Array): void {
  if (bytes.length > pool.length) {
    for (let at = 0; at < bytes.length; at += pool.length) fill(bytes.subarray(at, at + pool.length));
    return;
  }
  if (left < bytes.length) {
    crypto.getRandomValues(pool);
    left = pool.length;
  }
  const drawn = pool.subarray(left - bytes.length, left);
  bytes.set(drawn);
  drawn.fill(0);
  left -= bytes.length;
}
