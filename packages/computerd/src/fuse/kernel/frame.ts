/** Memory that is read and written as the structs of the protocol: whole, once, so that no request makes garbage. */

const HIGH = 0x1_0000_0000;

/** Numbers of a struct by their offset in bytes, a multiple of 4. 64-bit ones are exact up to 2^53, as all that occur here are. */
export class Frame {
  readonly bytes: Buffer;
  readonly #words: Uint32Array;

  constructor(length: number) {
    this.bytes = Buffer.allocUnsafeSlow(length);
    this.#words = new Uint32Array(this.bytes.buffer, 0, length >> 2);
  }

  u32(at: number): number {
    return this.#words[at >> 2]!;
  }

  u64(at: number): number {
    const word = at >> 2;
    return this.#words[word + 1]! * HIGH + this.#words[word]!;
  }

  /** As `u64`, of a number that may be negative. */
  i64(at: number): number {
    const word = at >> 2;
    return (this.#words[word + 1]! | 0) * HIGH + this.#words[word]!;
  }

  u16(at: number): number {
    return (this.#words[at >> 2]! >>> ((at & 2) << 3)) & 0xffff;
  }

  putU16(at: number, value: number): void {
    this.bytes.writeUInt16LE(value, at);
  }

  /** Negative numbers too. */
  putU32(at: number, value: number): void {
    this.#words[at >> 2] = value;
  }

  /** Negative numbers too. */
  putU64(at: number, value: number): void {
    const word = at >> 2;
    this.#words[word] = value;
    this.#words[word + 1] = Math.floor(value / HIGH);
  }

  clear(at: number, length: number): void {
    this.bytes.fill(0, at, at + length);
  }
}
