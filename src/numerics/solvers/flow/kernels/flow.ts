// Incompressible flow on a staggered grid: one classical Runge–Kutta step, each stage's forces made free of divergence
// by a direct Poisson solve. A line of x is a row here: row i + 1, column j + 1 of a padded field is cell (i, j), with
// u on its far face along x and v on its far face along y. The transform along x goes across the rows, so every
// butterfly is a loop over contiguous columns; the equations along y are solved across the rows of the transposed
// array. Compiled without relaxed SIMD and without fused multiply-add: the twin in test/ gives the same bits.

// Cells, bytes of a row of a field, of a transform and of the transposed array.
let nx: i32 = 0, ny: i32 = 0
let stride: usize = 0, wide: usize = 0, tall: usize = 0
// Fields: state, stage, sum of the stages, forces, pressure.
let u: usize = 0, v: usize = 0, us: usize = 0, vs: usize = 0, au: usize = 0, av: usize = 0
let fu: usize = 0, fv: usize = 0, p: usize = 0
// Transform: two buffers, the transposed array, factors along y, closing solution of a ring, its denominators, roots of
// unity (re, im) and rotations (cos, sin).
let one: usize = 0, other: usize = 0, turned: usize = 0, factors: usize = 0, closing: usize = 0, ends: usize = 0
let roots: usize = 0, rotations: usize = 0
// 0: a ring; 1: walls. Along x walls are for the Poisson solve alone.
let wallsX: i32 = 0, wallsY: i32 = 0
let dx: f64 = 0, dy: f64 = 0, nu: f64 = 0, force: f64 = 0

/** Where everything lies. The fields and buffers follow each other from `at`. */
export function configure(
  cellsX: i32, cellsY: i32, rowBytes: usize, wideBytes: usize, tallBytes: usize, at: usize, ringX: i32, ringY: i32,
): void {
  nx = cellsX, ny = cellsY
  stride = rowBytes, wide = wideBytes, tall = tallBytes
  const field = <usize>(nx + 2) * stride
  u = at, v = u + field, us = v + field, vs = us + field, au = vs + field, av = au + field
  fu = av + field, fv = fu + field, p = fv + field
  one = p + field
  other = one + <usize>nx * wide
  turned = other + <usize>nx * wide
  factors = turned + <usize>ny * tall
  closing = factors + <usize>ny * tall
  ends = closing + <usize>ny * tall
  roots = ends + tall
  rotations = roots + (<usize>nx << 4)
  wallsX = ringX == 0 ? 1 : 0
  wallsY = ringY == 0 ? 1 : 0
}

/** Spacings, viscosity and the force along x that drives the flow. */
export function medium(spacingX: f64, spacingY: f64, viscosity: f64, drive: f64): void {
  dx = spacingX, dy = spacingY
  nu = viscosity, force = drive
}

// @ts-ignore: decorator
@inline
function rowOf(field: usize, i: i32): usize {
  return field + <usize>(i + 1) * stride + 8
}

// Rows and columns beyond the cells: on a ring those of the other end; at walls the tangential velocity mirrored with
// its sign turned, the normal one zero on the wall.
function border(field: usize, normal: bool): void {
  const last = <usize>ny << 3
  for (let i = 0; i < nx; i++) {
    const row = rowOf(field, i)
    if (wallsY == 0) {
      store<f64>(row - 8, load<f64>(row + last - 8))
      store<f64>(row + last, load<f64>(row))
    } else if (normal) {
      store<f64>(row - 8, 0)
      store<f64>(row + last - 8, 0)
      store<f64>(row + last, -load<f64>(row + last - 16))
    } else {
      store<f64>(row - 8, -load<f64>(row))
      store<f64>(row + last, -load<f64>(row + last - 8))
    }
  }
  memory.copy(field, field + <usize>nx * stride, stride)
  memory.copy(field + <usize>(nx + 1) * stride, field + stride, stride)
}

