// Shallow water at points in the advective form, two lanes wide: how the check of climate goes the way of a run again.
// Central differences of eighth order and the classical Runge-Kutta method, neither of which the kernel `shallow` has.
//
// A field lies with four ghosts on every side of the torus. A group is surface e, velocities u and v, and the pushes
// (e - b)·u and (e - b)·v that follow from them. A stage is one pass: it forms the slopes node by node and uses them at
// once for the sum of the step and for the next stage, so that they are never stored.

const GHOSTS: i32 = 4
const EDGE: usize = 32 // bytes of the ghosts before a row

let rows: i32 = 0
let columns: i32 = 0
let stride: usize = 0
let fieldBytes: usize = 0
let now: usize = 0
let one: usize = 0
let other: usize = 0
let sum: usize = 0 // e, u and v
let bottom: usize = 0
let perX: f64 = 0
let perY: f64 = 0
let turn: f64 = 0
let gravity: f64 = 0
let dt: f64 = 0

export function configure(
  rowCount: i32, columnCount: i32, rowBytes: usize, at: usize, alongX: f64, alongY: f64, f: f64, g: f64, time: f64,
): void {
  rows = rowCount
  columns = columnCount
  stride = rowBytes
  fieldBytes = <usize>(rowCount + 2 * GHOSTS) * rowBytes
  now = at
  one = now + 5 * fieldBytes
  other = one + 5 * fieldBytes
  sum = other + 5 * fieldBytes
  bottom = sum + 3 * fieldBytes
  perX = alongX
  perY = alongY
  turn = f
  gravity = g
  dt = time
}

// The ghosts of a field: the other ends of its rows, then of its columns; fields of a few rows go round more than once.
export function surround(field: usize): void {
  const first = field + <usize>GHOSTS * stride + EDGE
  const width = <usize>columns << 3
  for (let r = 0; r < rows; r++) {
    const row = first + <usize>r * stride
    memory.copy(row - EDGE, row + width - EDGE, EDGE)
    memory.copy(row + width, row, EDGE)
  }
  const last = <usize>(rows + GHOSTS) * stride
  for (let k = 0; k < GHOSTS; k++) {
    const row = <usize>k * stride
    memory.copy(field + last + row, field + row + <usize>GHOSTS * stride, stride)
  }
  for (let k = GHOSTS - 1; k >= 0; k--) {
    const row = field + <usize>k * stride
    memory.copy(row, row + <usize>rows * stride, stride)
  }
}

// One axis of a symmetric sum over seven values, `step` bytes apart.
// @ts-ignore: decorator
@inline
function smoothed(at: usize, step: usize, w0: v128, w1: v128, w2: v128, w3: v128): v128 {
  const near = f64x2.add(v128.load(at - step), v128.load(at + step))
  const mid = f64x2.add(v128.load(at - 2 * step), v128.load(at + 2 * step))
  const far = f64x2.add(v128.load(at - 3 * step), v128.load(at + 3 * step))
  const inner = f64x2.add(f64x2.mul(w0, v128.load(at)), f64x2.mul(w1, near))
  return f64x2.add(f64x2.add(inner, f64x2.mul(w2, mid)), f64x2.mul(w3, far))
}

// Means to points or back, in place: a series in δ² along x and then along y, by way of the field `between`.
export function convert(field: usize, between: usize, a: f64, b: f64, c: f64, d: f64): void {
  const w0 = f64x2.splat(a), w1 = f64x2.splat(b), w2 = f64x2.splat(c), w3 = f64x2.splat(d)
  for (let axis = 0; axis < 2; axis++) {
    const source = axis == 0 ? field : between, target = axis == 0 ? between : field
    const step: usize = axis == 0 ? 8 : stride
    surround(source)
    for (let r = 0; r < rows; r++) {
      const offset = <usize>(r + GHOSTS) * stride + EDGE
      for (let o = offset, end = offset + (<usize>columns << 3); o < end; o += 16) {
        v128.store(target + o, smoothed(source + o, step, w0, w1, w2, w3))
      }
    }
  }
  surround(field)
}

// @ts-ignore: decorator
@inline
function difference(at: usize, step: usize, w1: v128, w2: v128, w3: v128, w4: v128): v128 {
  const d1 = f64x2.mul(w1, f64x2.sub(v128.load(at + step), v128.load(at - step)))
  const d2 = f64x2.mul(w2, f64x2.sub(v128.load(at + 2 * step), v128.load(at - 2 * step)))
  const d3 = f64x2.mul(w3, f64x2.sub(v128.load(at + 3 * step), v128.load(at - 3 * step)))
  const d4 = f64x2.mul(w4, f64x2.sub(v128.load(at + 4 * step), v128.load(at - 4 * step)))
  return f64x2.add(f64x2.add(f64x2.add(d1, d2), d3), d4)
}

