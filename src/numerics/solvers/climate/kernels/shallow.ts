// Steps of the shallow-water equations on a doubly periodic plane, two lanes wide: finite volumes with fifth-order
// upwind-biased faces, Rusanov's flux, and the three stages of Shu and Osher's Runge-Kutta method.
//
// A field (depth h, volume fluxes p = hu and q = hv, all cell means) lies with three ghosts on every side. At a face
// surface h + b, p and q are reconstructed from both sides; the bottom of a face is one number, so that water at rest
// has one depth there and pressure and slope balance to rounding. Rows are taken in order: fluxes through the lower
// edge of the row above stand in a buffer until the next row.

const GHOSTS: i32 = 3
const EDGE: usize = 24 // bytes of the ghosts before a row

let rows: i32 = 0
let columns: i32 = 0
let stride: usize = 0
let fieldBytes: usize = 0
let base: usize = 0 // three groups of h, p, q: base, one, other
let bottom: usize = 0 // of cells, with ghosts
let sides: usize = 0 // bottom of the face to the left of each cell, laid out like a field
let floors: usize = 0 // bottom of the face below each cell
let middles: usize = 0 // bottom on the middle line of each cell, across x and then across y
let surfaces: usize = 0 // h + b of the three groups, kept beside them: every face reads six
let buffers: usize = 0 // three sets of five padded rows: faces of a row, and below and above it
let g: f64 = 0
let kx: f64 = 0 // dt/dx, dt/dy, dt·f
let ky: f64 = 0
let kf: f64 = 0
let limited: i32 = 0

export function configure(
  rowCount: i32, columnCount: i32, rowBytes: usize, at: usize, gravity: f64, alongX: f64, alongY: f64, turn: f64,
  limits: i32,
): void {
  rows = rowCount
  columns = columnCount
  stride = rowBytes
  fieldBytes = <usize>(rowCount + 2 * GHOSTS + 1) * rowBytes
  base = at
  bottom = at + 9 * fieldBytes
  sides = bottom + fieldBytes
  floors = sides + fieldBytes
  middles = floors + fieldBytes
  surfaces = middles + 2 * fieldBytes
  buffers = surfaces + 3 * fieldBytes
  g = gravity
  kx = alongX
  ky = alongY
  kf = turn
  limited = limits
}

// The ghosts of a field: other ends of its rows, then of its columns. A row has one more behind it, for the lane
// beside its last face.
export function surround(field: usize): void {
  const first = field + <usize>GHOSTS * stride + EDGE
  const width = <usize>columns << 3
  for (let r = 0; r < rows; r++) {
    const row = first + <usize>r * stride
    memory.copy(row - EDGE, row + width - EDGE, EDGE)
    memory.copy(row + width, row, EDGE + 8)
  }
  const depth = <usize>rows * stride
  const top = field + <usize>GHOSTS * stride
  memory.copy(field, field + depth, <usize>GHOSTS * stride)
  memory.copy(top + depth, top, <usize>GHOSTS * stride)
}

// Koren's limiter of the value at the face between c and d, seen from c's side, with b beyond c: c itself where all are
// alike. min(|back|, |ahead|, |back + 2·ahead|/6) with the sign of both, zero where they differ.
// @ts-ignore: decorator
@inline
function clipped(b: v128, c: v128, d: v128): v128 {
  const back = f64x2.sub(c, b), ahead = f64x2.sub(d, c)
  const third = f64x2.mul(f64x2.splat(1.0 / 6.0), f64x2.add(back, f64x2.add(ahead, ahead)))
  const size = f64x2.pmin(f64x2.pmin(f64x2.abs(back), f64x2.abs(ahead)), f64x2.abs(third))
  const same = f64x2.gt(f64x2.mul(back, ahead), f64x2.splat(0))
  const sign = v128.and(ahead, i64x2.splat(i64.MIN_VALUE))
  return f64x2.add(c, v128.and(same, v128.or(sign, size)))
}

// The value at the face between c and d, seen from c's side, of fifth order; `rise` is 27·(d − c).
// @ts-ignore: decorator
@inline
function face(a: v128, b: v128, c: v128, e: v128, rise: v128): v128 {
  const far = f64x2.sub(f64x2.mul(f64x2.splat(2), f64x2.sub(a, c)), f64x2.mul(f64x2.splat(3), f64x2.sub(e, c)))
  const near = f64x2.add(f64x2.mul(f64x2.splat(13), f64x2.sub(c, b)), rise)
  return f64x2.add(c, f64x2.mul(f64x2.splat(1.0 / 60.0), f64x2.add(near, far)))
}

