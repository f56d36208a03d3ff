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

// Four points, the twiddles of their group (its first, and twice and three times it) and where the results go.
// @ts-ignore: decorator
@inline
function butterfly(
  x0: v128, y0: v128, x1: v128, y1: v128, x2: v128, y2: v128, x3: v128, y3: v128,
  ar: v128, ai: v128, br: v128, bi: v128, cr: v128, ci: v128, to: usize, block: usize,
): void {
  const r0 = f64x2.add(x0, x2), i0 = f64x2.add(y0, y2)
  const r1 = f64x2.sub(x0, x2), i1 = f64x2.sub(y0, y2)
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
}

// @ts-ignore: decorator
@inline
function splat(at: usize): v128 {
  return v128.load64_splat(at)
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
    const ar = splat(w), ai = splat(w + 8)
    const br = splat(w + k), bi = splat(w + k + 8)
    const cr = splat(w + 2 * k), ci = splat(w + 2 * k + 8)
    for (const last = from + block; from < last; from += POINT) {
      const p1 = from + quarter, p2 = p1 + quarter, p3 = p2 + quarter
      butterfly(
        v128.load(from), v128.load(from, 16), v128.load(p1), v128.load(p1, 16),
        v128.load(p2), v128.load(p2, 16), v128.load(p3), v128.load(p3, 16),
        ar, ai, br, bi, cr, ci, to, block,
      )
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
function power(): void {
  let stride: i32 = 1
  for (; 4 * stride <= points; stride *= 4) passOfFour(stride)
  if (stride < points) passOfTwo()
}

// The first pass of a convolution, of the sequence times the chirp. Beyond its length, which is more than a quarter of
// the points and at most half of them, are zeros.
function enter(): void {
  const quarter = <usize>(points >> 2)
  const zero = f64x2.splat(0)
  let to = other
  for (let j: usize = 0; j < quarter; j++) {
    const p = now + j * POINT, q = p + quarter * POINT
    const w = chirp + (j << 4), v = w + (quarter << 4)
    const xr = v128.load(p), xi = v128.load(p, 16)
    let x1 = zero, y1 = zero
    if (quarter + j < <usize>length) {
      const zr = v128.load(q), zi = v128.load(q, 16)
      x1 = productRe(zr, zi, splat(v), splat(v + 8))
      y1 = productIm(zr, zi, splat(v), splat(v + 8))
    }
    const a = twiddles + (j << 4), b = a + (j << 4), c = b + (j << 4)
    butterfly(
      productRe(xr, xi, splat(w), splat(w + 8)), productIm(xr, xi, splat(w), splat(w + 8)), x1, y1,
      zero, zero, zero, zero,
      splat(a), splat(a + 8), splat(b), splat(b + 8), splat(c), splat(c + 8), to, POINT,
    )
    to += 4 * POINT
  }
  swap()
}

// @ts-ignore: decorator
@inline
function filteredRe(p: usize, w: usize): v128 {
  return productRe(v128.load(p), v128.load(p, 16), splat(w), splat(w + 8))
}

// Conjugated, so that a forward transform is an inverse one.
// @ts-ignore: decorator
@inline
function filteredIm(p: usize, w: usize): v128 {
  return f64x2.neg(productIm(v128.load(p), v128.load(p, 16), splat(w), splat(w + 8)))
}

// The first pass of the way back, of the spectrum times that of the conjugate chirp.
function filter(): void {
  const quarter = <usize>(points >> 2) * POINT, quarterOfTable = quarter >> 1
  let to = other
  for (let j: usize = 0; j < <usize>(points >> 2); j++) {
    const p = now + j * POINT, p1 = p + quarter, p2 = p1 + quarter, p3 = p2 + quarter
    const w = spectrum + (j << 4), w1 = w + quarterOfTable, w2 = w1 + quarterOfTable, w3 = w2 + quarterOfTable
    const a = twiddles + (j << 4), b = a + (j << 4), c = b + (j << 4)
    butterfly(
      filteredRe(p, w), filteredIm(p, w), filteredRe(p1, w1), filteredIm(p1, w1),
      filteredRe(p2, w2), filteredIm(p2, w2), filteredRe(p3, w3), filteredIm(p3, w3),
      splat(a), splat(a + 8), splat(b), splat(b + 8), splat(c), splat(c + 8), to, POINT,
    )
    to += 4 * POINT
  }
  swap()
}

// A point of the convolution, as the transform's: conjugated back, its share, times the chirp.
// @ts-ignore: decorator
@inline
function leave(k: usize, re: v128, im: v128, share: v128): void {
  const xr = f64x2.mul(re, share), xi = f64x2.mul(f64x2.neg(im), share)
  const w = chirp + (k << 4), p = other + k * POINT
  v128.store(p, productRe(xr, xi, splat(w), splat(w + 8)))
  v128.store(p, productIm(xr, xi, splat(w), splat(w + 8)), 16)
}

// The last pass of the way back, for the first `wanted` points alone where they lie in its first block.
function finish(stride: i32, wanted: i32): void {
  // A power of two: the product is the quotient to the last bit.
  const share = f64x2.splat(1 / <f64>points)
  const block = <usize>stride * POINT
  if (stride < points >> 1 && wanted > stride) {
    passOfFour(stride)
    for (let k: usize = 0; k < <usize>wanted; k++) {
      leave(k, v128.load(now + k * POINT), v128.load(now + k * POINT, 16), share)
    }
  } else {
    for (let k: usize = 0; k < <usize>wanted; k++) {
      const p = now + k * POINT, q = p + block
      let re = v128.load(p), im = v128.load(p, 16), re1 = v128.load(q), im1 = v128.load(q, 16)
      if (stride < points >> 1) {
        const p2 = q + block, p3 = p2 + block
        re = f64x2.add(re, v128.load(p2))
        im = f64x2.add(im, v128.load(p2, 16))
        re1 = f64x2.add(re1, v128.load(p3))
        im1 = f64x2.add(im1, v128.load(p3, 16))
      }
      leave(k, f64x2.add(re, re1), f64x2.add(im, im1), share)
    }
  }
  swap()
}

// X_k = Σ x_j exp(-2πi·jk/length) of both sequences, for k below `wanted`: another length than a power of two as a
// convolution of one.
export function transform(wanted: i32): void {
  if (length == points) {
    power()
    return
  }
  enter()
  let stride: i32 = 4
  for (; 4 * stride <= points; stride *= 4) passOfFour(stride)
  if (stride < points) passOfTwo()
  filter()
  for (stride = 4; 4 * stride < points; stride *= 4) passOfFour(stride)
  finish(stride, wanted)
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
  transform(n)
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
  transform(n + 1)
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
  transform(length)
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
