// One step of the Peaceman–Rachford alternating-direction scheme on a rectangle, two lanes wide.
//
// In units where every off-diagonal is 1 a step is, with a = (1 − r)/h, b = (1 + r)/h, h = r/2 for each direction,
//   stencil  w = a_along·u + (u_left + u_right)         solve  b_across·v − (v_before + v_after) = w
//   stencil  w' = a_across·v + (v_before + v_after)     solve  b_along·u − (u_left + u_right) = w'
// where v is the intermediate field times h_across/h_along: the factors cancel between the halves.
//
// A step is one pass over memory. What lies between two steps is D, the right-hand sides w already eliminated across
// the rows. A pass substitutes back, forms w', solves the rows, stores u when asked, forms the next w and eliminates it
// in the direction of the pass; so even steps run down the rows (last one first) and odd ones up. Rows are counted in
// the order of the pass. Eight are in work at a time: their columns are transposed in pairs, so that a row's recurrence
// runs in both lanes of four vectors. Blocks at an edge take the plain path below, which gives the same bits.
//
// An insulated edge mirrors: the ghost node equals the inner neighbour, which doubles one off-diagonal of the first and
// last node. Beyond a fixed edge there is zero, and the edge itself has no node here.

const BLOCK: i32 = 8
const COLUMN: usize = 64 // bytes of one column of a block: eight rows

// Set by `configure`: sizes in nodes, addresses and lengths in bytes.
let rows: i32 = 0
let columns: i32 = 0
let stride: usize = 0 // of a row of D and of the two carried rows: padded, an odd number of cache lines
let field: usize = 0 // u, rows × columns without padding
let eliminated: usize = 0 // D
let carried: usize = 0 // v of the last row of the block before and of this block's first
let packed: usize = 0 // one block by columns
let pivotsAcross: usize = 0 // inverse pivots by row, in the order of elimination
let backsAcross: usize = 0 // factors of back substitution by row, in the order of the pass
let pivotsAlong: usize = 0
let backsAlong: usize = 0
let aAcross: f64 = 0
let aAlong: f64 = 0
let edge: f64 = 1 // 2 where edges are insulated, 1 where they are fixed
let mirror: bool = false // whether they are insulated

export function configure(
  rowCount: i32, columnCount: i32, rowBytes: usize, uAt: usize, dAt: usize, carriedAt: usize, packedAt: usize,
  tables: usize, stencilAcross: f64, stencilAlong: f64, insulated: i32,
): void {
  rows = rowCount
  columns = columnCount
  stride = rowBytes
  field = uAt
  eliminated = dAt
  carried = carriedAt
  packed = packedAt
  pivotsAcross = tables
  backsAcross = tables + (<usize>rowCount << 3)
  pivotsAlong = tables + (<usize>rowCount << 4)
  backsAlong = pivotsAlong + (<usize>columnCount << 3)
  aAcross = stencilAcross
  aAlong = stencilAlong
  mirror = insulated != 0
  edge = mirror ? 2 : 1
}

// @ts-ignore: decorator
@inline function lows(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
}

// @ts-ignore: decorator
@inline function highs(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31)
}

// a·u + (left + right)
// @ts-ignore: decorator
@inline function blend(a: v128, u: v128, left: v128, right: v128): v128 {
  return f64x2.add(f64x2.mul(a, u), f64x2.add(left, right))
}

// Rows in the order of a pass: the address of the first and the way to the next.
let first: usize = 0
let next: isize = 0
let fieldFirst: usize = 0
let fieldNext: isize = 0

// @ts-ignore: decorator
@inline function rowOf(t: i32): usize {
  return first + <usize>(next * <isize>t)
}

// @ts-ignore: decorator
@inline function fieldRowOf(t: i32): usize {
  return fieldFirst + <usize>(fieldNext * <isize>t)
}

function face(up: bool): void {
  const last = <usize>(rows - 1), narrow = <usize>columns << 3
  first = up ? eliminated : eliminated + last * stride
  next = up ? <isize>stride : -<isize>stride
  fieldFirst = up ? field : field + last * narrow
  fieldNext = up ? <isize>narrow : -<isize>narrow
}

