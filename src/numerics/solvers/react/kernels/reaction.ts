// Steps of two reacting and diffusing fields on a ring of rings, by the classical Runge-Kutta method, two lanes wide.
//
// Each field lies with one ghost row on either side and two ghost columns (one would leave the rows off their 16-byte
// places). A stage is one pass: it forms k = f(stage) node by node and uses it at once,
//   first   sum ← base + a·k, next ← base + b·k      (stage = base)
//   inner   sum ← sum + a·k,  next ← base + b·k
//   last    base ← sum + a·k
// so that no field of slopes is ever stored.

let n: i32 = 0
let stride: usize = 0
let fieldBytes: usize = 0 // from a field u to its v; the four pairs follow each other: base, sum, one, other
let base: usize = 0
let model: i32 = 0 // 0 Gray-Scott, 1 FitzHugh-Nagumo
let du: f64 = 0 // diffusivities over the square of the spacing
let dv: f64 = 0
let p0: f64 = 0 // F; rate
let p1: f64 = 0 // F + k; rate·current
let p2: f64 = 0 // rate·epsilon
let p3: f64 = 0 // rate·epsilon·a
let p4: f64 = 0 // rate·epsilon·b
let dt: f64 = 0

export function configure(
  size: i32, rowBytes: usize, bytes: usize, at: usize, kind: i32, alongU: f64, alongV: f64,
  a: f64, b: f64, c: f64, d: f64, e: f64, step: f64,
): void {
  n = size
  stride = rowBytes
  fieldBytes = bytes
  base = at
  model = kind
  du = alongU
  dv = alongV
  p0 = a
  p1 = b
  p2 = c
  p3 = d
  p4 = e
  dt = step
}

// The ghosts of a field: the other ends of its rows, then its last and first row.
export function surround(field: usize): void {
  const width = <usize>n << 3
  const first = field + stride + 16
  for (let r = 0; r < n; r++) {
    const row = first + <usize>r * stride
    store<f64>(row - 8, load<f64>(row + width - 8))
    store<f64>(row + width, load<f64>(row))
  }
  memory.copy(field, field + <usize>n * stride, stride)
  memory.copy(field + <usize>(n + 1) * stride, field + stride, stride)
}

// Rows lie at an offset of 16; loads take offsets from one node to the left, and 8 is the node itself.
// @ts-ignore: decorator
@inline
function spread(up: usize, at: usize, down: usize, here: v128, weight: v128, four: v128): v128 {
  const around = f64x2.add(
    f64x2.add(v128.load(at), v128.load(at, 16)), f64x2.add(v128.load(up, 8), v128.load(down, 8)),
  )
  return f64x2.mul(weight, f64x2.sub(around, f64x2.mul(four, here)))
}

// What a stage does with the slope k of a node.
// @ts-ignore: decorator
@inline
function use(kind: i32, k: v128, home: usize, sum: usize, next: usize, a: v128, b: v128): void {
  if (kind == 2) {
    v128.store(home, f64x2.add(v128.load(sum, 8), f64x2.mul(a, k)), 8)
    return
  }
  const start = v128.load(home, 8)
  const so = kind == 0 ? start : v128.load(sum, 8)
  v128.store(sum, f64x2.add(so, f64x2.mul(a, k)), 8)
  v128.store(next, f64x2.add(start, f64x2.mul(b, k)), 8)
}

// @ts-ignore: decorator
@inline
function pass(kind: i32, reaction: i32, stage: usize, sum: usize, next: usize, wa: f64, wb: f64): void {
  const a = f64x2.splat(wa), b = f64x2.splat(wb)
  const alongU = f64x2.splat(du), alongV = f64x2.splat(dv), four = f64x2.splat(4), one = f64x2.splat(1)
  const third = f64x2.splat(1.0 / 3.0)
  const q0 = f64x2.splat(p0), q1 = f64x2.splat(p1), q2 = f64x2.splat(p2), q3 = f64x2.splat(p3), q4 = f64x2.splat(p4)
  const across = fieldBytes
  for (let r = 0; r < n; r++) {
    const offset = <usize>(r + 1) * stride + 8
    let at = stage + offset, home = base + offset, to = sum + offset, then = next + offset
    const end = at + (<usize>n << 3)
    while (at < end) {
      const u = v128.load(at, 8)
      const other = at + across
      const v = v128.load(other, 8)
      const su = spread(at - stride, at, at + stride, u, alongU, four)
      const sv = spread(other - stride, other, other + stride, v, alongV, four)
      let ku: v128, kv: v128
      if (reaction == 0) {
        const uvv = f64x2.mul(u, f64x2.mul(v, v))
        ku = f64x2.add(f64x2.sub(su, uvv), f64x2.mul(q0, f64x2.sub(one, u)))
        kv = f64x2.sub(f64x2.add(sv, uvv), f64x2.mul(q1, v))
      } else {
        const cube = f64x2.mul(third, f64x2.mul(u, f64x2.mul(u, u)))
        ku = f64x2.add(f64x2.add(su, f64x2.mul(q0, f64x2.sub(f64x2.sub(u, cube), v))), q1)
        kv = f64x2.add(sv, f64x2.sub(f64x2.add(f64x2.mul(q2, u), q3), f64x2.mul(q4, v)))
      }
      use(kind, ku, home, to, then, a, b)
      use(kind, kv, home + across, to + across, then + across, a, b)
      at += 16
      home += 16
      to += 16
      then += 16
    }
  }
  const field = kind == 2 ? base : next
  surround(field)
  surround(field + across)
}

function stepOf(reaction: i32): void {
  const pair: usize = 2 * fieldBytes
  const sum = base + pair, one = sum + pair, other = one + pair
  pass(0, reaction, base, sum, one, dt / 6, dt / 2)
  pass(1, reaction, one, sum, other, dt / 3, dt / 2)
  pass(1, reaction, other, sum, one, dt / 3, dt)
  pass(2, reaction, one, sum, one, dt / 6, 0)
}

// One step of both fields; their ghosts are right before and after it.
export function step(): void {
  if (model == 0) stepOf(0)
  else stepOf(1)
}

// The sum of a field (0: u, 1: v): even columns and odd columns apart, row by row, then both.
export function total(which: i32): f64 {
  const first = base + <usize>which * fieldBytes + stride + 16
  const whole = n & ~1
  let lanes = f64x2.splat(0)
  let last: f64 = 0
  for (let r = 0; r < n; r++) {
    const row = first + <usize>r * stride
    for (let o: usize = 0; o < <usize>whole << 3; o += 16) lanes = f64x2.add(lanes, v128.load(row + o))
    if (whole < n) last += load<f64>(row + (<usize>whole << 3))
  }
  return f64x2.extract_lane(lanes, 0) + f64x2.extract_lane(lanes, 1) + last
}