// Fluxes through the faces of a row of cells at bytes `from` of a field, `step` bytes across the face to the next
// cell: the normal flux n of the group first. They go to five rows of a buffer: volume, n, t, and both depths.
// @ts-ignore: decorator
@inline
function facesOf(
  stage: usize, surface: usize, at: usize, step: usize, normal: usize, tangent: usize, floor: usize, to: usize,
  limits: i32, count: i32,
): void {
  const half = f64x2.splat(0.5), gravity = f64x2.splat(g)
  for (let i = 0; i < count; i += 2) {
    const o = at + (<usize>i << 3) - 3 * step
    const here = o + 3 * step
    let x = surface + o
    const e0 = v128.load(x)
    x += step
    const e1 = v128.load(x)
    x += step
    const e2 = v128.load(x)
    x += step
    const e3 = v128.load(x)
    x += step
    const e4 = v128.load(x)
    x += step
    const e5 = v128.load(x)
    const ground = v128.load(floor + here)
    let hl: v128, hr: v128, nl: v128, nr: v128, tl: v128, tr: v128
    if (limits == 0) {
      const rise = f64x2.mul(f64x2.splat(27), f64x2.sub(e3, e2))
      hl = face(e0, e1, e2, e4, rise)
      hr = face(e5, e4, e3, e1, f64x2.neg(rise))
    } else {
      hl = clipped(e1, e2, e3)
      hr = clipped(e4, e3, e2)
    }
    hl = f64x2.sub(hl, ground)
    hr = f64x2.sub(hr, ground)
    x = stage + normal + o
    const n0 = v128.load(x)
    x += step
    const n1 = v128.load(x)
    x += step
    const n2 = v128.load(x)
    x += step
    const n3 = v128.load(x)
    x += step
    const n4 = v128.load(x)
    x += step
    const n5 = v128.load(x)
    if (limits == 0) {
      const rise = f64x2.mul(f64x2.splat(27), f64x2.sub(n3, n2))
      nl = face(n0, n1, n2, n4, rise)
      nr = face(n5, n4, n3, n1, f64x2.neg(rise))
    } else {
      nl = clipped(n1, n2, n3)
      nr = clipped(n4, n3, n2)
    }
    x = stage + tangent + o
    const t0 = v128.load(x)
    x += step
    const t1 = v128.load(x)
    x += step
    const t2 = v128.load(x)
    x += step
    const t3 = v128.load(x)
    x += step
    const t4 = v128.load(x)
    x += step
    const t5 = v128.load(x)
    if (limits == 0) {
      const rise = f64x2.mul(f64x2.splat(27), f64x2.sub(t3, t2))
      tl = face(t0, t1, t2, t4, rise)
      tr = face(t5, t4, t3, t1, f64x2.neg(rise))
    } else {
      tl = clipped(t1, t2, t3)
      tr = clipped(t4, t3, t2)
    }
    const ul = f64x2.div(nl, hl), ur = f64x2.div(nr, hr)
    const gl = f64x2.mul(gravity, hl), gr = f64x2.mul(gravity, hr)
    const speed = f64x2.mul(half, f64x2.pmax(
      f64x2.add(f64x2.abs(ul), f64x2.sqrt(gl)), f64x2.add(f64x2.abs(ur), f64x2.sqrt(gr)),
    ))
    const p = f64x2.add(
      f64x2.add(f64x2.mul(nl, ul), f64x2.mul(half, f64x2.mul(gl, hl))),
      f64x2.add(f64x2.mul(nr, ur), f64x2.mul(half, f64x2.mul(gr, hr))),
    )
    const s = f64x2.add(f64x2.mul(tl, ul), f64x2.mul(tr, ur))
    const out = to + (<usize>i << 3)
    v128.store(out, f64x2.sub(f64x2.mul(half, f64x2.add(nl, nr)), f64x2.mul(speed, f64x2.sub(hr, hl))))
    v128.store(out + stride, f64x2.sub(f64x2.mul(half, p), f64x2.mul(speed, f64x2.sub(nr, nl))))
    v128.store(out + 2 * stride, f64x2.sub(f64x2.mul(half, s), f64x2.mul(speed, f64x2.sub(tr, tl))))
    v128.store(out + 3 * stride, hl)
    v128.store(out + 4 * stride, hr)
  }
}

function rowFaces(stage: usize, surface: usize, at: usize, to: usize): void {
  if (limited == 0) facesOf(stage, surface, at, 8, fieldBytes, 2 * fieldBytes, sides, to, 0, columns + 1)
  else facesOf(stage, surface, at, 8, fieldBytes, 2 * fieldBytes, sides, to, 1, columns + 1)
}

function floorFaces(stage: usize, surface: usize, at: usize, to: usize): void {
  if (limited == 0) facesOf(stage, surface, at, stride, 2 * fieldBytes, fieldBytes, floors, to, 0, columns)
  else facesOf(stage, surface, at, stride, 2 * fieldBytes, fieldBytes, floors, to, 1, columns)
}

// Depth times the step of the bottom over a cell, by Simpson's rule in a form that balances at rest (Noelle, Pankratz,
// Puppo, Natvig, J. Comput. Phys. 213 (2006) 474): from the two faces and the line between them, times two.
// @ts-ignore: decorator
@inline
function tilt(h0: v128, h1: v128, h2: v128, b0: v128, b1: v128, b2: v128): v128 {
  const whole = f64x2.mul(f64x2.add(h0, h2), f64x2.sub(b2, b0))
  const halves = f64x2.add(
    f64x2.mul(f64x2.add(h0, h1), f64x2.sub(b1, b0)), f64x2.mul(f64x2.add(h1, h2), f64x2.sub(b2, b1)),
  )
  return f64x2.mul(f64x2.splat(1.0 / 3.0), f64x2.sub(f64x2.mul(f64x2.splat(4), halves), whole))
}

