// Velocity Verlet of a bond-based peridynamic plate on a square lattice, two lanes wide.
//
// Nodes stand in padded rows: ghosts around the plate have no bonds. Of each pair of opposite bonds the half with
// q > 0, or q = 0 and p > 0, is kept, so that a bond is worked out once and pulls at both its nodes:
//   e = u(there) − u(here), t = e·(2ξ + e) = |ξ + e|² − |ξ|², len = √(|ξ|² + t), stretch s = t/(|ξ|·(len + |ξ|)),
//   force density c·V·s along ξ + e: g·(ξ + e) with g = w·t·(c·V/|ξ|)/(len² + |ξ|·len), w = 1 for a whole bond, else 0.
// A bond found beyond the critical stretch broke at a share θ of the drift, on which its ends move straight and evenly:
// it pulls up to there and no further. What its opening half kick gave too much or too little by then is put right in
// the closing one (impulse) and in the places (by what acted before the end of the step): errors fall as dt².

const FIELDS: usize = 8 // doubles of an offset in the table: p·dx, q·dx, |ξ|, |ξ|², (|ξ|·(1 + s0))², c·V/|ξ|, shift, q
const ENTRY: usize = 40 // bytes of a log entry: node, offset, θ, shift of places along x and y

let stride: usize = 0 // bytes of a padded row
let first: usize = 0 // bytes from the start of a field to the first node
let rowBytes: usize = 0 // of the nodes of a row, rounded up to whole vectors
let rows: i32 = 0
let grips: i32 = 0
let field: usize = 0 // bytes of a padded field
let base: usize = 0 // ux, uy, vx, vy, fx, fy, then the weights of each offset
let table: usize = 0
let offsets: i32 = 0
let log: usize = 0
let logged: i32 = 0 // entries so far
let dt: f64 = 0
let density: f64 = 0
let damping: f64 = 0
let speed: f64 = 0 // of the upper grip upwards; the lower one goes down as fast

export function configure(
  rowStride: usize, firstAt: usize, nodeBytes: usize, rowCount: i32, gripRows: i32, fieldBytes: usize, baseAt: usize,
  tableAt: usize, offsetCount: i32, logAt: usize,
): void {
  stride = rowStride
  first = firstAt
  rowBytes = nodeBytes
  rows = rowCount
  grips = gripRows
  field = fieldBytes
  base = baseAt
  table = tableAt
  offsets = offsetCount
  log = logAt
  logged = 0
}

export function conditions(step: f64, mass: f64, drag: f64, gripSpeed: f64): void {
  dt = step
  density = mass
  damping = drag
  speed = gripSpeed
}

export function brokenCount(): i32 {
  return logged
}

// @ts-ignore: decorator
@inline
function parameter(k: i32, which: usize): f64 {
  return load<f64>(table + ((<usize>k * FIELDS + which) << 3))
}

// One lane of a pair whose bond may have torn.
function note(k: i32, at: usize): void {
  const p = parameter(k, 0), q = parameter(k, 1)
  const to = at + <usize>(<isize>parameter(k, 6))
  const weight = load<f64>(base + (6 + <usize>k) * field + at)
  const ex = load<f64>(base + to) - load<f64>(base + at)
  const ey = load<f64>(base + field + to) - load<f64>(base + field + at)
  const square = parameter(k, 3) + ex * (2 * p + ex) + ey * (2 * q + ey)
  if (!(weight * square > parameter(k, 4))) return
  const entry = log + <usize>logged * ENTRY
  store<f64>(entry, <f64>(at >> 3))
  store<f64>(entry, <f64>k, 8)
  logged++
}

// Forces at the start.
export function forces(): void {
  attract(true)
}

// Forces of all whole bonds at the present places; those beyond the critical stretch are logged where one watches.
function attract(watch: bool): void {
  const ux = base, uy = base + field, fx = base + 4 * field, fy = fx + field
  memory.fill(fx, 0, 2 * field)
  for (let j = 0; j < rows; j++) {
    const row = first + <usize>j * stride
    for (let k = 0; k < offsets; k++) {
      if (j + <i32>parameter(k, 7) >= rows) continue
      const shift = <usize>(<isize>parameter(k, 6))
      const weights = base + (6 + <usize>k) * field
      const p = f64x2.splat(parameter(k, 0)), q = f64x2.splat(parameter(k, 1))
      const p2 = f64x2.splat(2 * parameter(k, 0)), q2 = f64x2.splat(2 * parameter(k, 1))
      const length = f64x2.splat(parameter(k, 2)), square = f64x2.splat(parameter(k, 3))
      const limit = f64x2.splat(parameter(k, 4)), stiff = f64x2.splat(parameter(k, 5))
      for (let at = row; at < row + rowBytes; at += 16) {
        const to = at + shift
        const ex = f64x2.sub(v128.load(ux + to), v128.load(ux + at))
        const ey = f64x2.sub(v128.load(uy + to), v128.load(uy + at))
        const t = f64x2.add(f64x2.mul(ex, f64x2.add(p2, ex)), f64x2.mul(ey, f64x2.add(q2, ey)))
        const now = f64x2.add(square, t)
        const w = v128.load(weights + at)
        if (watch && v128.any_true(f64x2.gt(f64x2.mul(w, now), limit))) {
          note(k, at)
          note(k, at + 8)
        }
        const g = f64x2.div(
          f64x2.mul(f64x2.mul(w, t), stiff),
          f64x2.add(now, f64x2.mul(length, f64x2.sqrt(now))),
        )
        const gx = f64x2.mul(g, f64x2.add(p, ex)), gy = f64x2.mul(g, f64x2.add(q, ey))
        v128.store(fx + at, f64x2.add(v128.load(fx + at), gx))
        v128.store(fy + at, f64x2.add(v128.load(fy + at), gy))
        v128.store(fx + to, f64x2.sub(v128.load(fx + to), gx))
        v128.store(fy + to, f64x2.sub(v128.load(fy + to), gy))
      }
    }
  }
}