// 2 in both lanes. A number written into a loop would be put together anew in every round of it.
const doubled = memory.data<f64>([2, 2])

// −∇·(uu) + ν∇²u + force, at the far faces.
function forces(a: usize, b: usize): void {
  const qx = f64x2.splat(0.25 / dx), qy = f64x2.splat(0.25 / dy)
  const lx = f64x2.splat(nu / (dx * dx)), ly = f64x2.splat(nu / (dy * dy))
  const g = f64x2.splat(force)
  const bytes = <usize>ny << 3
  for (let i = 0; i < nx; i++) {
    // Places one cell before those of the round: what stands before and behind is then an offset of a load.
    let ac = rowOf(a, i) - 8, bc = rowOf(b, i) - 8, fa = rowOf(fu, i), fb = rowOf(fv, i)
    let aw = ac - stride, ae = ac + stride, bw = bc - stride, be = bc + stride
    const end = fa + bytes
    for (; fa < end; ac += 16, bc += 16, aw += 16, ae += 16, bw += 16, be += 16, fa += 16, fb += 16) {
      const u0 = v128.load(ac, 8), v0 = v128.load(bc, 8), uw = v128.load(aw, 8), ve = v128.load(be, 8)
      const corner = f64x2.mul(f64x2.add(u0, v128.load(ac, 16)), f64x2.add(v0, ve))
      const below = f64x2.mul(f64x2.add(v128.load(ac), u0), f64x2.add(v128.load(bc), v128.load(be)))
      const ue = v128.load(ae, 8), east = f64x2.add(ue, u0), west = f64x2.add(u0, uw)
      const overX = f64x2.mul(qx, f64x2.sub(f64x2.mul(east, east), f64x2.mul(west, west)))
      const carriedU = f64x2.add(overX, f64x2.mul(qy, f64x2.sub(corner, below)))
      const twiceU = f64x2.mul(v128.load(doubled), u0)
      const alongU = f64x2.mul(lx, f64x2.sub(f64x2.add(ue, uw), twiceU))
      const besideU = f64x2.add(v128.load(ac, 16), v128.load(ac))
      const spreadU = f64x2.add(alongU, f64x2.mul(ly, f64x2.sub(besideU, twiceU)))
      v128.store(fa, f64x2.add(f64x2.sub(spreadU, carriedU), g))
      const vw = v128.load(bw, 8), before = f64x2.mul(f64x2.add(uw, v128.load(aw, 16)), f64x2.add(vw, v0))
      const vn = v128.load(bc, 16), vm = v128.load(bc)
      const top = f64x2.add(v0, vn), bottom = f64x2.add(vm, v0)
      const overY = f64x2.mul(qy, f64x2.sub(f64x2.mul(top, top), f64x2.mul(bottom, bottom)))
      const carriedV = f64x2.add(f64x2.mul(qx, f64x2.sub(corner, before)), overY)
      const twiceV = f64x2.mul(v128.load(doubled), v0)
      const alongV = f64x2.mul(lx, f64x2.sub(f64x2.add(ve, vw), twiceV))
      const spreadV = f64x2.add(alongV, f64x2.mul(ly, f64x2.sub(f64x2.add(vn, vm), twiceV)))
      v128.store(fb, f64x2.sub(spreadV, carriedV))
    }
  }
  seal(fu, fv)
}

// What a divergence reads beyond the cells.
function seal(a: usize, b: usize): void {
  const last = <usize>ny << 3
  for (let i = 0; i < nx; i++) {
    const row = rowOf(b, i)
    if (wallsY != 0) store<f64>(row + last - 8, 0)
    store<f64>(row - 8, wallsY != 0 ? 0 : load<f64>(row + last - 8))
  }
  if (wallsX != 0) {
    memory.fill(a, 0, stride)
    memory.fill(a + <usize>nx * stride, 0, stride)
  } else memory.copy(a, a + <usize>nx * stride, stride)
}

