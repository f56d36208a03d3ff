// The lowest eigenvalues of a symmetric tridiagonal matrix by bisection, eight at a time, and their vectors by inverse
// iteration.
//
// Bisection counts eigenvalues below a number by the signs of q(i) = d(i) − x − e(i − 1)²/q(i − 1) (Sturm). A count is
// one long chain of divisions, so eight of them, two to a vector, take hardly longer than one. Lanes never mix: each
// level goes its own way, whichever stand beside it. Squares are kept above zero, so that no 0/0 arises; a q that is
// zero makes the next one infinite, and the count is still right.
//
// Memory from the base: lower ends, upper ends, middles and counts of eight levels; then rows of the matrix's padded
// size: diagonal, beside, squares, values, four of the triangular factor and its row exchanges, vectors.

const LANES: i32 = 8
const EPSILON: f64 = 2.220446049250313e-16
// Least square beside the diagonal: far below what any count can feel.
const LEAST_SQUARE: f64 = 1e-290
// Solves of inverse iteration: the second is exact for all but the worst of starts.
const SOLVES: i32 = 3

let n: i32 = 0
let stride: usize = 0 // bytes of a row, padded to fours
let lows: usize = 0
let highs: usize = 0
let middles: usize = 0
let counts: usize = 0
let diagonal: usize = 0
let beside: usize = 0
let squares: usize = 0
let values: usize = 0
let inverses: usize = 0 // of the pivots
let upper: usize = 0
let second: usize = 0
let multipliers: usize = 0
let swapped: usize = 0 // 1 where a row changed places with the one below
let vectors: usize = 0

export function configure(size: i32, base: usize): void {
  n = size
  stride = <usize>(((size + 3) & ~3) << 3)
  lows = base
  highs = lows + (LANES << 3)
  middles = highs + (LANES << 3)
  counts = middles + (LANES << 3)
  diagonal = counts + (LANES << 3)
  beside = diagonal + stride
  squares = beside + stride
  values = squares + stride
  inverses = values + stride
  upper = inverses + stride
  second = upper + stride
  multipliers = second + stride
  swapped = multipliers + stride
  vectors = swapped + stride
}

// Eigenvalues below each of the eight middles.
function count(): void {
  const x0 = v128.load(middles), x1 = v128.load(middles, 16), x2 = v128.load(middles, 32), x3 = v128.load(middles, 48)
  let d = v128.load64_splat(diagonal)
  let q0 = f64x2.sub(d, x0), q1 = f64x2.sub(d, x1), q2 = f64x2.sub(d, x2), q3 = f64x2.sub(d, x3)
  let c0 = i64x2.shr_u(q0, 63), c1 = i64x2.shr_u(q1, 63), c2 = i64x2.shr_u(q2, 63), c3 = i64x2.shr_u(q3, 63)
  for (let i: usize = 0; i < <usize>(n - 1) << 3; i += 8) {
    d = v128.load64_splat(diagonal + i, 8)
    const s = v128.load64_splat(squares + i)
    q0 = f64x2.sub(f64x2.sub(d, x0), f64x2.div(s, q0))
    q1 = f64x2.sub(f64x2.sub(d, x1), f64x2.div(s, q1))
    q2 = f64x2.sub(f64x2.sub(d, x2), f64x2.div(s, q2))
    q3 = f64x2.sub(f64x2.sub(d, x3), f64x2.div(s, q3))
    c0 = i64x2.add(c0, i64x2.shr_u(q0, 63))
    c1 = i64x2.add(c1, i64x2.shr_u(q1, 63))
    c2 = i64x2.add(c2, i64x2.shr_u(q2, 63))
    c3 = i64x2.add(c3, i64x2.shr_u(q3, 63))
  }
  v128.store(counts, c0)
  v128.store(counts, c1, 16)
  v128.store(counts, c2, 32)
  v128.store(counts, c3, 48)
}

// @ts-ignore: decorator
@inline
function open(low: f64, high: f64, floor: f64): bool {
  return high - low > 2 * EPSILON * Math.max(Math.abs(low), Math.abs(high)) + floor
}

// Eight levels from `first` on, all eigenvalues within the bounds; brackets no wider than `floor` are left.
function bisect(first: i32, low: f64, high: f64, floor: f64): void {
  for (let lane: i32 = 0; lane < LANES; lane++) {
    store<f64>(lows + (lane << 3), low)
    store<f64>(highs + (lane << 3), high)
  }
  for (let going = true; going; ) {
    going = false
    for (let at: usize = 0; at < <usize>LANES << 3; at += 8) {
      const a = load<f64>(lows + at)
      const b = load<f64>(highs + at)
      store<f64>(middles + at, a + (b - a) / 2)
      if (open(a, b, floor)) going = true
    }
    if (!going) break
    count()
    for (let lane: i32 = 0; lane < LANES; lane++) {
      const at = <usize>lane << 3
      if (!open(load<f64>(lows + at), load<f64>(highs + at), floor)) continue
      const below = load<i64>(counts + at) > <i64>(first + lane)
      store<f64>((below ? highs : lows) + at, load<f64>(middles + at))
    }
  }
}