// Breaks the bonds logged since entry `from`, each at its own time within the step: their forces at the end of the
// drift are replaced by those that bring the step's impulse to what acted until then.
function tear(from: i32): void {
  const ux = base, uy = base + field, vx = uy + field, vy = vx + field, fx = base + 4 * field, fy = fx + field
  for (let n = from; n < logged; n++) {
    const entry = log + <usize>n * ENTRY
    const at = <usize>load<f64>(entry) << 3
    const k = <i32>load<f64>(entry, 8)
    const to = at + <usize>(<isize>parameter(k, 6))
    const p = parameter(k, 0), q = parameter(k, 1)
    const square = parameter(k, 3), limit = parameter(k, 4), length = parameter(k, 2), stiff = parameter(k, 5)
    const ex = load<f64>(ux + to) - load<f64>(ux + at)
    const ey = load<f64>(uy + to) - load<f64>(uy + at)
    const t = ex * (2 * p + ex) + ey * (2 * q + ey)
    const end = (t * stiff) / (square + t + length * Math.sqrt(square + t))
    // Along the drift the ends part by m·θ: |ξ + e + m·θ|² reaches the limit at the rising root.
    const mx = dt * (load<f64>(vx + to) - load<f64>(vx + at))
    const my = dt * (load<f64>(vy + to) - load<f64>(vy + at))
    const ax = ex - mx, ay = ey - my
    const s = ax * (2 * p + ax) + ay * (2 * q + ay)
    const short = limit - square - s
    const slope = mx * (p + ax) + my * (q + ay)
    const root = Math.sqrt(Math.max(0, slope * slope + (mx * mx + my * my) * short))
    const share = short > 0 ? Math.min(1, short / (slope + root)) : 0
    const open = (s * stiff) / (square + s + length * Math.sqrt(square + s))
    const torn = ((limit - square) * stiff) / (limit + length * Math.sqrt(limit))
    const ox = open * (p + ax), oy = open * (q + ay)
    const tx = torn * (p + ax + share * mx), ty = torn * (q + ay + share * my)
    const cx = share * (ox + tx) - ox, cy = share * (oy + ty) - oy
    // What acted until θ·dt moves the ends by dt²·∫(1 − τ)·f dτ; the opening half kick moved them by dt²·f/2.
    const scale = dt * dt / density
    const early = share - share * share / 2, late = share / 2 - share * share / 3
    store<f64>(entry, share, 16)
    store<f64>(entry, scale * ((early - 0.5) * ox + late * (tx - ox)), 24)
    store<f64>(entry, scale * ((early - 0.5) * oy + late * (ty - oy)), 32)
    const gx = cx - end * (p + ex), gy = cy - end * (q + ey)
    store<f64>(fx + at, load<f64>(fx + at) + gx)
    store<f64>(fy + at, load<f64>(fy + at) + gy)
    store<f64>(fx + to, load<f64>(fx + to) - gx)
    store<f64>(fy + to, load<f64>(fy + to) - gy)
    store<f64>(base + (6 + <usize>k) * field + at, 0)
  }
}

// @ts-ignore: decorator
@inline
function shift(at: usize, x: f64, y: f64): void {
  const row = <i32>((at - first) / stride)
  if (row < grips || row >= rows - grips) return
  store<f64>(base + at, load<f64>(base + at) + x)
  store<f64>(base + field + at, load<f64>(base + field + at) + y)
}

// After the closing half kick: the ends of the broken bonds go where they belong.
function settle(from: i32): void {
  for (let n = from; n < logged; n++) {
    const entry = log + <usize>n * ENTRY
    const at = <usize>load<f64>(entry) << 3
    const to = at + <usize>(<isize>parameter(<i32>load<f64>(entry, 8), 6))
    const x = load<f64>(entry, 24), y = load<f64>(entry, 32)
    shift(at, x, y)
    shift(to, -x, -y)
  }
}