// −dy²/2nx times the divergence, in the order of the transform: along walls even places first, odd ones backwards. Two
// cells of the first half of a line are real parts, beside them two of the second half imaginary ones.
function gather(a: usize, b: usize): void {
  const scale = -(dy * dy) / (2 * <f64>nx), half = <usize>ny << 2
  const sx = f64x2.splat(scale / dx), sy = f64x2.splat(scale / dy)
  for (let i = 0; i < nx; i++) {
    let to = rowAt(one, i), ra = rowOf(a, i), rb = rowOf(b, i)
    for (const end = ra + half; ra < end; ra += 16, rb += 16, to += 32) {
      v128.store(to, divergence(ra, ra - stride, rb, sx, sy))
      v128.store(to, divergence(ra + half, ra + half - stride, rb + half, sx, sy), 16)
    }
  }
}

// @ts-ignore: decorator
@inline
function divergence(east: usize, west: usize, north: usize, sx: v128, sy: v128): v128 {
  const along = f64x2.mul(sx, f64x2.sub(v128.load(east), v128.load(west)))
  return f64x2.add(along, f64x2.mul(sy, f64x2.sub(v128.load(north), v128.load(north - 8))))
}

// Line i of what is transformed.
function rowAt(buffer: usize, i: i32): usize {
  return buffer + <usize>(wallsX == 0 ? i : (i & 1) == 0 ? i >> 1 : nx - 1 - (i >> 1)) * wide
}

// Where the real parts are is the type's to say, as offsets of loads must be known when this is compiled: with f64
// they come first, with v128 second, which makes the transform its own inverse.
// @ts-ignore: decorator
@inline
function turn<T>(to: usize, xr: v128, xi: v128, wr: v128, wi: v128): void {
  v128.store(to, f64x2.sub(f64x2.mul(xr, wr), f64x2.mul(xi, wi)), sizeof<T>() & 16)
  v128.store(to, f64x2.add(f64x2.mul(xr, wi), f64x2.mul(xi, wr)), 16 - (sizeof<T>() & 16))
}

// One radix-4 pass of Stockham's ordering over whole rows.
function passOfFour<T>(from: usize, to: usize, span: i32): void {
  const re: usize = sizeof<T>() & 16, im: usize = 16 - (sizeof<T>() & 16)
  const quarter = nx >> 2, groups = quarter / span
  const bytes = <usize>ny << 3, step = <usize>quarter * wide, out = <usize>span * wide
  for (let g = 0; g < groups; g++) {
    const w = roots + (<usize>(g * span) << 4), w2 = roots + (<usize>(2 * g * span) << 4)
    const w3 = roots + (<usize>(3 * g * span) << 4)
    const ar = v128.load64_splat(w), ai = v128.load64_splat(w, 8)
    const br = v128.load64_splat(w2), bi = v128.load64_splat(w2, 8)
    const cr = v128.load64_splat(w3), ci = v128.load64_splat(w3, 8)
    for (let q = 0; q < span; q++) {
      let x0 = from + <usize>(q + span * g) * wide, x1 = x0 + step, x2 = x1 + step, x3 = x2 + step
      let y0 = to + <usize>(q + 4 * span * g) * wide, y1 = y0 + out, y2 = y1 + out, y3 = y2 + out
      for (const end = x0 + bytes; x0 < end; x0 += 32, x1 += 32, x2 += 32, x3 += 32) {
        const a = v128.load(x0, re), b = v128.load(x0, im), c = v128.load(x2, re), d = v128.load(x2, im)
        const e = v128.load(x1, re), f = v128.load(x1, im), h = v128.load(x3, re), k = v128.load(x3, im)
        const r0 = f64x2.add(a, c), i0 = f64x2.add(b, d), r1 = f64x2.sub(a, c), i1 = f64x2.sub(b, d)
        const r2 = f64x2.add(e, h), i2 = f64x2.add(f, k), r3 = f64x2.sub(f, k), i3 = f64x2.sub(h, e)
        v128.store(y0, f64x2.add(r0, r2), re)
        v128.store(y0, f64x2.add(i0, i2), im)
        turn<T>(y1, f64x2.add(r1, r3), f64x2.add(i1, i3), ar, ai)
        turn<T>(y2, f64x2.sub(r0, r2), f64x2.sub(i0, i2), br, bi)
        turn<T>(y3, f64x2.sub(r1, r3), f64x2.sub(i1, i3), cr, ci)
        y0 += 32, y1 += 32, y2 += 32, y3 += 32
      }
    }
  }
}

