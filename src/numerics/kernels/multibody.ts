// One step of a symmetric composition of velocity-Verlet stages for n bodies under softened Newtonian gravity, two
// lanes wide. Each pair is met once; its even and odd partners add up in separate lanes, which are joined at the end,
// so that the sums have one fixed order. Accelerations are held without G.

let n: i32 = 0
let stages: i32 = 0
let weights: usize = 0 // per stage: half kick G·w·dt/2, drift w·dt
let stride: usize = 0 // bytes of one array of n numbers, padded to pairs
let eps2: f64 = 0

// Arrays, one after the other from `base`: x y z, vx vy vz, ax ay az, m.
let px: usize = 0
let py: usize = 0
let pz: usize = 0
let vx: usize = 0
let ax: usize = 0
let ay: usize = 0
let az: usize = 0
let pm: usize = 0

export function configure(bodies: i32, stageCount: i32, base: usize, weightsAt: usize, softening2: f64): void {
  n = bodies
  stages = stageCount
  weights = weightsAt
  stride = <usize>((bodies + (bodies & 1)) << 3)
  eps2 = softening2
  px = base
  py = base + stride
  pz = base + stride * 2
  vx = base + stride * 3
  ax = base + stride * 6
  ay = base + stride * 7
  az = base + stride * 8
  pm = base + stride * 9
}

// Sums of the body in hand: the even and the odd partners.
let evenX: f64 = 0
let evenY: f64 = 0
let evenZ: f64 = 0
let oddX: f64 = 0
let oddY: f64 = 0
let oddZ: f64 = 0

// One pair, for the partners that have no neighbour to share a vector with.
function pair(i: usize, j: usize): void {
  const dx = load<f64>(px + j) - load<f64>(px + i)
  const dy = load<f64>(py + j) - load<f64>(py + i)
  const dz = load<f64>(pz + j) - load<f64>(pz + i)
  const r2 = dx * dx + dy * dy + dz * dz + eps2
  const inverse = 1 / (r2 * sqrt(r2))
  const toward = load<f64>(pm + j) * inverse
  const back = load<f64>(pm + i) * inverse
  if (j & 8) {
    oddX += toward * dx
    oddY += toward * dy
    oddZ += toward * dz
  } else {
    evenX += toward * dx
    evenY += toward * dy
    evenZ += toward * dz
  }
  store<f64>(ax + j, load<f64>(ax + j) - back * dx)
  store<f64>(ay + j, load<f64>(ay + j) - back * dy)
  store<f64>(az + j, load<f64>(az + j) - back * dz)
}

// @ts-ignore: decorator
@inline
function less(at: usize, back: v128, d: v128): void {
  v128.store(at, f64x2.sub(v128.load(at), f64x2.mul(back, d)))
}

// Accelerations of all bodies from their positions.
export function accelerate(): void {
  memory.fill(ax, 0, stride * 3)
  const end = <usize>n << 3
  const pairsEnd = <usize>(n & ~1) << 3
  const softening = f64x2.splat(eps2)
  const one = f64x2.splat(1)
  for (let i: usize = 0; i < end; i += 8) {
    evenX = evenY = evenZ = oddX = oddY = oddZ = 0
    let j = i + 8
    if (j & 8 && j < end) {
      pair(i, j)
      j += 8
    }
    let sumX = f64x2.replace_lane(f64x2.splat(evenX), 1, oddX)
    let sumY = f64x2.replace_lane(f64x2.splat(evenY), 1, oddY)
    let sumZ = f64x2.replace_lane(f64x2.splat(evenZ), 1, oddZ)
    const xi = v128.load64_splat(px + i)
    const yi = v128.load64_splat(py + i)
    const zi = v128.load64_splat(pz + i)
    const mi = v128.load64_splat(pm + i)
    for (; j < pairsEnd; j += 16) {
      const dx = f64x2.sub(v128.load(px + j), xi)
      const dy = f64x2.sub(v128.load(py + j), yi)
      const dz = f64x2.sub(v128.load(pz + j), zi)
      const square = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz))
      const r2 = f64x2.add(square, softening)
      const inverse = f64x2.div(one, f64x2.mul(r2, f64x2.sqrt(r2)))
      const toward = f64x2.mul(v128.load(pm + j), inverse)
      const back = f64x2.mul(mi, inverse)
      sumX = f64x2.add(sumX, f64x2.mul(toward, dx))
      sumY = f64x2.add(sumY, f64x2.mul(toward, dy))
      sumZ = f64x2.add(sumZ, f64x2.mul(toward, dz))
      less(ax + j, back, dx)
      less(ay + j, back, dy)
      less(az + j, back, dz)
    }
    evenX = f64x2.extract_lane(sumX, 0)
    evenY = f64x2.extract_lane(sumY, 0)
    evenZ = f64x2.extract_lane(sumZ, 0)
    oddX = f64x2.extract_lane(sumX, 1)
    oddY = f64x2.extract_lane(sumY, 1)
    oddZ = f64x2.extract_lane(sumZ, 1)
    if (j < end) pair(i, j)
    store<f64>(ax + i, load<f64>(ax + i) + (evenX + oddX))
    store<f64>(ay + i, load<f64>(ay + i) + (evenY + oddY))
    store<f64>(az + i, load<f64>(az + i) + (evenZ + oddZ))
  }
}

// to += factor · from, over the three arrays of a vector quantity.
function accumulate(to: usize, from: usize, factor: f64): void {
  const f = f64x2.splat(factor)
  const bytes = stride * 3
  for (let o: usize = 0; o < bytes; o += 16) {
    v128.store(to + o, f64x2.add(v128.load(to + o), f64x2.mul(f, v128.load(from + o))))
  }
}

// One whole step. The accelerations must be those of the positions, and are so again afterwards.
export function step(): void {
  for (let s = 0; s < stages; s++) {
    const kick = load<f64>(weights + (<usize>s << 4))
    const drift = load<f64>(weights + (<usize>s << 4), 8)
    accumulate(vx, ax, kick)
    accumulate(px, vx, drift)
    accelerate()
    accumulate(vx, ax, kick)
  }
}
