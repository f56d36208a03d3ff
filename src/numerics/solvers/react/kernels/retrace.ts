// Steps of two reacting and diffusing fields on a ring of rings by Dormand and Prince's fifth order (J. Comput. Appl.
// Math. 6 (1980) 19), two lanes wide: how the check of react goes the way of a run again. Stencil, reaction and method
// are not those of the kernel `reaction`.
//
// A step is one sweep over the rows: stage j stands j - 1 rows behind the first, so that slopes and stages are rows of
// a few rings that stay in a cache, and the fields themselves are read and written once. Rows beyond the ends of the
// lattice, five of the first stage to none of the last, are those of the other end worked out twice.
//
// A row of u is followed by its row of v, each with two ghost columns on either side.

const SLOPE_ROWS: i32 = 8 // six are in use at once
const STAGE_ROWS: i32 = 4 // three are

let n: i32 = 0
let stride: usize = 0 // bytes of a row of one field
let now: usize = 0
let next: usize = 0
let slopes: usize = 0 // of stages 1 to 5
let stages: usize = 0 // 2 to 6
let model: i32 = 0 // 0 Gray-Scott, 1 FitzHugh-Nagumo
let du: f64 = 0 // diffusivities over the square of the spacing
let dv: f64 = 0
let p0: f64 = 0 // F; rate
let p1: f64 = 0 // F + k; current
let p2: f64 = 0 // -; rate·epsilon
let p3: f64 = 0 // -; a
let p4: f64 = 0 // -; b
let dt: f64 = 0

export function configure(
  size: i32, rowBytes: usize, at: usize, kind: i32, alongU: f64, alongV: f64,
  a: f64, b: f64, c: f64, d: f64, e: f64, time: f64,
): void {
  n = size
  stride = rowBytes
  now = at
  next = now + 2 * <usize>size * rowBytes
  slopes = next + 2 * <usize>size * rowBytes
  stages = slopes + 2 * 5 * SLOPE_ROWS * rowBytes
  model = kind
  du = alongU
  dv = alongV
  p0 = a
  p1 = b
  p2 = c
  p3 = d
  p4 = e
  dt = time
}

// Where the fields are: they change places with every step.
export function fields(): usize {
  return now
}

// The ghosts of a row: its other ends.
// @ts-ignore: decorator
@inline
function close(row: usize): void {
  const width = <usize>n << 3
  store<f64>(row, load<f64>(row + width, 8), 8)
  store<f64>(row + width, load<f64>(row, 16), 16)
}

// The ghosts of all rows of the fields, after they were written from outside.
export function surround(): void {
  for (let r = 0; r < 2 * n; r++) close(now + <usize>r * stride)
}

// @ts-ignore: decorator
@inline
function fieldRow(r: i32): usize {
  return now + 2 * <usize>(r < 0 ? r + n : r >= n ? r - n : r) * stride
}

// @ts-ignore: decorator
@inline
function slopeRow(stage: i32, r: i32): usize {
  return slopes + 2 * <usize>((stage - 1) * SLOPE_ROWS + (r & (SLOPE_ROWS - 1))) * stride
}

// @ts-ignore: decorator
@inline
function stageRow(stage: i32, r: i32): usize {
  return stage == 1 ? fieldRow(r) : stages + 2 * <usize>((stage - 2) * STAGE_ROWS + (r & (STAGE_ROWS - 1))) * stride
}

// @ts-ignore: decorator
@inline
function spread(up: usize, at: usize, down: usize, here: v128, weight: v128): v128 {
  const along = f64x2.add(f64x2.sub(v128.load(at - 8), here), f64x2.sub(v128.load(at, 8), here))
  const across = f64x2.add(f64x2.sub(v128.load(up), here), f64x2.sub(v128.load(down), here))
  return f64x2.mul(weight, f64x2.add(along, across))
}

// The field before the step and the slopes of the stages so far; the last one is in hand.
// @ts-ignore: decorator
@inline
function gathered(
  stage: i32, home: usize, k: v128, s1: usize, s2: usize, s3: usize, s4: usize, s5: usize,
  a: v128, b: v128, c: v128, d: v128, e: v128,
): v128 {
  let sum = f64x2.mul(a, stage == 1 ? k : v128.load(s1))
  // The second slope has no weight in the last sum.
  if (stage > 1) sum = f64x2.add(sum, f64x2.mul(b, stage == 2 ? k : v128.load(stage == 6 ? s3 : s2)))
  if (stage > 2) {
    const third = f64x2.mul(c, stage == 3 ? k : v128.load(stage == 6 ? s4 : s3))
    if (stage == 3) sum = f64x2.add(sum, third)
    else sum = f64x2.add(sum, f64x2.add(third, f64x2.mul(d, stage == 4 ? k : v128.load(stage == 6 ? s5 : s4))))
  }
  if (stage > 4) sum = f64x2.add(sum, f64x2.mul(e, k))
  return f64x2.add(v128.load(home), sum)
}

