// Discrete Fourier transforms of two complex sequences side by side, one in each lane, and through them expansions of
// four real lines at a time in sines, in cosines or on a ring: two lines are real and imaginary part of one sequence.
// Lanes never meet, so a sequence has the bits of one that is transformed alone.
//
// A point is 32 bytes: both real parts, then both imaginary ones. Tables are pairs of real and imaginary part.

const POINT: usize = 32

let length: i32 = 0 // of the transform
let points: i32 = 0 // the power of two that it is done with: the length, or room for a convolution of it
let twiddles: usize = 0
let chirp: usize = 0
let spectrum: usize = 0 // of the conjugate chirp
let now: usize = 0
let other: usize = 0

// Tables lie one behind the other from `at`: twiddles (points), chirp (length) and its spectrum (points); then room for
// the sequences.
export function configure(n: i32, count: i32, at: usize): void {
  length = n
  points = count
  twiddles = at
  chirp = twiddles + (<usize>count << 4)
  spectrum = chirp + (<usize>n << 4)
  now = spectrum + (<usize>count << 4)
  other = now + <usize>count * POINT
}

// Where the two sequences are: they change places with every pass.
export function sequences(): usize {
  return now
}

// @ts-ignore: decorator
@inline
function swap(): void {
  const place = now
  now = other
  other = place
}

// Complex products in separate parts.
// @ts-ignore: decorator
@inline
function productRe(xr: v128, xi: v128, wr: v128, wi: v128): v128 {
  return f64x2.sub(f64x2.mul(xr, wr), f64x2.mul(xi, wi))
}

// @ts-ignore: decorator
@inline
function productIm(xr: v128, xi: v128, wr: v128, wi: v128): v128 {
  return f64x2.add(f64x2.mul(xr, wi), f64x2.mul(xi, wr))
}

// One radix-4 pass of Stockham's ordering: blocks of `stride` points, a quarter of all as butterflies.
function passOfFour(stride: i32): void {
  const block = <usize>stride * POINT
  const quarter = <usize>(points >> 2) * POINT
  const turn = <usize>stride << 4
  let from = now
  let to = other
  for (let w = twiddles, end = twiddles + (<usize>points << 2); w < end; w += turn) {
    const k = w - twiddles
    const ar = v128.load64_splat(w), ai = v128.load64_splat(w, 8)
    const br = v128.load64_splat(w + k), bi = v128.load64_splat(w + k, 8)
    const cr = v128.load64_splat(w + 2 * k), ci = v128.load64_splat(w + 2 * k, 8)
    for (const last = from + block; from < last; from += POINT) {
      const p1 = from + quarter, p2 = p1 + quarter, p3 = p2 + quarter
      const x0 = v128.load(from), y0 = v128.load(from, 16), x2 = v128.load(p2), y2 = v128.load(p2, 16)
      const r0 = f64x2.add(x0, x2), i0 = f64x2.add(y0, y2)
      const r1 = f64x2.sub(x0, x2), i1 = f64x2.sub(y0, y2)
      const x1 = v128.load(p1), y1 = v128.load(p1, 16), x3 = v128.load(p3), y3 = v128.load(p3, 16)
      const r2 = f64x2.add(x1, x3), i2 = f64x2.add(y1, y3)
      const r3 = f64x2.sub(y1, y3), i3 = f64x2.sub(x3, x1)
      v128.store(to, f64x2.add(r0, r2))
      v128.store(to, f64x2.add(i0, i2), 16)
      const t1 = to + block, t2 = t1 + block, t3 = t2 + block
      const er = f64x2.add(r1, r3), ei = f64x2.add(i1, i3)
      v128.store(t1, productRe(er, ei, ar, ai))
      v128.store(t1, productIm(er, ei, ar, ai), 16)
      const fr = f64x2.sub(r0, r2), fi = f64x2.sub(i0, i2)
      v128.store(t2, productRe(fr, fi, br, bi))
      v128.store(t2, productIm(fr, fi, br, bi), 16)
      const gr = f64x2.sub(r1, r3), gi = f64x2.sub(i1, i3)
      v128.store(t3, productRe(gr, gi, cr, ci))
      v128.store(t3, productIm(gr, gi, cr, ci), 16)
      to += POINT
    }
    to += 3 * block
  }
  swap()
}

// The last pass where the length is an odd power of two: plain sums and differences of the halves.
function passOfTwo(): void {
  const half = <usize>(points >> 1) * POINT
  for (let o: usize = 0; o < half; o += 16) {
    const a = v128.load(now + o), b = v128.load(now + half + o)
    v128.store(other + o, f64x2.add(a, b))
    v128.store(other + half + o, f64x2.sub(a, b))
  }
  swap()
}

// X_k = Σ x_j exp(-2πi·jk/points) of both sequences.
export function power(): void {
  let stride: i32 = 1
  for (; 4 * stride <= points; stride *= 4) passOfFour(stride)
  if (stride < points) passOfTwo()
}

// Points times a table, from the first one on.
// @ts-ignore: decorator
@inline
function turned(p: usize, table: usize): void {
  const xr = v128.load(p), xi = v128.load(p, 16)
  const wr = v128.load64_splat(table), wi = v128.load64_splat(table, 8)
  v128.store(p, productRe(xr, xi, wr, wi))
  v128.store(p, productIm(xr, xi, wr, wi), 16)
}

