/** A guest ended itself. */
export class Exit extends Error {}

const OK = 0, BAD_FILE = 8, FAULT = 21, INVALID = 28, NO_SUCH_CALL = 52;
const MOST_CHANCE = 1024, MOST_ITEMS = 64, CHARACTER_DEVICE = 2;
const FOREVER = (1n << 63n) - 1n;

/**
 * SplitMix64 from state 0 in halves of 32 bits, because a BigInt takes 50 times as long and no fuel pays for that.
 * next() makes the next word; low and high are its halves.
 */
class SplitMix64 {
  #high = 0;
  #low = 0;
  high = 0;
  low = 0;

  next() {
    const sum = (this.#low >>> 0) + 0x7f4a7c15;
    this.#low = sum | 0;
    this.#high = (this.#high + 0x9e3779b9 + (sum > 0xffffffff ? 1 : 0)) | 0;
    this.high = this.#high;
    this.low = this.#low;
    this.#shake(30);
    this.#multiply(0xbf58476d, 0x1ce4e5b9);
    this.#shake(27);
    this.#multiply(0x94d049bb, 0x133111eb);
    this.#shake(31);
  }

  #shake(by) {
    this.low ^= (this.low >>> by) | (this.high << (32 - by));
    this.high ^= this.high >>> by;
  }

  #multiply(high, low) {
    const a = this.low >>> 16, b = this.low & 0xffff, c = low >>> 16, d = low & 0xffff;
    const p = b * d, q = b * c + (p >>> 16), r = a * d + (q & 0xffff);
    this.high = (a * c + (q >>> 16) + (r >>> 16) + Math.imul(this.high, low) + Math.imul(this.low, high)) | 0;
    this.low = (r << 16) | (p & 0xffff);
  }
}

/**
 * WASI preview 1 as a guardian gets it (plugins/ABI.md). There are no files and no arguments, the clock stands still,
 * and random bytes are the same for everybody. memory returns the guest's memory, once the module is instantiated.
 */
export function wasi(memory) {
  const view = () => new DataView(memory().buffer);
  const counts = (count, size) => (view().setUint32(count >>> 0, 0, true), view().setUint32(size >>> 0, 0, true), OK);
  const clock = (id, at, time) => (id >>> 0 > 3 ? INVALID : (view().setBigUint64(at >>> 0, time, true), OK));
  let slept = 0n;
  const chance = new SplitMix64();
  const known = {
    args_get: () => OK,
    environ_get: () => OK,
    args_sizes_get: counts,
    environ_sizes_get: counts,
    clock_res_get: (id, at) => clock(id, at, 1n),
    clock_time_get: (id, _, at) => clock(id, at, 1n + slept),
    random_get(at, size) {
      if (size >>> 0 > MOST_CHANCE) return INVALID;
      const place = new Uint8Array(memory().buffer, at >>> 0, size >>> 0);
      for (let i = 0; i < place.length; i += 8) {
        chance.next();
        // Bytes behind the end of place are lost.
        for (let j = 0; j < 8; j++) place[i + j] = (j < 4 ? chance.low : chance.high) >>> (8 * j);
      }
      return OK;
    },
    fd_write(fd, list, count, written) {
      if (fd !== 1 && fd !== 2) return BAD_FILE;
      if (count >>> 0 > MOST_ITEMS) return INVALID;
      let all = 0;
      for (let i = 0; i < count; i++) {
        const at = (list >>> 0) + 8 * i, size = view().getUint32(at + 4, true);
        new Uint8Array(memory().buffer, view().getUint32(at, true), size);
        all += size;
      }
      view().setUint32(written >>> 0, all, true);
      return OK;
    },
    poll_oneoff(waits, events, count, told) {
      if (count === 0 || count >>> 0 > MOST_ITEMS) return INVALID;
      const list = new DataView(memory().buffer.slice(waits >>> 0, (waits >>> 0) + 48 * count));
      if (list.byteLength < 48 * count) return FAULT;
      const out = new DataView(memory().buffer, events >>> 0, 32 * count);
      const least = (a, b) => (a < b ? a : b), most = (a, b) => (a > b ? a : b);
      const until = [];
      for (let at = 0; at < 48 * count; at += 48) {
        const moment = least(list.getBigUint64(at + 24, true), FOREVER), absolute = list.getUint8(at + 40) & 1;
        const end = absolute ? most(moment - 1n, 0n) : least(moment + slept, FOREVER);
        until.push(list.getUint8(at + 8) ? undefined : end);
      }
      const streams = until.includes(undefined);
      if (!streams) slept = most(slept, until.reduce(least));
      let due = 0;
      until.forEach((moment, i) => {
        if (moment === undefined ? !streams : streams || moment > slept) return;
        const at = 32 * due++;
        for (let j = 0; j < 32; j += 8) out.setBigUint64(at + j, 0n, true);
        out.setBigUint64(at, list.getBigUint64(48 * i, true), true); // what the guest calls it
        out.setUint8(at + 8, moment === undefined ? BAD_FILE : OK);
        out.setUint8(at + 10, list.getUint8(48 * i + 8));
      });
      view().setUint32(told >>> 0, due, true);
      return OK;
    },
    fd_fdstat_get(fd, at) {
      if (fd >>> 0 > 2) return BAD_FILE;
      const stat = new Uint8Array(memory().buffer, at >>> 0, 24).fill(0);
      stat[0] = CHARACTER_DEVICE;
      stat[8] = fd > 0 ? 1 << 6 : 1 << 1; // the right to write, to read
      return OK;
    },
    fd_prestat_get: () => BAD_FILE,
    fd_prestat_dir_name: () => BAD_FILE,
    sched_yield: () => OK,
    proc_exit() { throw new Exit(); },
  };
  const guarded = (f) => (...args) => {
    if (f !== known.proc_exit && memory() === undefined) return NO_SUCH_CALL; // the start section is running
    try {
      return f(...args);
    } catch (e) {
      if (e instanceof RangeError) return FAULT; // a place outside of memory
      throw e;
    }
  };
  return new Proxy({}, { get: (_, name) => (name in known ? guarded(known[name]) : () => NO_SUCH_CALL) });
}
