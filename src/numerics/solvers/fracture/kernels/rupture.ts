// A bond-based peridynamic plate by position Verlet over a list of its whole bonds: how the check of fracture goes the
// whole way of a run again. Forces are asked at the middle of each step, bonds are taken off the list as they break.
//
// Between two middles the ends of a bond part evenly, so it reaches the critical stretch at a share of the drift. A
// kick stands for the forces of half a step before and behind it; a bond that broke before or after the end of that
// time gave another impulse, and moved its ends by another way: both differences are made up at once.

const FIELDS: usize = 6 // doubles of a direction: x, y, |ξ|, |ξ|², (|ξ|·(1 + s0))², c·V/|ξ|
const ENTRY: usize = 12 // bytes of a bond: its node, the other one, its direction
const BREAK: usize = 24 // bytes of a log entry: node, direction, time

let nodes: usize = 0
let held: usize = 0 // nodes of each grip: the first and the last ones
let base: usize = 0 // x, y, velocities, forces, shifts: two blocks of `nodes` doubles each
let table: usize = 0
let list: usize = 0
let bonds: usize = 0
let log: usize = 0
let logged: i32 = 0
let dt: f64 = 0
let density: f64 = 0
let damping: f64 = 0
let speed: f64 = 0
let now: f64 = 0 // time of the last middle
let since: f64 = 0 // from the middle before, or from the start
let dragged: f64 = 0 // Σ of squared mean velocities over the kicks
let pulled: f64 = 0 // Σ of forces along y on the upper grip less those on the lower one, over the kicks

export function configure(
  nodeCount: i32, heldNodes: i32, baseAt: usize, tableAt: usize, listAt: usize, bondCount: i32, logAt: usize,
): void {
  nodes = <usize>nodeCount
  held = <usize>heldNodes
  base = baseAt
  table = tableAt
  list = listAt
  bonds = <usize>bondCount
  log = logAt
  logged = 0
}

export function conditions(step: f64, mass: f64, drag: f64, gripSpeed: f64): void {
  dt = step
  density = mass
  damping = drag
  speed = gripSpeed
  now = 0
  since = 0
  dragged = 0
  pulled = 0
}

export function brokenCount(): i32 {
  return logged
}

export function drag(): f64 {
  return dragged
}

export function pull(): f64 {
  return pulled
}

export function bond(at: i32, node: i32, other: i32, direction: i32): void {
  const entry = list + <usize>at * ENTRY
  store<i32>(entry, node)
  store<i32>(entry, other, 4)
  store<i32>(entry, direction, 8)
}

// @ts-ignore: decorator
@inline
function block(which: usize): usize {
  return base + ((which * nodes) << 3)
}

// @ts-ignore: decorator
@inline
function add(at: usize, value: f64): void {
  store<f64>(at, load<f64>(at) + value)
}

// A bond of the list that is beyond the critical stretch at a middle: what its last kick owes, as a force of this kick
// and as a shift of the places. Returns when it broke.
function owe(a: usize, b: usize, direction: usize): f64 {
  const x = load<f64>(direction), y = load<f64>(direction, 8), length = load<f64>(direction, 16)
  const square = load<f64>(direction, 24), limit = load<f64>(direction, 32), stiff = load<f64>(direction, 40)
  const ux = block(0), uy = block(1), vx = block(2), vy = block(3)
  const wx = load<f64>(vx + b) - load<f64>(vx + a), wy = load<f64>(vy + b) - load<f64>(vy + a)
  const ex = load<f64>(ux + b) - load<f64>(ux + a) - since * wx
  const ey = load<f64>(uy + b) - load<f64>(uy + a) - since * wy
  const more = ex * (2 * x + ex) + ey * (2 * y + ey)
  const short = limit - square - more
  let spent = 0.0
  if (short > 0) {
    const rate = wx * (x + ex) + wy * (y + ey)
    const root = Math.sqrt(Math.max(0, rate * rate + (wx * wx + wy * wy) * short))
    spent = Math.min(since, short / (rate + root))
  }
  const before = (stiff * more) / (square + more + length * Math.sqrt(square + more))
  const torn = (stiff * (limit - square)) / (limit + length * Math.sqrt(limit))
  const fx = before * (x + ex), fy = before * (y + ey)
  const gx = torn * (x + ex + spent * wx), gy = torn * (y + ey + spent * wy)
  // The last kick stood for what is from half a step before its middle to half a step behind it; at the start none was.
  const first = since < 0.75 * dt
  const from = first ? 0 : -0.5 * dt
  const given = first ? 0 : dt
  const level = spent - from
  const slope = spent > 1e-9 * dt ? (0.5 * (spent * spent - from * from)) / spent : 0
  // ∫(since − t) and ∫(since − t)·t/spent over the same time: how far an impulse of then has moved the ends by now.
  const far = since * level - 0.5 * (spent * spent - from * from)
  const farther =
    spent > 1e-9 * dt
      ? (0.5 * since * (spent * spent - from * from) - (spent * spent * spent - from * from * from) / 3) / spent
      : 0
  const ix = fx * (level - given) + (gx - fx) * slope, iy = fy * (level - given) + (gy - fy) * slope
  const sx = fx * (far - given * since) + (gx - fx) * farther, sy = fy * (far - given * since) + (gy - fy) * farther
  add(block(4) + a, ix / dt)
  add(block(5) + a, iy / dt)
  add(block(4) + b, -ix / dt)
  add(block(5) + b, -iy / dt)
  add(block(6) + a, sx / density)
  add(block(7) + a, sy / density)
  add(block(6) + b, -sx / density)
  add(block(7) + b, -sy / density)
  return now - since + spent
}