// A row of slopes of one stage, and the next stage's row (after the last the row a step later).
// @ts-ignore: decorator
@inline
function pass(stage: i32, reaction: i32, r: i32, wa: f64, wb: f64, wc: f64, wd: f64, we: f64): void {
  const a = f64x2.splat(wa), b = f64x2.splat(wb), c = f64x2.splat(wc), d = f64x2.splat(wd), e = f64x2.splat(we)
  const alongU = f64x2.splat(du), alongV = f64x2.splat(dv), one = f64x2.splat(1), three = f64x2.splat(3)
  const q0 = f64x2.splat(p0), q1 = f64x2.splat(p1), q2 = f64x2.splat(p2), q3 = f64x2.splat(p3), q4 = f64x2.splat(p4)
  const up = stageRow(stage, r - 1), at = stageRow(stage, r), down = stageRow(stage, r + 1), home = fieldRow(r)
  const s1 = slopeRow(1, r), s2 = slopeRow(2, r), s3 = slopeRow(3, r), s4 = slopeRow(4, r), s5 = slopeRow(5, r)
  const own = slopeRow(stage, r)
  const to = stage == 6 ? next + 2 * <usize>r * stride : stageRow(stage + 1, r)
  const end: usize = 16 + (<usize>n << 3)
  const across = stride
  for (let o: usize = 16; o < end; o += 16) {
    const p = o + across
    const u = v128.load(at + o)
    const v = v128.load(at + p)
    const su = spread(up + o, at + o, down + o, u, alongU)
    const sv = spread(up + p, at + p, down + p, v, alongV)
    let ku: v128, kv: v128
    if (reaction == 0) {
      const turned = f64x2.mul(f64x2.mul(u, v), v)
      ku = f64x2.add(f64x2.sub(su, turned), f64x2.mul(q0, f64x2.sub(one, u)))
      kv = f64x2.sub(f64x2.add(sv, turned), f64x2.mul(q1, v))
    } else {
      const cube = f64x2.div(f64x2.mul(f64x2.mul(u, u), u), three)
      ku = f64x2.add(su, f64x2.mul(q0, f64x2.add(f64x2.sub(f64x2.sub(u, cube), v), q1)))
      kv = f64x2.add(sv, f64x2.mul(q2, f64x2.sub(f64x2.add(u, q3), f64x2.mul(q4, v))))
    }
    if (stage < 6) {
      v128.store(own + o, ku)
      v128.store(own + p, kv)
    }
    v128.store(to + o, gathered(stage, home + o, ku, s1 + o, s2 + o, s3 + o, s4 + o, s5 + o, a, b, c, d, e))
    v128.store(to + p, gathered(stage, home + p, kv, s1 + p, s2 + p, s3 + p, s4 + p, s5 + p, a, b, c, d, e))
  }
  close(to)
  close(to + across)
}

// @ts-ignore: decorator
@inline
function sweep(reaction: i32): void {
  for (let t = -5; t < n + 5; t++) {
    pass(1, reaction, t, dt * (1.0 / 5.0), 0, 0, 0, 0)
    if (t >= -3) pass(2, reaction, t - 1, dt * (3.0 / 40.0), dt * (9.0 / 40.0), 0, 0, 0)
    if (t >= -1) pass(3, reaction, t - 2, dt * (44.0 / 45.0), dt * (-56.0 / 15.0), dt * (32.0 / 9.0), 0, 0)
    if (t >= 1) {
      pass(
        4, reaction, t - 3,
        dt * (19372.0 / 6561.0), dt * (-25360.0 / 2187.0), dt * (64448.0 / 6561.0), dt * (-212.0 / 729.0), 0,
      )
    }
    if (t >= 3) {
      pass(
        5, reaction, t - 4, dt * (9017.0 / 3168.0), dt * (-355.0 / 33.0), dt * (46732.0 / 5247.0), dt * (49.0 / 176.0),
        dt * (-5103.0 / 18656.0),
      )
    }
    if (t >= 5) {
      pass(
        6, reaction, t - 5, dt * (35.0 / 384.0), dt * (500.0 / 1113.0), dt * (125.0 / 192.0), dt * (-2187.0 / 6784.0),
        dt * (11.0 / 84.0),
      )
    }
  }
}

// One step of both fields; their ghosts are right before and after it.
export function step(): void {
  if (model == 0) sweep(0)
  else sweep(1)
  const swap = now
  now = next
  next = swap
}