// Half a kick of the rows between the grips: v' = (v·(1 − α·dt/4) + dt/2·f/ρ)/(1 + α·dt/4). Returns the sum of the
// squares of the mean velocities, which is what damping takes, or 0 without damping.
function kick(): f64 {
  const vx = base + 2 * field, fx = base + 4 * field
  const push = f64x2.splat(dt / 2 / density)
  const from = first + <usize>grips * stride
  const to = first + <usize>(rows - grips) * stride
  if (damping == 0) {
    for (let axis: usize = 0; axis < 2; axis++) {
      const v = vx + axis * field, f = fx + axis * field
      for (let at = from; at < to; at += 16) {
        v128.store(v + at, f64x2.add(v128.load(v + at), f64x2.mul(push, v128.load(f + at))))
      }
    }
    return 0
  }
  const keep = f64x2.splat(1 - damping * dt / 4), share = f64x2.splat(1 / (1 + damping * dt / 4))
  const half = f64x2.splat(0.5)
  let sum = f64x2.splat(0)
  for (let axis: usize = 0; axis < 2; axis++) {
    const v = vx + axis * field, f = fx + axis * field
    for (let at = from; at < to; at += 16) {
      const old = v128.load(v + at)
      const fresh = f64x2.mul(f64x2.add(f64x2.mul(old, keep), f64x2.mul(push, v128.load(f + at))), share)
      v128.store(v + at, fresh)
      const mean = f64x2.mul(half, f64x2.add(old, fresh))
      sum = f64x2.add(sum, f64x2.mul(mean, mean))
    }
  }
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)
}

// Sum of the forces along y on the upper grip minus that on the lower one: what the grips hold against.
export function pull(): f64 {
  const fy = base + 5 * field
  let upper = f64x2.splat(0)
  let lower = f64x2.splat(0)
  for (let at = first; at < first + <usize>grips * stride; at += 16) {
    lower = f64x2.add(lower, v128.load(fy + at))
    upper = f64x2.add(upper, v128.load(fy + at + <usize>(rows - grips) * stride))
  }
  const difference = f64x2.sub(upper, lower)
  return f64x2.extract_lane(difference, 0) + f64x2.extract_lane(difference, 1)
}

// What a step took from and gave to the plate, by the half kicks before and after the drift.
let dragged: f64 = 0
let pulledBefore: f64 = 0
let pulledAfter: f64 = 0

export function lastDrag(): f64 {
  return dragged
}

export function lastPullBefore(): f64 {
  return pulledBefore
}

export function lastPullAfter(): f64 {
  return pulledAfter
}

// One step from opening forces to opening forces.
export function step(): void {
  const vx = base + 2 * field
  pulledBefore = pull()
  dragged = kick()
  const tau = f64x2.splat(dt)
  const end = first + <usize>rows * stride
  for (let axis: usize = 0; axis < 2; axis++) {
    const u = base + axis * field, v = vx + axis * field
    for (let at = first; at < end; at += 16) {
      v128.store(u + at, f64x2.add(v128.load(u + at), f64x2.mul(tau, v128.load(v + at))))
    }
  }
  const from = logged
  attract(true)
  tear(from)
  dragged += kick()
  pulledAfter = pull()
  if (logged == from) return
  settle(from)
  attract(false)
}

// Sum over whole bonds of s²·|ξ|: times c·V²/2 the strain energy.
export function strain(): f64 {
  const ux = base, uy = base + field
  let sum = f64x2.splat(0)
  for (let j = 0; j < rows; j++) {
    const row = first + <usize>j * stride
    for (let k = 0; k < offsets; k++) {
      if (j + <i32>parameter(k, 7) >= rows) continue
      const shift = <usize>(<isize>parameter(k, 6))
      const weights = base + (6 + <usize>k) * field
      const p2 = f64x2.splat(2 * parameter(k, 0)), q2 = f64x2.splat(2 * parameter(k, 1))
      const length = f64x2.splat(parameter(k, 2)), square = f64x2.splat(parameter(k, 3))
      for (let at = row; at < row + rowBytes; at += 16) {
        const to = at + shift
        const ex = f64x2.sub(v128.load(ux + to), v128.load(ux + at))
        const ey = f64x2.sub(v128.load(uy + to), v128.load(uy + at))
        const t = f64x2.add(f64x2.mul(ex, f64x2.add(p2, ex)), f64x2.mul(ey, f64x2.add(q2, ey)))
        const s = f64x2.div(t, f64x2.add(f64x2.sqrt(f64x2.add(square, t)), length))
        const w = v128.load(weights + at)
        sum = f64x2.add(sum, f64x2.div(f64x2.mul(w, f64x2.mul(s, s)), length))
      }
    }
  }
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)
}

// Sum of the squares of the velocities between the grips.
export function motion(): f64 {
  const vx = base + 2 * field
  const from = first + <usize>grips * stride
  const to = first + <usize>(rows - grips) * stride
  let sum = f64x2.splat(0)
  for (let axis: usize = 0; axis < 2; axis++) {
    const v = vx + axis * field
    for (let at = from; at < to; at += 16) {
      const x = v128.load(v + at)
      sum = f64x2.add(sum, f64x2.mul(x, x))
    }
  }
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1)
}