function note(entry: usize, time: f64): void {
  const at = log + <usize>logged * BREAK
  store<f64>(at, <f64>load<i32>(entry))
  store<f64>(at, <f64>load<i32>(entry, 8), 8)
  store<f64>(at, time, 16)
  logged++
}

// Forces of all bonds at the present places; those that broke are taken off the list, the last one put in their place.
function forces(): void {
  const ux = block(0), uy = block(1), fx = block(4), fy = block(5)
  memory.fill(fx, 0, (4 * nodes) << 3)
  let torn = false
  for (let k: usize = 0; k < bonds; ) {
    const entry = list + k * ENTRY
    const a = <usize>load<i32>(entry) << 3, b = <usize>load<i32>(entry, 4) << 3
    const direction = table + <usize>load<i32>(entry, 8) * (FIELDS << 3)
    const x = load<f64>(direction), y = load<f64>(direction, 8)
    const ex = load<f64>(ux + b) - load<f64>(ux + a), ey = load<f64>(uy + b) - load<f64>(uy + a)
    const more = ex * (2 * x + ex) + ey * (2 * y + ey)
    const square = load<f64>(direction, 24) + more
    if (square > load<f64>(direction, 32)) {
      note(entry, owe(a, b, direction))
      torn = true
      bonds--
      memory.copy(entry, list + bonds * ENTRY, ENTRY)
      continue
    }
    const size = (load<f64>(direction, 40) * more) / (square + load<f64>(direction, 16) * Math.sqrt(square))
    const px = size * (x + ex), py = size * (y + ey)
    add(fx + a, px)
    add(fy + a, py)
    add(fx + b, -px)
    add(fy + b, -py)
    k++
  }
  if (!torn) return
  for (let at = held << 3; at < (nodes - held) << 3; at += 8) {
    add(ux + at, load<f64>(block(6) + at))
    add(uy + at, load<f64>(block(7) + at))
  }
}

function drift(time: f64): void {
  for (let at: usize = 0; at < nodes << 3; at += 8) {
    add(block(0) + at, time * load<f64>(block(2) + at))
    add(block(1) + at, time * load<f64>(block(3) + at))
  }
  now += time
  since += time
}

function kick(): void {
  const keep = 1 - 0.5 * damping * dt, share = 1 / (1 + 0.5 * damping * dt)
  let sum = 0.0
  for (let axis: usize = 0; axis < 2; axis++) {
    const v = block(2 + axis), f = block(4 + axis)
    for (let at = held << 3; at < (nodes - held) << 3; at += 8) {
      const old = load<f64>(v + at)
      const fresh = (keep * old + (dt / density) * load<f64>(f + at)) * share
      store<f64>(v + at, fresh)
      sum += 0.25 * (old + fresh) * (old + fresh)
    }
  }
  dragged += sum
  if (speed == 0) return
  let hold = 0.0
  for (let at: usize = 0; at < held << 3; at += 8) {
    hold += load<f64>(block(5) + ((nodes - 1) << 3) - at) - load<f64>(block(5) + at)
  }
  pulled += hold
}

// Whole steps from end of step to end of step.
export function steps(count: i32): void {
  for (let k = 0; k < count; k++) {
    drift(0.5 * dt)
    forces()
    since = 0
    kick()
    drift(0.5 * dt)
  }
}

// Σ s²·|ξ| of whole bonds at the present places; one that is beyond the critical stretch by now counts as broken.
export function strain(): f64 {
  const ux = block(0), uy = block(1)
  let sum = 0.0
  for (let k: usize = 0; k < bonds; k++) {
    const entry = list + k * ENTRY
    const a = <usize>load<i32>(entry) << 3, b = <usize>load<i32>(entry, 4) << 3
    const direction = table + <usize>load<i32>(entry, 8) * (FIELDS << 3)
    const x = load<f64>(direction), y = load<f64>(direction, 8), length = load<f64>(direction, 16)
    const ex = load<f64>(ux + b) - load<f64>(ux + a), ey = load<f64>(uy + b) - load<f64>(uy + a)
    const more = ex * (2 * x + ex) + ey * (2 * y + ey)
    const square = load<f64>(direction, 24) + more
    if (square > load<f64>(direction, 32)) continue
    const s = more / (length * (Math.sqrt(square) + length))
    sum += s * s * length
  }
  return sum
}

export function motion(): f64 {
  let sum = 0.0
  for (let at = held << 3; at < (nodes - held) << 3; at += 8) {
    const x = load<f64>(block(2) + at), y = load<f64>(block(3) + at)
    sum += x * x + y * y
  }
  return sum
}

// Logs the bonds that are beyond the critical stretch at the end of a step without taking them off the list, so that
// the run can go on; `forget` takes them off the log again.
export function look(): i32 {
  const before = logged
  const ux = block(0), uy = block(1)
  for (let k: usize = 0; k < bonds; k++) {
    const entry = list + k * ENTRY
    const a = <usize>load<i32>(entry) << 3, b = <usize>load<i32>(entry, 4) << 3
    const direction = table + <usize>load<i32>(entry, 8) * (FIELDS << 3)
    const ex = load<f64>(ux + b) - load<f64>(ux + a), ey = load<f64>(uy + b) - load<f64>(uy + a)
    const more = ex * (2 * load<f64>(direction) + ex) + ey * (2 * load<f64>(direction, 8) + ey)
    if (load<f64>(direction, 24) + more > load<f64>(direction, 32)) note(entry, now)
  }
  return logged - before
}

export function forget(count: i32): void {
  logged -= count
}
