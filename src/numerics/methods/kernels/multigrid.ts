// The inner loops of multigrid for symmetric nine-point operators. Arrays have a border of one point on all sides,
// where every coupling and every value is zero; a coupling stands at the point that comes first: `e` with the next in
// the row, `n`, `ne` and `nw` with three in the row above. All addresses are those of whole arrays, `stride` the bytes
// of a row.

// What is taken from a point's right side by its neighbours in the rows above and below, two points at once.
// @ts-ignore: decorator
@inline
function beyond(s: usize, n: usize, ne: usize, nw: usize, x: usize): v128 {
  const above = f64x2.add(
    f64x2.add(f64x2.mul(v128.load(n), v128.load(x + s)), f64x2.mul(v128.load(ne), v128.load(x + s, 8))),
    f64x2.mul(v128.load(nw), v128.load(x + s - 8)),
  )
  const below = f64x2.add(
    f64x2.add(
      f64x2.mul(v128.load(n - s), v128.load(x - s)),
      f64x2.mul(v128.load(ne - s - 8), v128.load(x - s - 8)),
    ),
    f64x2.mul(v128.load(nw - s, 8), v128.load(x - s, 8)),
  )
  return f64x2.add(above, below)
}

// The same for one point.
// @ts-ignore: decorator
@inline
function beyondOne(s: usize, n: usize, ne: usize, nw: usize, x: usize): f64 {
  const above =
    load<f64>(n) * load<f64>(x + s) + load<f64>(ne) * load<f64>(x + s, 8) + load<f64>(nw) * load<f64>(x + s - 8)
  const below =
    load<f64>(n - s) * load<f64>(x - s) + load<f64>(ne - s - 8) * load<f64>(x - s - 8) +
    load<f64>(nw - s, 8) * load<f64>(x - s, 8)
  return above + below
}

/** One Gauss–Seidel sweep over the points in their order. `inverse`: one over the centre. */
export function forward(
  rows: i32, columns: i32, stride: usize, inverse: usize, e: usize, n: usize, ne: usize, nw: usize, x: usize, b: usize,
): void {
  for (let row = 1; row <= rows; row++) {
    let o = <usize>row * stride + 8
    const end = o + (<usize>columns << 3)
    let before = 0.0
    for (; o + 16 <= end; o += 16) {
      // The neighbour just done enters last: everything else is ready while it is being worked out.
      const rest = f64x2.sub(
        f64x2.sub(v128.load(b + o), beyond(stride, n + o, ne + o, nw + o, x + o)),
        f64x2.mul(v128.load(e + o), v128.load(x + o, 8)),
      )
      before = (f64x2.extract_lane(rest, 0) - load<f64>(e + o - 8) * before) * load<f64>(inverse + o)
      store<f64>(x + o, before)
      before = (f64x2.extract_lane(rest, 1) - load<f64>(e + o) * before) * load<f64>(inverse + o, 8)
      store<f64>(x + o, before, 8)
    }
    if (o < end) {
      const rest =
        load<f64>(b + o) - beyondOne(stride, n + o, ne + o, nw + o, x + o) - load<f64>(e + o) * load<f64>(x + o, 8)
      store<f64>(x + o, (rest - load<f64>(e + o - 8) * before) * load<f64>(inverse + o))
    }
  }
}

/** The same from the last point to the first: the transpose of `forward`. */
export function backward(
  rows: i32, columns: i32, stride: usize, inverse: usize, e: usize, n: usize, ne: usize, nw: usize, x: usize, b: usize,
): void {
  for (let row = rows; row >= 1; row--) {
    const first = <usize>row * stride + 8
    let o = first + (<usize>columns << 3)
    let after = 0.0
    for (; o >= first + 16; o -= 16) {
      const at = o - 16
      const rest = f64x2.sub(
        f64x2.sub(v128.load(b + at), beyond(stride, n + at, ne + at, nw + at, x + at)),
        f64x2.mul(v128.load(e + at - 8), v128.load(x + at - 8)),
      )
      after = (f64x2.extract_lane(rest, 1) - load<f64>(e + at, 8) * after) * load<f64>(inverse + at, 8)
      store<f64>(x + at, after, 8)
      after = (f64x2.extract_lane(rest, 0) - load<f64>(e + at) * after) * load<f64>(inverse + at)
      store<f64>(x + at, after)
    }
    if (o > first) {
      const rest =
        load<f64>(b + first) - beyondOne(stride, n + first, ne + first, nw + first, x + first) -
        load<f64>(e + first - 8) * load<f64>(x + first - 8)
      store<f64>(x + first, (rest - load<f64>(e + first) * after) * load<f64>(inverse + first))
    }
  }
}

