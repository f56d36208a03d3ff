// Energy of a rigid ligand in a receptor and the force on each of its atoms: Lennard-Jones and Coulomb over all pairs,
// no cut-off, two receptor atoms wide. The even and the odd receptor atoms add up in separate lanes.
//
// An atom has half its σ, twice the root of its ε and a charge; a ligand's charges hold the Coulomb constant. The
// squared distance may be softened by a length.

let pairs: i32 = 0 // of receptor atoms: what fills up the last has no ε and no charge, and is far away
let ligands: i32 = 0
let fixed: usize = 0 // of the receptor: x, y, z, σ/2, 2√ε, q, each of two atoms, pair by pair
let moving: usize = 0 // of the ligand: x, y, z, σ/2, 2√ε, q together, atom by atom
let pulls: usize = 0 // forces on the ligand: x, y, z atom by atom
let softness: f64 = 0
let dispersion: f64 = 0
let charge: f64 = 0

const PAIR: usize = 96

// 1, 12 and 6 in both lanes. Numbers written into the loop would be put together anew in every round of it.
const numbers = memory.data<f64>([1, 1, 12, 12, 6, 6])

export function configure(receptorPairs: i32, ligandCount: i32, base: usize): void {
  pairs = receptorPairs
  ligands = ligandCount
  fixed = base
  moving = base + <usize>receptorPairs * PAIR
  pulls = moving + <usize>ligandCount * 48
}

// The length by which distances are softened; 0 for the true energy.
export function soften(length: f64): void {
  softness = length * length
}

// @ts-ignore: decorator
@inline
function total(lanes: v128): f64 {
  return f64x2.extract_lane(lanes, 0) + f64x2.extract_lane(lanes, 1)
}

// Energies by both laws, from the places as they are.
export function lennardJones(): f64 {
  return dispersion
}

export function coulomb(): f64 {
  return charge
}

// The whole energy; forces are left at `pulls`.
export function energy(): f64 {
  const end = fixed + <usize>pairs * PAIR
  const soft = f64x2.splat(softness)
  let allDispersion = f64x2.splat(0)
  let allCharge = f64x2.splat(0)
  for (let a = 0; a < ligands; a++) {
    const at = moving + <usize>a * 48
    const x = v128.load64_splat(at)
    const y = v128.load64_splat(at, 8)
    const z = v128.load64_splat(at, 16)
    const size = v128.load64_splat(at, 24)
    const depth = v128.load64_splat(at, 32)
    const q = v128.load64_splat(at, 40)
    let sumX = f64x2.splat(0)
    let sumY = f64x2.splat(0)
    let sumZ = f64x2.splat(0)
    for (let o = fixed; o < end; o += PAIR) {
      const dx = f64x2.sub(x, v128.load(o))
      const dy = f64x2.sub(y, v128.load(o, 16))
      const dz = f64x2.sub(z, v128.load(o, 32))
      const square = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz))
      const inverse = f64x2.div(v128.load(numbers), f64x2.add(square, soft))
      const sigma = f64x2.add(size, v128.load(o, 48))
      const s2 = f64x2.mul(f64x2.mul(sigma, sigma), inverse)
      const s6 = f64x2.mul(f64x2.mul(s2, s2), s2)
      const s12 = f64x2.mul(s6, s6)
      const four = f64x2.mul(depth, v128.load(o, 64))
      const near = f64x2.mul(f64x2.mul(q, v128.load(o, 80)), f64x2.sqrt(inverse))
      allDispersion = f64x2.add(allDispersion, f64x2.mul(four, f64x2.sub(s12, s6)))
      allCharge = f64x2.add(allCharge, near)
      const steep = f64x2.sub(f64x2.mul(v128.load(numbers, 16), s12), f64x2.mul(v128.load(numbers, 32), s6))
      const push = f64x2.mul(f64x2.add(f64x2.mul(four, steep), near), inverse)
      sumX = f64x2.add(sumX, f64x2.mul(push, dx))
      sumY = f64x2.add(sumY, f64x2.mul(push, dy))
      sumZ = f64x2.add(sumZ, f64x2.mul(push, dz))
    }
    const to = pulls + <usize>a * 24
    store<f64>(to, total(sumX))
    store<f64>(to, total(sumY), 8)
    store<f64>(to, total(sumZ), 16)
  }
  dispersion = total(allDispersion)
  charge = total(allCharge)
  return dispersion + charge
}