// Back substitution across the rows t0 … and w' for the columns from byte `from`: D becomes w'.
function substitute(t0: i32, count: i32, from: usize): void {
  const a = f64x2.splat(aAcross)
  for (let r = 0; r < count; r++) {
    const t = t0 + r
    const here = rowOf(t)
    const factor = t + 1 < rows ? v128.load64_splat(backsAcross + (<usize>(t + 1) << 3)) : f64x2.splat(0)
    for (let o = from; o < stride; o += 16) {
      let before = v128.load(carried + o)
      const now = v128.load(carried + stride + o)
      let after = mirror ? before : f64x2.splat(0)
      if (t + 1 < rows) after = f64x2.add(v128.load(rowOf(t + 1) + o), f64x2.mul(factor, now))
      if (t == 0) before = mirror ? after : f64x2.splat(0)
      v128.store(here + o, blend(a, now, before, after))
      v128.store(carried + o, now)
      v128.store(carried + stride + o, after)
    }
  }
}

// Elimination along the rows, columns j0 … j1 − 1.
function forward(t0: i32, count: i32, j0: i32, j1: i32): void {
  for (let r = 0; r < count; r++) {
    const row = rowOf(t0 + r)
    const lane = packed + (<usize>r << 3)
    let d = j0 > 0 ? load<f64>(lane + <usize>(j0 - 1) * COLUMN) : 0
    for (let j = j0; j < j1; j++) {
      const coupling = j == columns - 1 ? edge : 1
      d = (load<f64>(row + (<usize>j << 3)) + coupling * d) * load<f64>(pivotsAlong + (<usize>j << 3))
      store<f64>(lane + <usize>j * COLUMN, d)
    }
  }
}

// Back substitution along the rows, columns j1 − 1 down to j0, in place.
function backward(count: i32, j0: i32, j1: i32): void {
  for (let r = 0; r < count; r++) {
    const lane = packed + (<usize>r << 3)
    let x = j1 < columns ? load<f64>(lane + <usize>j1 * COLUMN) : 0
    for (let j = j1 - 1; j >= j0; j--) {
      x = load<f64>(lane + <usize>j * COLUMN) + load<f64>(backsAlong + (<usize>j << 3)) * x
      store<f64>(lane + <usize>j * COLUMN, x)
    }
  }
}

// u and the next w of the columns j0 … j1 − 1.
function emit(t0: i32, count: i32, j0: i32, j1: i32, keep: bool): void {
  for (let r = 0; r < count; r++) {
    const row = rowOf(t0 + r)
    const lane = packed + (<usize>r << 3)
    for (let j = j0; j < j1; j++) {
      const at = lane + <usize>j * COLUMN
      const x = load<f64>(at)
      let left = j > 0 ? load<f64>(at - COLUMN) : 0
      let right = j < columns - 1 ? load<f64>(at + COLUMN) : 0
      if (mirror && j == 0) left = right
      if (mirror && j == columns - 1) right = left
      store<f64>(row + (<usize>j << 3), aAlong * x + (left + right))
      if (keep) store<f64>(fieldRowOf(t0 + r) + (<usize>j << 3), x)
    }
  }
}

// Elimination across the rows t0 …, bytes `from` to `to` of each.
function eliminate(t0: i32, count: i32, from: usize, to: usize): void {
  for (let r = 0; r < count; r++) {
    const t = t0 + r
    const row = rowOf(t)
    const coupling = f64x2.splat(t == rows - 1 ? edge : 1)
    const pivot = v128.load64_splat(pivotsAcross + (<usize>t << 3))
    for (let o = from; o < to; o += 16) {
      const d = t > 0 ? f64x2.mul(coupling, v128.load(rowOf(t - 1) + o)) : f64x2.splat(0)
      v128.store(row + o, f64x2.mul(f64x2.add(v128.load(row + o), d), pivot))
    }
  }
}

// One pair of rows of `forwardBlock`: two rows of w' by columns, then two steps of the recurrence along them.
// @ts-ignore: decorator
@inline function recur(top: v128, bottom: v128, d: v128, at: usize, p0: v128, p1: v128): v128 {
  const d0 = f64x2.mul(f64x2.add(lows(top, bottom), d), p0)
  const d1 = f64x2.mul(f64x2.add(highs(top, bottom), d0), p1)
  v128.store(at, d0)
  v128.store(at + COLUMN, d1)
  return d1
}