/** out = A·x. A column beyond an odd last one is the border: it gets the zero it has. */
export function apply(
  rows: i32, columns: i32, stride: usize, c: usize, e: usize, n: usize, ne: usize, nw: usize, x: usize, out: usize,
): void {
  for (let row = 1; row <= rows; row++) {
    const from = <usize>row * stride + 8
    const end = from + (<usize>columns << 3)
    let o = from
    for (; o + 16 <= end; o += 16) {
      const level = f64x2.add(
        f64x2.add(f64x2.mul(v128.load(c + o), v128.load(x + o)), f64x2.mul(v128.load(e + o), v128.load(x + o, 8))),
        f64x2.mul(v128.load(e + o - 8), v128.load(x + o - 8)),
      )
      v128.store(out + o, f64x2.add(level, beyond(stride, n + o, ne + o, nw + o, x + o)))
    }
    if (o < end) {
      const level =
        load<f64>(c + o) * load<f64>(x + o) + load<f64>(e + o) * load<f64>(x + o, 8) +
        load<f64>(e + o - 8) * load<f64>(x + o - 8)
      store<f64>(out + o, level + beyondOne(stride, n + o, ne + o, nw + o, x + o))
    }
  }
}

/** residual = b − residual, over a whole array of `bytes`. */
export function leave(bytes: usize, b: usize, residual: usize): void {
  let o: usize = 0
  for (; o + 16 <= bytes; o += 16) v128.store(residual + o, f64x2.sub(v128.load(b + o), v128.load(residual + o)))
  if (o < bytes) store<f64>(residual + o, load<f64>(b + o) - load<f64>(residual + o))
}

/** Sums a residual to the coarser grid, by the weights with which it interpolates. */
export function restrict(
  rows: i32, columns: i32, stride: usize, coarseStride: usize,
  a: usize, b: usize, c: usize, d: usize, residual: usize, to: usize,
): void {
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const o = <usize>(2 * row + 1) * stride + (<usize>(2 * column + 1) << 3)
      const p = o + stride
      const m = o - stride
      const level =
        load<f64>(residual + o) + load<f64>(a + o, 8) * load<f64>(residual + o, 8) +
        load<f64>(b + o - 8) * load<f64>(residual + o - 8)
      const above =
        load<f64>(a + p) * load<f64>(residual + p) + load<f64>(a + p, 8) * load<f64>(residual + p, 8) +
        load<f64>(b + p - 8) * load<f64>(residual + p - 8)
      const below =
        load<f64>(b + m) * load<f64>(residual + m) + load<f64>(c + m, 8) * load<f64>(residual + m, 8) +
        load<f64>(d + m - 8) * load<f64>(residual + m - 8)
      store<f64>(to + <usize>(row + 1) * coarseStride + (<usize>(column + 1) << 3), level + (above + below))
    }
  }
}

/** Adds the coarser grid's correction. */
export function prolong(
  rows: i32, columns: i32, stride: usize, coarseStride: usize,
  a: usize, b: usize, c: usize, d: usize, from: usize, x: usize,
): void {
  for (let row = 0; row < rows; row++) {
    const z = from + <usize>((row >> 1) + 1) * coarseStride
    for (let column = 0; column < columns; column++) {
      const o = <usize>(row + 1) * stride + (<usize>(column + 1) << 3)
      const k = z + (<usize>((column >> 1) + 1) << 3)
      const n = k + coarseStride
      let sum = load<f64>(k)
      if ((row & 1) == 0) {
        if ((column & 1) != 0) sum = load<f64>(a + o) * sum + load<f64>(b + o) * load<f64>(k, 8)
      } else if ((column & 1) == 0) {
        sum = load<f64>(a + o) * sum + load<f64>(b + o) * load<f64>(n)
      } else {
        sum =
          load<f64>(a + o) * sum + load<f64>(b + o) * load<f64>(k, 8) +
          (load<f64>(c + o) * load<f64>(n) + load<f64>(d + o) * load<f64>(n, 8))
      }
      store<f64>(x + o, load<f64>(x + o) + sum)
    }
  }
}
