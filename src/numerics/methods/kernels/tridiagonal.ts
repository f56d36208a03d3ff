// Householder's reduction of a symmetric matrix to a tridiagonal one, and the reflections undone, two lanes wide.
//
// Only the lower triangle is touched, once a step: the update A − v·pᵀ − p·vᵀ of the step before is made in the same
// pass over memory, two rows at a time, in which A·v of this step adds up. A row's sum has even and odd columns in
// separate lanes, which are joined at its end, then the column that has no neighbour, then the diagonal: one fixed
// order.

const ROOT_HALF: f64 = 0.7071067811865476

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

// Writes the lower triangle A(i, j) = differences(i − j) + sums(i + j), and `added` on its diagonal. `folded` says that
// the last row is the middle of a larger matrix that was folded onto its half: there it came in twice.
export function fill(differences: usize, sumsOf: usize, added: usize, folded: bool): void {
  for (let i: usize = 0; i < <usize>n << 3; i += 8) {
    const at = matrix + (i >> 3) * stride
    for (let j: usize = 0; j <= i; j += 8) {
      store<f64>(at + j, load<f64>(differences + (i - j)) + load<f64>(sumsOf + (i + j)))
    }
    if (folded && i + 8 == <usize>n << 3) {
      for (let j: usize = 0; j < i; j += 8) store<f64>(at + j, ROOT_HALF * load<f64>(at + j))
      store<f64>(at + i, 0.5 * load<f64>(at + i))
    }
    store<f64>(at + i, load<f64>(at + i) + load<f64>(added + i))
  }
}

// Rows i and i + 1 of the pass, i even, together: what they share is read once. Each number still meets the others in
// the order of row after row.
function rows(i: usize, first: usize, v: usize): void {
  const at = matrix + (i >> 3) * stride
  const below = at + stride
  const v0 = load<f64>(v + i), v1 = load<f64>(v + i + 8)
  const oldV0 = load<f64>(before + i), oldV1 = load<f64>(before + i + 8)
  const oldP0 = load<f64>(partner + i), oldP1 = load<f64>(partner + i + 8)
  const vs0 = f64x2.splat(v0), vs1 = f64x2.splat(v1)
  const oldVs0 = f64x2.splat(oldV0), oldVs1 = f64x2.splat(oldV1)
  const oldPs0 = f64x2.splat(oldP0), oldPs1 = f64x2.splat(oldP1)
  let pair0 = f64x2.splat(0), pair1 = f64x2.splat(0)
  for (let j = first; j < i; j += 16) {
    const p = v128.load(partner + j), b = v128.load(before + j), w = v128.load(v + j)
    const a0 = f64x2.sub(v128.load(at + j), f64x2.add(f64x2.mul(oldVs0, p), f64x2.mul(oldPs0, b)))
    const a1 = f64x2.sub(v128.load(below + j), f64x2.add(f64x2.mul(oldVs1, p), f64x2.mul(oldPs1, b)))
    v128.store(at + j, a0)
    v128.store(below + j, a1)
    pair0 = f64x2.add(pair0, f64x2.mul(a0, w))
    pair1 = f64x2.add(pair1, f64x2.mul(a1, w))
    v128.store(sums + j, f64x2.add(f64x2.add(v128.load(sums + j), f64x2.mul(a0, vs0)), f64x2.mul(a1, vs1)))
  }
  const own = load<f64>(at + i) - (oldV0 * oldP0 + oldP0 * oldV0)
  store<f64>(at + i, own)
  const sum0 = f64x2.extract_lane(pair0, 0) + f64x2.extract_lane(pair0, 1)
  const beneath = load<f64>(below + i) - (oldV1 * oldP0 + oldP1 * oldV0)
  store<f64>(below + i, beneath)
  store<f64>(sums + i, load<f64>(sums + i) + (sum0 + own * v0) + beneath * v1)
  const sum1 = f64x2.extract_lane(pair1, 0) + f64x2.extract_lane(pair1, 1) + beneath * v0
  const last = load<f64>(below + i + 8) - (oldV1 * oldP1 + oldP1 * oldV1)
  store<f64>(below + i + 8, last)
  store<f64>(sums + i + 8, load<f64>(sums + i + 8) + (sum1 + last * v1))
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
    let i = k + 8
    if (i & 8) {
      row(i, first, v)
      i += 8
    }
    for (; i + 8 < <usize>n << 3; i += 16) rows(i, first, v)
    if (i < <usize>n << 3) row(i, first, v)
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
