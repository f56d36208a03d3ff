// Householder's reduction of a symmetric matrix to a tridiagonal one, and the reflections undone, two lanes wide.
//
// Only the lower triangle is touched, once a step: the update A − v·pᵀ − p·vᵀ of the step before is made in the same
// pass over memory in which A·v of this step adds up. A row's sum has even and odd columns in separate lanes, which are
// joined at its end, then the column that has no neighbour, then the diagonal: one fixed order.

let n: i32 = 0
let stride: usize = 0 // bytes of a row, padded to pairs
let matrix: usize = 0
let reflectors: usize = 0 // row k: v of step k from column k + 1 on, zeros before
let diagonal: usize = 0
let beside: usize = 0
let betas: usize = 0
let before: usize = 0 // v of the step before
let partner: usize = 0 // p of the step before
let sums: usize = 0

export function configure(size: i32, base: usize): void {
  n = size
  stride = <usize>((size + (size & 1)) << 3)
  matrix = base
  reflectors = base + stride * <usize>size
  diagonal = reflectors + stride * <usize>size
  beside = diagonal + stride
  betas = beside + stride
  before = betas + stride
  partner = before + stride
  sums = partner + stride
}

// One row of the pass: its update, its share of A·v, and what it gives to the columns before it.
function row(i: usize, first: usize, v: usize): void {
  const at = matrix + (i >> 3) * stride
  const vi = load<f64>(v + i)
  const oldV = load<f64>(before + i)
  const oldP = load<f64>(partner + i)
  const vi2 = f64x2.splat(vi)
  const oldV2 = f64x2.splat(oldV)
  const oldP2 = f64x2.splat(oldP)
  let sum2 = f64x2.splat(0)
  let j = first
  for (; j + 8 < i; j += 16) {
    const a = f64x2.sub(
      v128.load(at + j),
      f64x2.add(f64x2.mul(oldV2, v128.load(partner + j)), f64x2.mul(oldP2, v128.load(before + j))),
    )
    v128.store(at + j, a)
    sum2 = f64x2.add(sum2, f64x2.mul(a, v128.load(v + j)))
    v128.store(sums + j, f64x2.add(v128.load(sums + j), f64x2.mul(a, vi2)))
  }
  let sum = f64x2.extract_lane(sum2, 0) + f64x2.extract_lane(sum2, 1)
  if (j < i) {
    const a = load<f64>(at + j) - (oldV * load<f64>(partner + j) + oldP * load<f64>(before + j))
    store<f64>(at + j, a)
    sum += a * load<f64>(v + j)
    store<f64>(sums + j, load<f64>(sums + j) + a * vi)
  }
  const a = load<f64>(at + i) - (oldV * oldP + oldP * oldV)
  store<f64>(at + i, a)
  store<f64>(sums + i, load<f64>(sums + i) + (sum + a * vi))
}

function dot(a: usize, b: usize, from: usize): f64 {
  let sum2 = f64x2.splat(0)
  for (let j = from; j < stride; j += 16) {
    sum2 = f64x2.add(sum2, f64x2.mul(v128.load(a + j), v128.load(b + j)))
  }
  return f64x2.extract_lane(sum2, 0) + f64x2.extract_lane(sum2, 1)
}

// Steps `from` (inclusive) to `to` (exclusive) of n − 2: step k makes row and column k tridiagonal.
export function reduce(from: i32, to: i32): void {
  for (let step = from; step < to; step++) {
    const k = <usize>step << 3
    const first = (k + 8) & ~15 // the pair that column k + 1 lies in
    const v = reflectors + <usize>step * stride
    const oldV = load<f64>(before + k)
    const oldP = load<f64>(partner + k)
    store<f64>(diagonal + k, load<f64>(matrix + <usize>step * stride + k) - (oldV * oldP + oldP * oldV))
    for (let j: usize = k + 8; j < <usize>n << 3; j += 8) {
      const a = load<f64>(matrix + (j >> 3) * stride + k)
      store<f64>(v + j, a - (oldV * load<f64>(partner + j) + oldP * load<f64>(before + j)))
    }
    const square = dot(v, v, first)
    const norm = sqrt(square)
    const head = load<f64>(v + k + 8)
    const alpha = head > 0 ? -norm : norm
    const length = square - head * alpha
    store<f64>(beside + k, alpha)
    for (let j = first; j < stride; j += 16) v128.store(sums + j, f64x2.splat(0))
    let beta: f64 = 0
    if (length != 0) {
      store<f64>(v + k + 8, head - alpha)
      beta = 1 / length
    }
    store<f64>(betas + k, beta)
    for (let i: usize = k + 8; i < <usize>n << 3; i += 8) row(i, first, v)
    if (first == k) store<f64>(sums + k, 0)
    const half = (beta * (beta * dot(sums, v, first))) / 2
    for (let j = first; j < stride; j += 16) {
      const scaled = f64x2.mul(v128.load(sums + j), f64x2.splat(beta))
      v128.store(partner + j, f64x2.sub(scaled, f64x2.mul(f64x2.splat(half), v128.load(v + j))))
      v128.store(before + j, v128.load(v + j))
    }
  }
}

// The last two rows, which are tridiagonal by themselves.
export function finish(): void {
  for (let i = n > 2 ? n - 2 : 0; i < n; i++) {
    const at = <usize>i << 3
    const v = load<f64>(before + at)
    const p = load<f64>(partner + at)
    store<f64>(diagonal + at, load<f64>(matrix + <usize>i * stride + at) - (v * p + p * v))
  }
  if (n < 2) return
  const at = <usize>(n - 2) << 3
  const a = load<f64>(matrix + <usize>(n - 1) * stride + at)
  const ahead = load<f64>(before + at + 8) * load<f64>(partner + at)
  const behind = load<f64>(partner + at + 8) * load<f64>(before + at)
  store<f64>(beside + at, a - (ahead + behind))
}

// Undoes the reflections for one vector of n numbers, padded to pairs.
export function restore(vector: usize): void {
  for (let step = n - 3; step >= 0; step--) {
    const v = reflectors + <usize>step * stride
    const first = (<usize>(step + 1) << 3) & ~15
    const factor = f64x2.splat(load<f64>(betas + (<usize>step << 3)) * dot(v, vector, first))
    for (let j = first; j < stride; j += 16) {
      v128.store(vector + j, f64x2.sub(v128.load(vector + j), f64x2.mul(factor, v128.load(v + j))))
    }
  }
}