function passOfTwo(from: usize, to: usize): void {
  const half = <usize>(nx >> 1) * wide, bytes = <usize>ny << 3
  for (let q = 0; q < nx >> 1; q++) {
    const x = from + <usize>q * wide, y = to + <usize>q * wide
    for (let o: usize = 0; o < bytes; o += 16) {
      const a = v128.load(x + o), b = v128.load(x + half + o)
      v128.store(y + o, f64x2.add(a, b))
      v128.store(y + half + o, f64x2.sub(a, b))
    }
  }
}

// Transforms the rows of buffer `one`. Returns where it ends.
function transform<T>(): usize {
  let from = one, to = other, span = 1
  for (; 4 * span <= nx; span *= 4) {
    passOfFour<T>(from, to, span)
    const swap = from
    from = to
    to = swap
  }
  if (span == nx) return from
  passOfTwo(from, to)
  return to
}

// @ts-ignore: decorator
@inline
function lows(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
}

// @ts-ignore: decorator
@inline
function highs(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31)
}

// @ts-ignore: decorator
@inline
function deal(to: usize, a: v128, b: v128): void {
  v128.store(to, lows(a, b))
  v128.store(to + tall, highs(a, b))
}

// Coefficients of the real columns from the transform of pairs of them, turned by the rotation of their mode (a cosine
// transform along walls), transposed: columns 2k and 2k + 1 belong to wave k, the first two to waves 0 and nx/2.
function untangle(from: usize): void {
  const far = <usize>(ny >> 1) * tall, apart = <usize>(nx >> 1) * wide, bytes = <usize>ny << 3
  for (let x = from, end = x + bytes, to = turned; x < end; x += 32, to += 2 * tall) {
    deal(to, v128.load(x), v128.load(x + apart))
    deal(to + far, v128.load(x, 16), v128.load(x + apart, 16))
  }
  for (let k = 1; k < nx >> 1; k++) {
    let y = from + <usize>(nx - k) * wide, to = turned + (<usize>k << 4)
    const c = v128.load64_splat(rotations + (<usize>k << 4)), s = v128.load64_splat(rotations + (<usize>k << 4), 8)
    for (let x = from + <usize>k * wide, end = x + bytes; x < end; x += 32, y += 32, to += 2 * tall) {
      const a = v128.load(x), b = v128.load(x, 16), e = v128.load(y), d = v128.load(y, 16)
      const ar = f64x2.add(a, e), ai = f64x2.sub(b, d), br = f64x2.add(b, d), bi = f64x2.sub(e, a)
      deal(to, f64x2.add(f64x2.mul(c, ar), f64x2.mul(s, ai)), f64x2.sub(f64x2.mul(s, ar), f64x2.mul(c, ai)))
      deal(to + far, f64x2.add(f64x2.mul(c, br), f64x2.mul(s, bi)), f64x2.sub(f64x2.mul(s, br), f64x2.mul(c, bi)))
    }
  }
}