// The `wanted` lowest eigenvalues, rising.
export function lowest(wanted: i32, low: f64, high: f64, floor: f64): void {
  for (let i: usize = 0; i < <usize>(n - 1) << 3; i += 8) {
    const e = load<f64>(beside + i)
    store<f64>(squares + i, Math.max(e * e, LEAST_SQUARE))
  }
  for (let first: i32 = 0; first < wanted; first += LANES) {
    bisect(first, low, high, floor)
    for (let lane: i32 = 0; lane < LANES && first + lane < wanted; lane++) {
      store<f64>(values + (<usize>(first + lane) << 3), load<f64>(middles + (lane << 3)))
    }
  }
}

// What is rounding beside the matrix's size may be any rounding: the inverse stays finite.
// @ts-ignore: decorator
@inline
function pivotOf(value: f64, least: f64): f64 {
  return Math.abs(value) < least ? least : value
}

// T − λ as a product of a permuted lower and an upper triangle: elimination with partial pivoting.
function factor(value: f64, least: f64): void {
  let here = load<f64>(diagonal) - value
  let next = load<f64>(beside)
  const last = <usize>(n - 1) << 3
  for (let i: usize = 0; i < last; i += 8) {
    const low = load<f64>(beside + i)
    const own = load<f64>(diagonal + i + 8) - value
    const after = i + 8 < last ? load<f64>(beside + i + 8) : 0
    if (Math.abs(here) >= Math.abs(low)) {
      const inverse = 1 / pivotOf(here, least)
      const by = low * inverse
      store<f64>(inverses + i, inverse)
      store<f64>(upper + i, next)
      store<f64>(second + i, 0)
      store<f64>(multipliers + i, by)
      store<f64>(swapped + i, 0)
      here = own - by * next
      next = after
    } else {
      const inverse = 1 / pivotOf(low, least)
      const by = here * inverse
      store<f64>(inverses + i, inverse)
      store<f64>(upper + i, own)
      store<f64>(second + i, after)
      store<f64>(multipliers + i, by)
      store<f64>(swapped + i, 1)
      here = next - by * own
      next = -by * after
    }
  }
  store<f64>(inverses + last, 1 / pivotOf(here, least))
}

function solve(x: usize): void {
  const last = <usize>(n - 1) << 3
  let carried = load<f64>(x)
  for (let i: usize = 0; i < last; i += 8) {
    const other = load<f64>(x + i + 8)
    const exchange = load<f64>(swapped + i) != 0
    const kept = exchange ? other : carried
    store<f64>(x + i, kept)
    carried = (exchange ? carried : other) - load<f64>(multipliers + i) * kept
  }
  let one = carried * load<f64>(inverses + last)
  let two: f64 = 0
  store<f64>(x + last, one)
  for (let i = last; i > 0; i -= 8) {
    const at = i - 8
    const rest = load<f64>(x + at) - load<f64>(second + at) * two - load<f64>(upper + at) * one
    two = one
    one = rest * load<f64>(inverses + at)
    store<f64>(x + at, one)
  }
}

function dot(a: usize, b: usize): f64 {
  let even = f64x2.splat(0), odd = f64x2.splat(0)
  for (let j: usize = 0; j < stride; j += 32) {
    even = f64x2.add(even, f64x2.mul(v128.load(a + j), v128.load(b + j)))
    odd = f64x2.add(odd, f64x2.mul(v128.load(a + j, 16), v128.load(b + j, 16)))
  }
  const sum = f64x2.add(even, odd)
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)
}

function scale(x: usize, by: f64): void {
  const factor = f64x2.splat(by)
  for (let j: usize = 0; j < stride; j += 16) v128.store(x + j, f64x2.mul(v128.load(x + j), factor))
}

// Takes out of x what lies along the vectors before it, and makes its length 1.
function orthonormalise(x: usize): void {
  let largest: f64 = 0
  for (let j: usize = 0; j < stride; j += 8) largest = Math.max(largest, Math.abs(load<f64>(x + j)))
  scale(x, 1 / largest)
  for (let other = vectors; other < x; other += stride) {
    const along = f64x2.splat(dot(x, other))
    for (let j: usize = 0; j < stride; j += 16) {
      v128.store(x + j, f64x2.sub(v128.load(x + j), f64x2.mul(along, v128.load(other + j))))
    }
  }
  scale(x, 1 / sqrt(dot(x, x)))
}

// A start with a share of every vector: numbers in [0.5, 1.5) that no symmetry has.
function start(x: usize, level: i32): void {
  let word: u32 = 12_345 + 7_919 * level
  for (let j: usize = 0; j < stride; j += 8) {
    word = word * 1_103_515_245 + 12_345
    store<f64>(x + j, j < <usize>n << 3 ? 0.5 + <f64>word / 4_294_967_296 : 0)
  }
}

// Orthonormal vectors of the `wanted` lowest values; of a cluster each has a shift of its own.
export function invert(wanted: i32, size: f64): void {
  let shift = -Infinity
  for (let level: i32 = 0; level < wanted; level++) {
    const x = vectors + <usize>level * stride
    shift = Math.max(load<f64>(values + (<usize>level << 3)), shift + 4 * EPSILON * size)
    factor(shift, EPSILON * size)
    start(x, level)
    for (let k: i32 = 0; k < SOLVES; k++) {
      solve(x)
      orthonormalise(x)
    }
  }
}
