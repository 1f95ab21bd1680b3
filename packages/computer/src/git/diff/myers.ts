/** The shortest edit between two lists of numbers, divided and conquered; where that would take too long, a good one. It makes the choices that git makes. */

const MIN_MAX_COST = 256;
const HEURISTIC_COST = 256;
const SNAKE = 20;
const K_HEURISTIC = 4;
const FAR = Number.MAX_SAFE_INTEGER;

interface Split {
  i1: number;
  i2: number;
  minLow: boolean;
  minHigh: boolean;
}

interface Box {
  readonly off1: number;
  readonly lim1: number;
  readonly off2: number;
  readonly lim2: number;
}

/** Calls back with each element of the first list that goes, and each of the second that comes. */
export class Myers {
  readonly #a: Int32Array;
  readonly #b: Int32Array;
  readonly #gone: (index: number) => void;
  readonly #come: (index: number) => void;
  readonly #forward: Float64Array;
  readonly #backward: Float64Array;
  /** What diagonal 0 is in the two arrays. */
  readonly #zero: number;
  readonly #maxCost: number;

  constructor(a: Int32Array, b: Int32Array, gone: (index: number) => void, come: (index: number) => void) {
    this.#a = a;
    this.#b = b;
    this.#gone = gone;
    this.#come = come;
    const diagonals = a.length + b.length + 3;
    this.#forward = new Float64Array(diagonals);
    this.#backward = new Float64Array(diagonals);
    this.#zero = b.length + 1;
    this.#maxCost = Math.max(bogoSqrt(diagonals), MIN_MAX_COST);
  }

  run(): void {
    this.#compare({ off1: 0, lim1: this.#a.length, off2: 0, lim2: this.#b.length }, false);
  }