// The way back of `untangle`, into buffer `one`.
function tangle(): void {
  const far = <usize>(ny >> 1) * tall, apart = <usize>(nx >> 1) * wide, bytes = <usize>ny << 3
  const two = v128.load(doubled)
  for (let x = one, end = x + bytes, at = turned; x < end; x += 32, at += 2 * tall) {
    const a = v128.load(at), b = v128.load(at + tall), e = v128.load(at + far), d = v128.load(at + far + tall)
    v128.store(x, f64x2.mul(two, lows(a, b)))
    v128.store(x + apart, f64x2.mul(two, highs(a, b)))
    v128.store(x, f64x2.mul(two, lows(e, d)), 16)
    v128.store(x + apart, f64x2.mul(two, highs(e, d)), 16)
  }
  for (let k = 1; k < nx >> 1; k++) {
    let y = one + <usize>(nx - k) * wide, at = turned + (<usize>k << 4)
    const c = v128.load64_splat(rotations + (<usize>k << 4)), s = v128.load64_splat(rotations + (<usize>k << 4), 8)
    for (let x = one + <usize>k * wide, end = x + bytes; x < end; x += 32, y += 32, at += 2 * tall) {
      const a0 = v128.load(at), a1 = v128.load(at + tall), b0 = v128.load(at + far), b1 = v128.load(at + far + tall)
      const ap = lows(a0, a1), aq = highs(a0, a1), bp = lows(b0, b1), bq = highs(b0, b1)
      const ar = f64x2.add(f64x2.mul(c, ap), f64x2.mul(s, aq)), ai = f64x2.sub(f64x2.mul(s, ap), f64x2.mul(c, aq))
      const br = f64x2.add(f64x2.mul(c, bp), f64x2.mul(s, bq)), bi = f64x2.sub(f64x2.mul(s, bp), f64x2.mul(c, bq))
      v128.store(x, f64x2.sub(ar, bi))
      v128.store(x, f64x2.add(ai, br), 16)
      v128.store(y, f64x2.add(ar, bi))
      v128.store(y, f64x2.sub(br, ai), 16)
    }
  }
}

// (2 + μ)·p_j − p_(j−1) − p_(j+1) = b_j for every mode at once, ends as the walls or the ring have them.
function along(): void {
  const bytes = <usize>nx << 3, rows = wallsY != 0 ? ny : ny - 1
  for (let j = 0; j < rows; j++) {
    const row = turned + <usize>j * tall, f = factors + <usize>j * tall
    for (let o: usize = 0; o < bytes; o += 16) {
      const d = v128.load(row + o)
      v128.store(row + o, f64x2.mul(j > 0 ? f64x2.add(d, v128.load(row - tall + o)) : d, v128.load(f + o)))
    }
  }
  for (let j = rows - 2; j >= 0; j--) {
    const row = turned + <usize>j * tall, f = factors + <usize>j * tall
    for (let o: usize = 0; o < bytes; o += 16) {
      v128.store(row + o, f64x2.add(v128.load(row + o), f64x2.mul(v128.load(f + o), v128.load(row + tall + o))))
    }
  }
  if (wallsY != 0) return
  const last = turned + <usize>(ny - 1) * tall
  for (let o: usize = 0; o < bytes; o += 16) {
    const around = f64x2.add(v128.load(turned + o), v128.load(last - tall + o))
    v128.store(last + o, f64x2.mul(f64x2.add(v128.load(last + o), around), v128.load(ends + o)))
  }
  for (let j = 0; j < ny - 1; j++) {
    const row = turned + <usize>j * tall, z = closing + <usize>j * tall
    for (let o: usize = 0; o < bytes; o += 16) {
      v128.store(row + o, f64x2.add(v128.load(row + o), f64x2.mul(v128.load(last + o), v128.load(z + o))))
    }
  }
}