// Depth on the middle line of a cell across which `step` leads, from the surface's means around it.
// @ts-ignore: decorator
@inline
function middle(at: usize, step: usize, ground: v128): v128 {
  const e1 = v128.load(at), e0 = v128.load(at - step), e2 = v128.load(at + step)
  const bend = f64x2.sub(f64x2.add(f64x2.sub(e1, e0), e1), e2)
  return f64x2.sub(f64x2.add(e1, f64x2.mul(f64x2.splat(1.0 / 24.0), bend)), ground)
}

// target ← a·base + b·(stage + dt·L(stage)).
function advance(from: i32, into: i32, wa: f64, wb: f64): void {
  const stage = base + <usize>from * 3 * fieldBytes, target = base + <usize>into * 3 * fieldBytes
  const surface = surfaces + <usize>from * fieldBytes, risen = surfaces + <usize>into * fieldBytes
  const a = f64x2.splat(wa), b = f64x2.splat(wb), x = f64x2.splat(kx), y = f64x2.splat(ky), turn = f64x2.splat(kf)
  const slopeX = f64x2.splat(0.5 * g * kx), slopeY = f64x2.splat(0.5 * g * ky)
  const across = buffers
  let below = buffers + 5 * stride, above = buffers + 10 * stride
  const first = <usize>GHOSTS * stride + EDGE
  floorFaces(stage, surface, first, below)
  for (let r = 0; r < rows; r++) {
    const at = first + <usize>r * stride
    rowFaces(stage, surface, at, across)
    floorFaces(stage, surface, at + stride, above)
    for (let i = 0; i < columns; i += 2) {
      const o = <usize>i << 3, c = at + o
      const w = across + o, d = below + o, u = above + o
      const h = v128.load(stage + c)
      const p = v128.load(stage + fieldBytes + c)
      const q = v128.load(stage + 2 * fieldBytes + c)
      const dh = f64x2.add(
        f64x2.mul(x, f64x2.sub(v128.load(w, 8), v128.load(w))), f64x2.mul(y, f64x2.sub(v128.load(u), v128.load(d))),
      )
      const w1 = w + stride, d1 = d + stride, u1 = u + stride
      const w2 = w1 + stride, d2 = d1 + stride, u2 = u1 + stride
      const b1 = v128.load(middles + c), b2 = v128.load(middles + fieldBytes + c)
      const tiltX = f64x2.mul(slopeX, tilt(
        v128.load(w2 + 2 * stride), middle(surface + c, 8, b1), v128.load(w2 + stride, 8),
        v128.load(sides + c), b1, v128.load(sides + c, 8),
      ))
      const tiltY = f64x2.mul(slopeY, tilt(
        v128.load(d2 + 2 * stride), middle(surface + c, stride, b2), v128.load(u2 + stride),
        v128.load(floors + c), b2, v128.load(floors + c + stride),
      ))
      const dp = f64x2.add(
        f64x2.add(f64x2.mul(x, f64x2.sub(v128.load(w1, 8), v128.load(w1))), tiltX),
        f64x2.sub(f64x2.mul(y, f64x2.sub(v128.load(u2), v128.load(d2))), f64x2.mul(turn, q)),
      )
      const dq = f64x2.add(
        f64x2.add(f64x2.mul(y, f64x2.sub(v128.load(u1), v128.load(d1))), tiltY),
        f64x2.add(f64x2.mul(x, f64x2.sub(v128.load(w2, 8), v128.load(w2))), f64x2.mul(turn, p)),
      )
      const home = base + c, to = target + c
      const depth = f64x2.add(f64x2.mul(a, v128.load(home)), f64x2.mul(b, f64x2.sub(h, dh)))
      v128.store(to, depth)
      v128.store(risen + c, f64x2.add(depth, v128.load(bottom + c)))
      const home1 = home + fieldBytes, home2 = home1 + fieldBytes
      v128.store(to + fieldBytes, f64x2.add(f64x2.mul(a, v128.load(home1)), f64x2.mul(b, f64x2.sub(p, dp))))
      v128.store(to + 2 * fieldBytes, f64x2.add(f64x2.mul(a, v128.load(home2)), f64x2.mul(b, f64x2.sub(q, dq))))
    }
    const swap = below
    below = above
    above = swap
  }
  surround(target)
  surround(target + fieldBytes)
  surround(target + 2 * fieldBytes)
  surround(risen)
}

// One step of all three fields; their ghosts are right before and after it.
export function step(): void {
  advance(0, 1, 0, 1)
  advance(1, 2, 0.75, 0.25)
  advance(2, 0, 1.0 / 3.0, 2.0 / 3.0)
}