  #compare(box: Box, needMin: boolean): void {
    const a = this.#a;
    const b = this.#b;
    let { off1, lim1, off2, lim2 } = box;
    while (off1 < lim1 && off2 < lim2 && a[off1] === b[off2]) {
      off1++;
      off2++;
    }
    while (off1 < lim1 && off2 < lim2 && a[lim1 - 1] === b[lim2 - 1]) {
      lim1--;
      lim2--;
    }
    if (off1 === lim1) for (; off2 < lim2; off2++) this.#come(off2);
    else if (off2 === lim2) for (; off1 < lim1; off1++) this.#gone(off1);
    else {
      const split = this.#split({ off1, lim1, off2, lim2 }, needMin);
      this.#compare({ off1, lim1: split.i1, off2, lim2: split.i2 }, split.minLow);
      this.#compare({ off1: split.i1, lim1, off2: split.i2, lim2 }, split.minHigh);
    }
  }

  #split(box: Box, needMin: boolean): Split {
    const { off1, lim1, off2, lim2 } = box;
    const a = this.#a;
    const b = this.#b;
    const f = this.#forward;
    const r = this.#backward;
    const z = this.#zero;
    const dmin = off1 - lim2;
    const dmax = lim1 - off2;
    const fmid = off1 - off2;
    const bmid = lim1 - lim2;
    const odd = ((fmid - bmid) & 1) !== 0;
    let [fmin, fmax, bmin, bmax] = [fmid, fmid, bmid, bmid];
    f[z + fmid] = off1;
    r[z + bmid] = lim1;
    for (let cost = 1; ; cost++) {
      let snake = false;
      if (fmin > dmin) f[z + --fmin - 1] = -1;
      else ++fmin;
      if (fmax < dmax) f[z + ++fmax + 1] = -1;
      else --fmax;
      for (let d = fmax; d >= fmin; d -= 2) {
        let i1 = f[z + d - 1]! >= f[z + d + 1]! ? f[z + d - 1]! + 1 : f[z + d + 1]!;
        const before = i1;
        let i2 = i1 - d;
        while (i1 < lim1 && i2 < lim2 && a[i1] === b[i2]) {
          i1++;
          i2++;
        }
        if (i1 - before > SNAKE) snake = true;
        f[z + d] = i1;
        if (odd && bmin <= d && d <= bmax && r[z + d]! <= i1) return { i1, i2, minLow: true, minHigh: true };
      }
      if (bmin > dmin) r[z + --bmin - 1] = FAR;
      else ++bmin;
      if (bmax < dmax) r[z + ++bmax + 1] = FAR;
      else --bmax;
      for (let d = bmax; d >= bmin; d -= 2) {
        let i1 = r[z + d - 1]! < r[z + d + 1]! ? r[z + d - 1]! : r[z + d + 1]! - 1;
        const before = i1;
        let i2 = i1 - d;
        while (i1 > off1 && i2 > off2 && a[i1 - 1] === b[i2 - 1]) {
          i1--;
          i2--;
        }
        if (before - i1 > SNAKE) snake = true;
        r[z + d] = i1;
        if (!odd && fmin <= d && d <= fmax && i1 <= f[z + d]!) return { i1, i2, minLow: true, minHigh: true };
      }
      if (needMin) continue;
      const reach = { fmin, fmax, bmin, bmax, fmid, bmid };
      const found = snake && cost > HEURISTIC_COST ? this.#promising(box, reach, cost) : undefined;
      if (found !== undefined) return found;
      if (cost >= this.#maxCost) return this.#furthest(box, reach);
    }
  }

  /** A place that long runs of equal elements lead to. */
  #promising({ off1, lim1, off2, lim2 }: Box, reach: Reach, cost: number): Split | undefined {
    const a = this.#a;
    const b = this.#b;
    let best = 0;
    let found: Split | undefined;
    for (let d = reach.fmax; d >= reach.fmin; d -= 2) {
      const i1 = this.#forward[this.#zero + d]!;
      const i2 = i1 - d;
      const value = i1 - off1 + (i2 - off2) - Math.abs(d - reach.fmid);
      if (value <= K_HEURISTIC * cost || value <= best) continue;
      if (off1 + SNAKE > i1 || i1 >= lim1 || off2 + SNAKE > i2 || i2 >= lim2) continue;
      for (let k = 1; a[i1 - k] === b[i2 - k]; k++) {
        if (k === SNAKE) {
          best = value;
          found = { i1, i2, minLow: true, minHigh: false };
          break;
        }
      }
    }
    if (found !== undefined) return found;
    for (let d = reach.bmax; d >= reach.bmin; d -= 2) {
      const i1 = this.#backward[this.#zero + d]!;
      const i2 = i1 - d;
      const value = lim1 - i1 + (lim2 - i2) - Math.abs(d - reach.bmid);
      if (value <= K_HEURISTIC * cost || value <= best) continue;
      if (off1 >= i1 || i1 > lim1 - SNAKE || off2 >= i2 || i2 > lim2 - SNAKE) continue;
      for (let k = 0; a[i1 + k] === b[i2 + k]; k++) {
        if (k === SNAKE - 1) {
          best = value;
          found = { i1, i2, minLow: false, minHigh: true };
          break;
        }
      }
    }
    return found;
  }

  /** The best place so far, where enough was spent. */
  #furthest({ off1, lim1, off2, lim2 }: Box, reach: Reach): Split {
    let [fbest, fbest1] = [-1, -1];
    for (let d = reach.fmax; d >= reach.fmin; d -= 2) {
      let i1 = Math.min(this.#forward[this.#zero + d]!, lim1);
      let i2 = i1 - d;
      if (lim2 < i2) {
        i1 = lim2 + d;
        i2 = lim2;
      }
      if (fbest < i1 + i2) {
        fbest = i1 + i2;
        fbest1 = i1;
      }
    }
    let [bbest, bbest1] = [FAR, FAR];
    for (let d = reach.bmax; d >= reach.bmin; d -= 2) {
      let i1 = Math.max(off1, this.#backward[this.#zero + d]!);
      let i2 = i1 - d;
      if (i2 < off2) {
        i1 = off2 + d;
        i2 = off2;
      }
      if (i1 + i2 < bbest) {
        bbest = i1 + i2;
        bbest1 = i1;
      }
    }
    if (lim1 + lim2 - bbest < fbest - (off1 + off2))
      return { i1: fbest1, i2: fbest - fbest1, minLow: true, minHigh: false };
    return { i1: bbest1, i2: bbest - bbest1, minLow: false, minHigh: true };
  }
}

interface Reach {
  readonly fmin: number;
  readonly fmax: number;
  readonly bmin: number;
  readonly bmax: number;
  readonly fmid: number;
  readonly bmid: number;
}

/** Something like a square root, quick to be had. */
export function bogoSqrt(number: number): number {
  let root = 1;
  for (let n = number; n > 0; n >>= 2) root <<= 1;
  return root;
}