// X_k = Σ x_j exp(-2πi·jk/length) of both sequences: another length than a power of two as a convolution of one.
export function transform(): void {
  if (length == points) {
    power()
    return
  }
  for (let j = 0; j < length; j++) turned(now + <usize>j * POINT, chirp + (<usize>j << 4))
  memory.fill(now + <usize>length * POINT, 0, <usize>(points - length) * POINT)
  power()
  for (let j = 0; j < points; j++) {
    const p = now + <usize>j * POINT
    turned(p, spectrum + (<usize>j << 4))
    // Conjugated, so that the second forward transform is an inverse one.
    v128.store(p, f64x2.neg(v128.load(p, 16)), 16)
  }
  power()
  // A power of two: the product is the quotient to the last bit.
  const share = f64x2.splat(1 / <f64>points)
  for (let k = 0; k < length; k++) {
    const p = now + <usize>k * POINT
    v128.store(p, f64x2.mul(v128.load(p), share))
    v128.store(p, f64x2.mul(f64x2.neg(v128.load(p, 16)), share), 16)
    turned(p, chirp + (<usize>k << 4))
  }
}

// The same node of two lines.
// @ts-ignore: decorator
@inline
function pair(a: usize, b: usize): v128 {
  return v128.load64_lane(b, v128.load64_splat(a), 1)
}

// @ts-ignore: decorator
@inline
function put(p: usize, re: v128, im: v128): void {
  v128.store(p, re)
  v128.store(p, im, 16)
}

// Lines 0 and 1 are one sequence, 2 and 3 the other.
// @ts-ignore: decorator
@inline
function scatter(at: usize, gap: usize, first: v128, second: v128): void {
  v128.store64_lane(at, first, 0)
  v128.store64_lane(at + gap, second, 0)
  v128.store64_lane(at + 2 * gap, first, 1)
  v128.store64_lane(at + 3 * gap, second, 1)
}

// Zero at both ends and continued oddly: nodes 1 to n - 1 of 2n points.
function sines(at: usize, step: usize, gap: usize): void {
  const zero = f64x2.splat(0), half = f64x2.splat(0.5)
  const n = length >> 1
  put(now, zero, zero)
  put(now + <usize>n * POINT, zero, zero)
  let back = now + <usize>length * POINT
  let line = at
  for (let j = 1; j < n; j++) {
    const re = pair(line, line + 2 * gap), im = pair(line + gap, line + 3 * gap)
    back -= POINT
    put(now + <usize>j * POINT, re, im)
    put(back, f64x2.neg(re), f64x2.neg(im))
    line += step
  }
  transform()
  line = at
  for (let j = 1; j < n; j++) {
    const p = now + <usize>j * POINT
    scatter(line, gap, f64x2.mul(f64x2.neg(v128.load(p, 16)), half), f64x2.mul(v128.load(p), half))
    line += step
  }
}

// Continued evenly: nodes 0 to n of 2n points.
function cosines(at: usize, step: usize, gap: usize): void {
  const n = length >> 1
  let line = at
  for (let j = 0; j <= n; j++) {
    const re = pair(line, line + 2 * gap), im = pair(line + gap, line + 3 * gap)
    put(now + <usize>j * POINT, re, im)
    if (j > 0) put(now + <usize>(length - j) * POINT, re, im)
    line += step
  }
  transform()
  line = at
  for (let j = 0; j <= n; j++) {
    const p = now + <usize>j * POINT
    scatter(line, gap, v128.load(p), v128.load(p, 16))
    line += step
  }
}

// On a ring: the spectra of two real lines, told apart by their symmetry; each gives real - imaginary part.
function hartley(at: usize, step: usize, gap: usize): void {
  const half = f64x2.splat(0.5)
  let line = at
  for (let j = 0; j < length; j++) {
    put(now + <usize>j * POINT, pair(line, line + 2 * gap), pair(line + gap, line + 3 * gap))
    line += step
  }
  transform()
  line = at
  for (let j = 0; j < length; j++) {
    const p = now + <usize>j * POINT, q = now + <usize>(j == 0 ? 0 : length - j) * POINT
    const re = v128.load(p), im = v128.load(p, 16), re2 = v128.load(q), im2 = v128.load(q, 16)
    const even = f64x2.mul(f64x2.add(re, re2), half), odd = f64x2.mul(f64x2.sub(im, im2), half)
    const even2 = f64x2.mul(f64x2.add(im, im2), half), odd2 = f64x2.mul(f64x2.sub(re2, re), half)
    scatter(line, gap, f64x2.sub(even, odd), f64x2.sub(even2, odd2))
    line += step
  }
}

// Expands four lines in place: nodes are `step` bytes apart, lines `gap`. Kind 0 sines, 1 cosines, 2 a ring.
export function expand(kind: i32, at: usize, step: usize, gap: usize): void {
  if (kind == 0) sines(at, step, gap)
  else if (kind == 1) cosines(at, step, gap)
  else hartley(at, step, gap)
}