// `substitute` and `forward` of eight inner rows at once, for the columns before `tail`.
function forwardBlock(t0: i32, tail: i32): void {
  const a = f64x2.splat(aAcross)
  const backs = backsAcross + (<usize>(t0 + 1) << 3)
  const end = <usize>tail << 3
  const r1 = rowOf(t0 + 1), r2 = rowOf(t0 + 2), r3 = rowOf(t0 + 3), r4 = rowOf(t0 + 4)
  const r5 = rowOf(t0 + 5), r6 = rowOf(t0 + 6), r7 = rowOf(t0 + 7), r8 = rowOf(t0 + 8)
  let d0 = f64x2.splat(0), d1 = d0, d2 = d0, d3 = d0, at = packed
  for (let o: usize = 0; o < end; o += 16) {
    const p0 = v128.load64_splat(pivotsAlong + o)
    const p1 = v128.load64_splat(pivotsAlong + o, 8)
    const before = v128.load(carried + o)
    const v0 = v128.load(carried + stride + o)
    const v1 = f64x2.add(v128.load(r1 + o), f64x2.mul(v128.load64_splat(backs), v0))
    const v2 = f64x2.add(v128.load(r2 + o), f64x2.mul(v128.load64_splat(backs, 8), v1))
    d0 = recur(blend(a, v0, before, v1), blend(a, v1, v0, v2), d0, at, p0, p1)
    const v3 = f64x2.add(v128.load(r3 + o), f64x2.mul(v128.load64_splat(backs, 16), v2))
    const v4 = f64x2.add(v128.load(r4 + o), f64x2.mul(v128.load64_splat(backs, 24), v3))
    d1 = recur(blend(a, v2, v1, v3), blend(a, v3, v2, v4), d1, at + 16, p0, p1)
    const v5 = f64x2.add(v128.load(r5 + o), f64x2.mul(v128.load64_splat(backs, 32), v4))
    const v6 = f64x2.add(v128.load(r6 + o), f64x2.mul(v128.load64_splat(backs, 40), v5))
    d2 = recur(blend(a, v4, v3, v5), blend(a, v5, v4, v6), d2, at + 32, p0, p1)
    const v7 = f64x2.add(v128.load(r7 + o), f64x2.mul(v128.load64_splat(backs, 48), v6))
    const v8 = f64x2.add(v128.load(r8 + o), f64x2.mul(v128.load64_splat(backs, 56), v7))
    d3 = recur(blend(a, v6, v5, v7), blend(a, v7, v6, v8), d3, at + 48, p0, p1)
    v128.store(carried + o, v7)
    v128.store(carried + stride + o, v8)
    at += 2 * COLUMN
  }
}

// Two rows of `backwardBlock` at one pair of columns: u when kept, at `to`; the next w, eliminated, if on, at `at`.
// @ts-ignore: decorator
@inline function settle(
  left: v128, x0: v128, x1: v128, right: v128, a: v128, d: v128, to: usize, at: usize, pivots: usize, keep: bool,
  on: bool,
): v128 {
  if (keep) {
    v128.store(to, lows(x0, x1))
    v128.store(to + <usize>fieldNext, highs(x0, x1))
  }
  if (!on) return d
  const w0 = blend(a, x0, left, x1)
  const w1 = blend(a, x1, x0, right)
  const e0 = f64x2.mul(f64x2.add(lows(w0, w1), d), v128.load64_splat(pivots))
  const e1 = f64x2.mul(f64x2.add(highs(w0, w1), e0), v128.load64_splat(pivots, 8))
  v128.store(at, e0)
  v128.store(at + <usize>next, e1)
  return e1
}

// A pair of rows in three columns of the block.
// @ts-ignore: decorator
@inline function put(at: usize, a: v128, b: v128, c: v128): void {
  v128.store(at, a)
  v128.store(at + COLUMN, b)
  v128.store(at + 2 * COLUMN, c)
}