// sum ← sum + a·k (of the first stage the water before the step instead of the sum), next ← before + b·k; the last
// stage has no next, and its sum is the water a step later.
// @ts-ignore: decorator
@inline
function use(kind: i32, k: v128, field: usize, o: usize, to: usize, a: v128, b: v128): v128 {
  const before = v128.load(now + field + o)
  const so = kind == 0 ? before : v128.load(sum + field + o)
  const added = f64x2.add(so, f64x2.mul(a, k))
  if (kind == 2) {
    v128.store(now + field + o, added)
    return added
  }
  v128.store(sum + field + o, added)
  const ahead = f64x2.add(before, f64x2.mul(b, k))
  v128.store(to + field + o, ahead)
  return ahead
}

// @ts-ignore: decorator
@inline
function pass(kind: i32, stage: usize, next: usize, wa: f64, wb: f64): void {
  const a = f64x2.splat(wa), b = f64x2.splat(wb)
  const w1 = f64x2.splat(4.0 / 5.0), w2 = f64x2.splat(-1.0 / 5.0)
  const w3 = f64x2.splat(4.0 / 105.0), w4 = f64x2.splat(-1.0 / 280.0)
  const x = f64x2.splat(perX), y = f64x2.splat(perY), f = f64x2.splat(turn), g = f64x2.splat(gravity)
  const to = kind == 2 ? now : next
  const atU = fieldBytes, atV = atU + fieldBytes, atX = atV + fieldBytes, atY = atX + fieldBytes
  for (let r = 0; r < rows; r++) {
    const offset = <usize>(r + GHOSTS) * stride + EDGE
    for (let o = offset, end = offset + (<usize>columns << 3); o < end; o += 16) {
      const c = stage + o
      const u = v128.load(c + atU), v = v128.load(c + atV)
      const ex = difference(c, 8, w1, w2, w3, w4), ey = difference(c, stride, w1, w2, w3, w4)
      const ux = difference(c + atU, 8, w1, w2, w3, w4), uy = difference(c + atU, stride, w1, w2, w3, w4)
      const vx = difference(c + atV, 8, w1, w2, w3, w4), vy = difference(c + atV, stride, w1, w2, w3, w4)
      const mx = difference(c + atX, 8, w1, w2, w3, w4), my = difference(c + atY, stride, w1, w2, w3, w4)
      const ke = f64x2.neg(f64x2.add(f64x2.mul(mx, x), f64x2.mul(my, y)))
      const carriedU = f64x2.add(f64x2.mul(f64x2.mul(u, ux), x), f64x2.mul(f64x2.mul(v, uy), y))
      const carriedV = f64x2.add(f64x2.mul(f64x2.mul(u, vx), x), f64x2.mul(f64x2.mul(v, vy), y))
      const ku = f64x2.sub(
        f64x2.add(f64x2.neg(carriedU), f64x2.mul(f, v)), f64x2.mul(f64x2.mul(g, ex), x),
      )
      const kv = f64x2.sub(
        f64x2.sub(f64x2.neg(carriedV), f64x2.mul(f, u)), f64x2.mul(f64x2.mul(g, ey), y),
      )
      const e1 = use(kind, ke, 0, o, to, a, b)
      const u1 = use(kind, ku, atU, o, to, a, b)
      const v1 = use(kind, kv, atV, o, to, a, b)
      const deep = f64x2.sub(e1, v128.load(bottom + o))
      v128.store(to + atX + o, f64x2.mul(deep, u1))
      v128.store(to + atY + o, f64x2.mul(deep, v1))
    }
  }
  for (let i = 0; i < 5; i++) surround(to + <usize>i * fieldBytes)
}

// The pushes of the water before a step, from its surface and velocities and the bottom, whose ghosts are right.
export function begin(): void {
  for (let o: usize = 0; o < fieldBytes; o += 16) {
    const deep = f64x2.sub(v128.load(now + o), v128.load(bottom + o))
    v128.store(now + 3 * fieldBytes + o, f64x2.mul(deep, v128.load(now + fieldBytes + o)))
    v128.store(now + 4 * fieldBytes + o, f64x2.mul(deep, v128.load(now + 2 * fieldBytes + o)))
  }
}

// One step of the water; its pushes and ghosts are right before and after it. The last stage reads `one` and writes
// `now`: no stage writes what it reads.
export function step(): void {
  pass(0, now, one, (1.0 / 6.0) * dt, (1.0 / 2.0) * dt)
  pass(1, one, other, (1.0 / 3.0) * dt, (1.0 / 2.0) * dt)
  pass(1, other, one, (1.0 / 3.0) * dt, 1.0 * dt)
  pass(2, one, one, (1.0 / 6.0) * dt, 0)
}