// The pressure whose Laplacian is the divergence of (a, b).
function poisson(a: usize, b: usize): void {
  gather(a, b)
  untangle(transform<f64>())
  along()
  tangle()
  const from = transform<v128>(), half = <usize>ny << 2
  for (let i = 0; i < nx; i++) {
    let row = rowOf(p, i), at = rowAt(from, i)
    for (const end = row + half; row < end; row += 16, at += 32) {
      v128.store(row, v128.load(at))
      v128.store(row + half, v128.load(at, 16))
    }
    row += half
    store<f64>(row, load<f64>(wallsY != 0 ? row - 8 : row - 2 * half))
  }
  memory.copy(p + <usize>(nx + 1) * stride, p + (wallsX != 0 ? <usize>nx * stride : stride), stride)
}

// One stage: rate = forces − ∇p at (a, b); the sum grows by `share` rates, the stage is the state and `reach` rates.
function stage(a: usize, b: usize, reach: f64, share: f64, first: bool): void {
  forces(a, b)
  poisson(fu, fv)
  const gx = f64x2.splat(1 / dx), gy = f64x2.splat(1 / dy), far = f64x2.splat(reach), part = f64x2.splat(share)
  const bytes = <usize>ny << 3
  for (let i = 0; i < nx; i++) {
    const pc = rowOf(p, i), ru = rowOf(u, i), rv = rowOf(v, i), su = rowOf(us, i), sv = rowOf(vs, i)
    const ra = rowOf(au, i), rb = rowOf(av, i), fa = rowOf(fu, i), fb = rowOf(fv, i)
    for (let o: usize = 0; o < bytes; o += 16) {
      const here = v128.load(pc + o)
      const ku = f64x2.sub(v128.load(fa + o), f64x2.mul(gx, f64x2.sub(v128.load(pc + stride + o), here)))
      const kv = f64x2.sub(v128.load(fb + o), f64x2.mul(gy, f64x2.sub(v128.load(pc + o, 8), here)))
      const u0 = v128.load(ru + o), v0 = v128.load(rv + o)
      const sumU = first ? u0 : v128.load(ra + o), sumV = first ? v0 : v128.load(rb + o)
      v128.store(ra + o, f64x2.add(sumU, f64x2.mul(part, ku)))
      v128.store(rb + o, f64x2.add(sumV, f64x2.mul(part, kv)))
      v128.store(su + o, f64x2.add(u0, f64x2.mul(far, ku)))
      v128.store(sv + o, f64x2.add(v0, f64x2.mul(far, kv)))
    }
  }
  border(us, false)
  border(vs, true)
}

/** One step of the classical Runge–Kutta method. */
export function step(dt: f64): void {
  stage(u, v, dt / 2, dt / 6, true)
  stage(us, vs, dt / 2, dt / 3, false)
  stage(us, vs, dt, dt / 3, false)
  stage(us, vs, 0, dt / 6, false)
  const size = <usize>(nx + 2) * stride
  memory.copy(u, au, size)
  memory.copy(v, av, size)
  border(u, false)
  border(v, true)
}

/** Fills the borders of a state that was written from outside. */
export function open(): void {
  border(u, false)
  border(v, true)
}

/** Pressure of the state. */
export function pressure(): void {
  forces(u, v)
  poisson(fu, fv)
}

/** Takes the gradient out of the state that makes it free of divergence; the potential is left as the pressure. */
export function project(): void {
  seal(u, v)
  poisson(u, v)
  const gx = f64x2.splat(1 / dx), gy = f64x2.splat(1 / dy)
  const bytes = <usize>ny << 3
  for (let i = 0; i < nx; i++) {
    const pc = rowOf(p, i), ru = rowOf(u, i), rv = rowOf(v, i)
    for (let o: usize = 0; o < bytes; o += 16) {
      const here = v128.load(pc + o)
      v128.store(ru + o, f64x2.sub(v128.load(ru + o), f64x2.mul(gx, f64x2.sub(v128.load(pc + stride + o), here))))
      v128.store(rv + o, f64x2.sub(v128.load(rv + o), f64x2.mul(gy, f64x2.sub(v128.load(pc + o, 8), here))))
    }
  }
}
