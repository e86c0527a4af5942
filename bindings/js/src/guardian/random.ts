/**
 * SplitMix64 from state 0 in halves of 32 bits: a BigInt takes 50 times as long, and no fuel pays for that.
 * next() makes the next
 * word, of which low and high are the halves.
 */
export class SplitMix64 {
  #high = 0;
  #low = 0;
  high = 0;
  low = 0;

  next(): void {
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

  #shake(by: number): void {
    this.low ^= (this.low >>> by) | (this.high << (32 - by));
    this.high ^= this.high >>> by;
  }

  #multiply(high: number, low: number): void {
    const a = this.low >>> 16;
    const b = this.low & 0xffff;
    const p = b * (low & 0xffff);
    const q = b * (low >>> 16) + (p >>> 16);
    const r = a * (low & 0xffff) + (q & 0xffff);
    this.high = (a * (low >>> 16) + (q >>> 16) + (r >>> 16) + Math.imul(this.high, low) + Math.imul(this.low,
      high)) | 0;
    this.low = (r << 16) | (p & 0xffff);
  }
}
