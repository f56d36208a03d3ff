// One step of a symmetric composition of velocity-Verlet stages for n bodies under softened Newtonian gravity, two
// lanes wide. Each pair is met once; its even and odd partners add up in separate lanes, which are joined at the end,
// so that the sums have one fixed order. Accelerations are held without G.

let n: i32 = 0
let stages: i32 = 0
let weights: usize = 0 // per stage: half kick G·w·dt/2, drift w·dt
let eps2: f64 = 0

// Bodies lie two and two: x, y, z, m and the acceleration of both, so that one address serves a round of the loop over
// pairs. Their velocities, which that loop does not need, follow after all of them.
const BLOCK: usize = 112
const MASS: usize = 48
const PULL: usize = 64
const SPEED: usize = 48
let first: usize = 0
let last: usize = 0 // the block of a body without a neighbour, or the end of all blocks
let speeds: usize = 0

// 1 in both lanes. A number written into a loop would be put together anew in every round of it.
const ones = memory.data<f64>([1, 1])

export function configure(bodies: i32, stageCount: i32, base: usize, weightsAt: usize, softening2: f64): void {
  n = bodies
  stages = stageCount
  weights = weightsAt
  eps2 = softening2
  first = base
  last = base + <usize>(bodies >> 1) * BLOCK
  speeds = base + <usize>((bodies + 1) >> 1) * BLOCK
}

// Sums of the body in hand: the even and the odd partners.
let evenX: f64 = 0
let evenY: f64 = 0
let evenZ: f64 = 0
let oddX: f64 = 0
let oddY: f64 = 0
let oddZ: f64 = 0

// One pair, for the partners that have no neighbour to share a vector with: an odd one in the body's own block, an even
// one at the end.
function pair(i: usize, j: usize, odd: bool): void {
  const dx = load<f64>(j) - load<f64>(i)
  const dy = load<f64>(j, 16) - load<f64>(i, 16)
  const dz = load<f64>(j, 32) - load<f64>(i, 32)
  const r2 = dx * dx + dy * dy + dz * dz + eps2
  const inverse = 1 / (r2 * sqrt(r2))
  const toward = load<f64>(j, MASS) * inverse
  const back = load<f64>(i, MASS) * inverse
  if (odd) {
    oddX += toward * dx
    oddY += toward * dy
    oddZ += toward * dz
  } else {
    evenX += toward * dx
    evenY += toward * dy
    evenZ += toward * dz
  }
  store<f64>(j, load<f64>(j, PULL) - back * dx, PULL)
  store<f64>(j, load<f64>(j, PULL + 16) - back * dy, PULL + 16)
  store<f64>(j, load<f64>(j, PULL + 32) - back * dz, PULL + 32)
}

// Accelerations of all bodies from their positions.
export function accelerate(): void {
  for (let at = first; at < speeds; at += BLOCK) memory.fill(at + PULL, 0, BLOCK - PULL)
  const softening = f64x2.splat(eps2)
  for (let k = 0; k < n; k++) {
    const block = first + <usize>(k >> 1) * BLOCK, i = block + (<usize>(k & 1) << 3)
    evenX = evenY = evenZ = oddX = oddY = oddZ = 0
    if ((k & 1) == 0 && k + 1 < n) pair(i, i + 8, true)
    let sumX = f64x2.replace_lane(f64x2.splat(evenX), 1, oddX)
    let sumY = f64x2.replace_lane(f64x2.splat(evenY), 1, oddY)
    let sumZ = f64x2.replace_lane(f64x2.splat(evenZ), 1, oddZ)
    const xi = v128.load64_splat(i)
    const yi = v128.load64_splat(i, 16)
    const zi = v128.load64_splat(i, 32)
    const mi = v128.load64_splat(i, MASS)
    for (let j = block + BLOCK; j < last; j += BLOCK) {
      const dx = f64x2.sub(v128.load(j), xi)
      const dy = f64x2.sub(v128.load(j, 16), yi)
      const dz = f64x2.sub(v128.load(j, 32), zi)
      const square = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz))
      const r2 = f64x2.add(square, softening)
      const inverse = f64x2.div(v128.load(ones), f64x2.mul(r2, f64x2.sqrt(r2)))
      const toward = f64x2.mul(v128.load(j, MASS), inverse)
      const back = f64x2.mul(mi, inverse)
      sumX = f64x2.add(sumX, f64x2.mul(toward, dx))
      sumY = f64x2.add(sumY, f64x2.mul(toward, dy))
      sumZ = f64x2.add(sumZ, f64x2.mul(toward, dz))
      v128.store(j, f64x2.sub(v128.load(j, PULL), f64x2.mul(back, dx)), PULL)
      v128.store(j, f64x2.sub(v128.load(j, PULL + 16), f64x2.mul(back, dy)), PULL + 16)
      v128.store(j, f64x2.sub(v128.load(j, PULL + 32), f64x2.mul(back, dz)), PULL + 32)
    }
    evenX = f64x2.extract_lane(sumX, 0)
    evenY = f64x2.extract_lane(sumY, 0)
    evenZ = f64x2.extract_lane(sumZ, 0)
    oddX = f64x2.extract_lane(sumX, 1)
    oddY = f64x2.extract_lane(sumY, 1)
    oddZ = f64x2.extract_lane(sumZ, 1)
    if ((n & 1) == 1 && block < last) pair(i, last, false)
    store<f64>(i, load<f64>(i, PULL) + (evenX + oddX), PULL)
    store<f64>(i, load<f64>(i, PULL + 16) + (evenY + oddY), PULL + 16)
    store<f64>(i, load<f64>(i, PULL + 32) + (evenZ + oddZ), PULL + 32)
  }
}

// to += factor · from, over the three numbers of a vector quantity of all bodies, whose blocks have these lengths.
function accumulate(to: usize, toBlock: usize, from: usize, fromBlock: usize, factor: f64): void {
  const f = f64x2.splat(factor)
  for (let k = 0; k < n; k += 2, to += toBlock, from += fromBlock) {
    v128.store(to, f64x2.add(v128.load(to), f64x2.mul(f, v128.load(from))))
    v128.store(to, f64x2.add(v128.load(to, 16), f64x2.mul(f, v128.load(from, 16))), 16)
    v128.store(to, f64x2.add(v128.load(to, 32), f64x2.mul(f, v128.load(from, 32))), 32)
  }
}

// One whole step. The accelerations must be those of the positions, and are so again afterwards.
export function step(): void {
  for (let s = 0; s < stages; s++) {
    const kick = load<f64>(weights + (<usize>s << 4))
    const drift = load<f64>(weights + (<usize>s << 4), 8)
    accumulate(speeds, SPEED, first + PULL, BLOCK, kick)
    accumulate(first, BLOCK, speeds, SPEED, drift)
    accelerate()
    accumulate(speeds, SPEED, first + PULL, BLOCK, kick)
  }
}