// `backward`, `emit` and `eliminate` of eight inner rows at once, for the columns 2 … tail − 1; `backward` has reached
// column tail − 2 and leaves with this at column 0.
// @ts-ignore: decorator
@inline function backwardBlock(t0: i32, tail: i32, keep: bool, on: bool): void {
  const a = f64x2.splat(aAlong)
  const above = rowOf(t0 - 1), pivots = pivotsAcross + (<usize>t0 << 3)
  // Where the rows begin is worked out here: within the loop it would be so in every round.
  const r0 = rowOf(t0), r2 = rowOf(t0 + 2), r4 = rowOf(t0 + 4), r6 = rowOf(t0 + 6)
  const f0 = fieldRowOf(t0), f2 = fieldRowOf(t0 + 2), f4 = fieldRowOf(t0 + 4), f6 = fieldRowOf(t0 + 6)
  let at = packed + <usize>(tail - 2) * COLUMN
  let x0 = v128.load(at), x1 = v128.load(at, 64), x2 = v128.load(at, 128)
  let y0 = v128.load(at, 16), y1 = v128.load(at, 80), y2 = v128.load(at, 144)
  let z0 = v128.load(at, 32), z1 = v128.load(at, 96), z2 = v128.load(at, 160)
  let u0 = v128.load(at, 48), u1 = v128.load(at, 112), u2 = v128.load(at, 176)
  for (let o = <usize>(tail - 2) << 3; o >= 16; o -= 16) {
    const c1 = v128.load64_splat(backsAlong + o - 8), c2 = v128.load64_splat(backsAlong + o - 16)
    const low = at - 2 * COLUMN
    const xm = f64x2.add(v128.load(low, 64), f64x2.mul(c1, x0))
    let d = settle(xm, x0, x1, x2, a, v128.load(above + o), f0 + o, r0 + o, pivots, keep, on)
    x2 = x0, x1 = xm
    x0 = f64x2.add(v128.load(low), f64x2.mul(c2, xm))
    const ym = f64x2.add(v128.load(low, 80), f64x2.mul(c1, y0))
    d = settle(ym, y0, y1, y2, a, d, f2 + o, r2 + o, pivots + 16, keep, on)
    y2 = y0, y1 = ym
    y0 = f64x2.add(v128.load(low, 16), f64x2.mul(c2, ym))
    const zm = f64x2.add(v128.load(low, 96), f64x2.mul(c1, z0))
    d = settle(zm, z0, z1, z2, a, d, f4 + o, r4 + o, pivots + 32, keep, on)
    z2 = z0, z1 = zm
    z0 = f64x2.add(v128.load(low, 32), f64x2.mul(c2, zm))
    const um = f64x2.add(v128.load(low, 112), f64x2.mul(c1, u0))
    settle(um, u0, u1, u2, a, d, f6 + o, r6 + o, pivots + 48, keep, on)
    u2 = u0, u1 = um
    u0 = f64x2.add(v128.load(low, 48), f64x2.mul(c2, um))
    at = low
  }
  put(at, x0, x1, x2)
  put(at + 16, y0, y1, y2)
  put(at + 32, z0, z1, z2)
  put(at + 48, u0, u1, u2)
}

// One row of D from u: its stencil, eliminated against the row before it.
function begin(t: i32): void {
  const a = f64x2.splat(aAlong)
  const last = <usize>(columns - 1) << 3
  const from = fieldRowOf(t), to = rowOf(t)
  // The pair that reaches beyond the last inner column is put right by the two edges, which come after it.
  for (let o: usize = 0; o < last - 8; o += 16) {
    v128.store(to + o, blend(a, v128.load(from + o, 8), v128.load(from + o), v128.load(from + o, 16)), 8)
  }
  const second = load<f64>(from, 8), before = load<f64>(from + last - 8)
  store<f64>(to, aAlong * load<f64>(from) + ((mirror ? second : 0) + second))
  store<f64>(to + last, aAlong * load<f64>(from + last) + (before + (mirror ? before : 0)))
  eliminate(t, 1, 0, stride)
}

// Makes D from u for a step of this number: what `step` leaves behind for the next one.
export function open(number: i32): void {
  face((number & 1) == 0)
  for (let t = 0; t < rows; t++) begin(t)
}

// 1 in both lanes: a number written into a loop would be put together anew in every round of it.
const ones = memory.data<f64>([1, 1])

