// Partial Cholesky factors of symmetric positive matrices, two lanes wide: the first k unknowns of n are eliminated,
// and what is left of the matrix is its Schur complement.
//
// A matrix is row-major with an even stride, of which only the upper triangle means anything: A = Uᵀ·U. Four pivots
// are taken at a time, and the rows below are updated by all four in one pass, two rows at once. Each element still
// sees its subtractions in the order of the pivots, so the bits are those of the plain loop. Passes begin at an even
// column and may write one element left of the diagonal, which nobody reads.

// @ts-ignore: decorator
@inline
function element(at: usize, stride: usize, row: i32, column: i32): f64 {
  return load<f64>(at + <usize>row * stride + (<usize>column << 3))
}

// Row i minus what the rows p … i − 1 of its panel take from it, then divided by the root of its pivot.
function settle(at: usize, n: i32, stride: usize, p: i32, i: i32): bool {
  const row = at + <usize>i * stride
  const from = <usize>(i & ~1) << 3
  const to = <usize>n << 3
  for (let g = p; g < i; g++) {
    const above = at + <usize>g * stride
    const factor = v128.load64_splat(above + (<usize>i << 3))
    for (let o = from; o < to; o += 16) {
      v128.store(row + o, f64x2.sub(v128.load(row + o), f64x2.mul(factor, v128.load(above + o))))
    }
  }
  const pivot = load<f64>(row + (<usize>i << 3))
  if (!(pivot > 0)) return false
  const inverse = f64x2.splat(1 / Math.sqrt(pivot))
  for (let o = from; o < to; o += 16) v128.store(row + o, f64x2.mul(v128.load(row + o), inverse))
  return true
}

// Row i minus what one row of U takes from it.
function take(at: usize, n: i32, stride: usize, p: i32, i: i32): void {
  const row = at + <usize>i * stride
  const above = at + <usize>p * stride
  const to = <usize>n << 3
  const factor = v128.load64_splat(above + (<usize>i << 3))
  for (let o = <usize>(i & ~1) << 3; o < to; o += 16) {
    v128.store(row + o, f64x2.sub(v128.load(row + o), f64x2.mul(factor, v128.load(above + o))))
  }
}

// Rows i and i + 1 minus what four rows of U take from them.
function takeFour(at: usize, n: i32, stride: usize, p: i32, i: i32): void {
  const row = at + <usize>i * stride
  const next = row + stride
  const u0 = at + <usize>p * stride, u1 = u0 + stride, u2 = u1 + stride, u3 = u2 + stride
  const column = <usize>i << 3
  const a0 = v128.load64_splat(u0 + column), b0 = v128.load64_splat(u0 + column, 8)
  const a1 = v128.load64_splat(u1 + column), b1 = v128.load64_splat(u1 + column, 8)
  const a2 = v128.load64_splat(u2 + column), b2 = v128.load64_splat(u2 + column, 8)
  const a3 = v128.load64_splat(u3 + column), b3 = v128.load64_splat(u3 + column, 8)
  const to = <usize>n << 3
  for (let o = <usize>(i & ~1) << 3; o < to; o += 16) {
    const v0 = v128.load(u0 + o), v1 = v128.load(u1 + o), v2 = v128.load(u2 + o), v3 = v128.load(u3 + o)
    let x = f64x2.sub(v128.load(row + o), f64x2.mul(a0, v0))
    let y = f64x2.sub(v128.load(next + o), f64x2.mul(b0, v0))
    x = f64x2.sub(x, f64x2.mul(a1, v1))
    y = f64x2.sub(y, f64x2.mul(b1, v1))
    x = f64x2.sub(x, f64x2.mul(a2, v2))
    y = f64x2.sub(y, f64x2.mul(b2, v2))
    x = f64x2.sub(x, f64x2.mul(a3, v3))
    y = f64x2.sub(y, f64x2.mul(b3, v3))
    v128.store(row + o, x)
    v128.store(next + o, y)
  }
}

// Eliminates the unknowns 0 … k − 1 in place. Returns 0, or 1 and the number of the pivot that was not positive.
export function eliminate(at: usize, n: i32, stride: usize, k: i32): i32 {
  for (let p = 0; p < k; p += 4) {
    const end = min(p + 4, k)
    for (let i = p; i < end; i++) if (!settle(at, n, stride, p, i)) return i + 1
    let i = end
    if (end - p == 4) for (; i + 1 < n; i += 2) takeFour(at, n, stride, p, i)
    for (; i < n; i++) for (let q = p; q < end; q++) take(at, n, stride, q, i)
  }
  return 0
}

// From loads of all n unknowns: those of the first k through Uᵀ, those of the others less what the first pass on.
export function forward(at: usize, n: i32, stride: usize, k: i32, vector: usize): void {
  for (let p = 0; p < k; p++) {
    const row = at + <usize>p * stride
    const y = load<f64>(vector + (<usize>p << 3)) / element(at, stride, p, p)
    store<f64>(vector + (<usize>p << 3), y)
    let j = p + 1
    if (j & 1) {
      const here = vector + (<usize>j << 3)
      store<f64>(here, load<f64>(here) - y * load<f64>(row + (<usize>j << 3)))
      j++
    }
    const factor = f64x2.splat(y)
    const to = <usize>n << 3
    for (let o = <usize>j << 3; o < to; o += 16) {
      const here = vector + o
      v128.store(here, f64x2.sub(v128.load(here), f64x2.mul(factor, v128.load(row + o))))
    }
  }
}

// From the last n − k unknowns to the first k, whose places hold what `forward` left there. Sums run in two lanes.
export function backward(at: usize, n: i32, stride: usize, k: i32, vector: usize): void {
  for (let p = k - 1; p >= 0; p--) {
    const row = at + <usize>p * stride
    let x = load<f64>(vector + (<usize>p << 3))
    let j = p + 1
    if (j & 1) {
      x -= load<f64>(row + (<usize>j << 3)) * load<f64>(vector + (<usize>j << 3))
      j++
    }
    let sum = f64x2.splat(0)
    const to = <usize>n << 3
    for (let o = <usize>j << 3; o < to; o += 16) {
      sum = f64x2.add(sum, f64x2.mul(v128.load(row + o), v128.load(vector + o)))
    }
    x -= f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)
    store<f64>(vector + (<usize>p << 3), x / element(at, stride, p, p))
  }
}