// Logistic growth of a row in place, exactly over a time: with u = scale·x,  x ← u·gain/(1 + u·rise).
function growRow(t: i32, scale: f64, gain: f64, rise: f64): void {
  const s = f64x2.splat(scale), g = f64x2.splat(gain), m = f64x2.splat(rise), one = v128.load(ones)
  const row = fieldRowOf(t)
  const whole = row + (<usize>(columns & ~1) << 3)
  for (let at = row; at < whole; at += 16) {
    const u = f64x2.mul(s, v128.load(at))
    v128.store(at, f64x2.div(f64x2.mul(u, g), f64x2.add(one, f64x2.mul(u, m))))
  }
  if ((columns & 1) != 0) {
    const u = scale * load<f64>(whole)
    store<f64>(whole, (u * gain) / (1 + u * rise))
  }
}

let competed: f64 = 0
// Sums of u and (in `spent`) of u·(1 − u) as `growRow` would leave the nodes, edges counted half, columns in pairs.
export function tally(scale: f64, gain: f64, rise: f64): f64 {
  const s = f64x2.splat(scale), g = f64x2.splat(gain), m = f64x2.splat(rise), one = v128.load(ones)
  let grown: f64 = 0, lost: f64 = 0
  const whole = <usize>(columns & ~1) << 3, last = <usize>(columns - 1) << 3
  for (let r = 0; r < rows; r++) {
    const row = field + (<usize>r * <usize>columns << 3)
    let us = f64x2.splat(0), vs = us
    for (let o: usize = 0; o < whole; o += 16) {
      const x = f64x2.mul(s, v128.load(row + o))
      const u = f64x2.div(f64x2.mul(x, g), f64x2.add(one, f64x2.mul(x, m)))
      us = f64x2.add(us, u)
      vs = f64x2.add(vs, f64x2.mul(u, f64x2.sub(one, u)))
    }
    const x0 = scale * load<f64>(row), u0 = (x0 * gain) / (1 + x0 * rise)
    const xn = scale * load<f64>(row + last), un = (xn * gain) / (1 + xn * rise)
    const a = f64x2.extract_lane(us, 0) + f64x2.extract_lane(us, 1) - u0 / 2
    const b = f64x2.extract_lane(vs, 0) + f64x2.extract_lane(vs, 1) - (u0 * (1 - u0)) / 2
    // An odd last column is not among the pairs, an even one is.
    const share: f64 = whole <= last ? 0.5 : -0.5
    const weight = r == 0 || r == rows - 1 ? 0.5 : 1
    grown += weight * (a + un * share)
    lost += weight * (b + un * (1 - un) * share)
  }
  competed = lost
  return grown
}

export function spent(): f64 {
  return competed
}

// @ts-ignore: decorator
@inline function pass(number: i32, keep: bool, on: bool): void {
  face((number & 1) == 1)
  memory.copy(carried + stride, first, stride)
  const tail = (columns - 1) & ~1
  const tailBytes = <usize>tail << 3
  for (let t0 = 0; t0 < rows; t0 += BLOCK) {
    const count = min(BLOCK, rows - t0)
    if (t0 > 0 && t0 + BLOCK < rows) {
      forwardBlock(t0, tail)
      substitute(t0, count, tailBytes)
      forward(t0, count, tail, columns)
      backward(count, tail - 2, columns)
      emit(t0, count, tail, columns, keep)
      backwardBlock(t0, tail, keep, on)
      emit(t0, count, 0, 2, keep)
      if (!on) continue
      eliminate(t0, count, 0, 16)
      eliminate(t0, count, tailBytes, stride)
    } else {
      substitute(t0, count, 0)
      forward(t0, count, 0, columns)
      backward(count, 0, columns)
      emit(t0, count, 0, columns, keep)
      if (on) eliminate(t0, count, 0, stride)
    }
  }
}

// Takes the step of this number (its parity is the direction of the pass); u is stored when `keep` is not 0.
export function step(number: i32, keep: i32): void {
  pass(number, keep != 0, true)
}

// Lets every node grow, then takes the step of this number alone: what D holds afterwards is of no step.
export function growAndStep(number: i32, scale: f64, gain: f64, rise: f64): void {
  face((number & 1) == 0)
  for (let t = 0; t < rows; t++) {
    growRow(t, scale, gain, rise)
    begin(t)
  }
  pass(number, true, false)
}
