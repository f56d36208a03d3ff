import { cbrt, PI, sqrt } from '#numerics/math.ts'
import { ERROR_PCT_MAX, type Outcome, type Reality } from '#numerics/runtime/solver.ts'
import { BINS, type EvolveEvidence, type EvolveInput, type EvolveOutput } from '#numerics/solvers/evolve/schema.ts'
import { type Counted, type Meeting, meetingOf } from './near.ts'
import { lawOf, repeat } from './recompute-motion.ts'

/** Relative disagreement of numbers that are summed in another order. */
const ECHO = 1e-9

/**
 * Distance of the repeated end above which the run followed other equations, in percent of the way. Velocity-Verlet's
 * own share is 0.2 at a step of 0.005; the energy, which is what is sealed, does not know of it.
 */
const REPEATED_PCT_MAX = 0.5

/** What the check finds of one sample. */
interface Measures {
  readonly kinetic: number
  readonly within: number
  readonly potential: number
  readonly virial: number
  readonly forces: Float64Array
  /** |Σ v| and Σ |v|. */
  readonly momentum: readonly [number, number, number]
  readonly speeds: number
}

const same = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => {
  if (a.length !== b.length) return false
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return false
  return true
}

const near = (a: number | undefined, b: number, scale: number): boolean =>
  a !== undefined && Math.abs(a - b) <= ECHO * scale

/**
 * Kinetic energy in the frame of the laboratory, and in that of the centre of mass: there from the velocities less
 * their mean, and from no function of the run.
 */
const kineticOf = (frame: Float64Array): { readonly whole: number; readonly within: number } => {
  const n = frame.length / 6
  let [x, y, z] = [0, 0, 0]
  for (let k = 3 * n; k < 6 * n; k += 3) {
    x += frame[k] / n
    y += frame[k + 1] / n
    z += frame[k + 2] / n
  }
  let [whole, within] = [0, 0]
  for (let k = 3 * n; k < 6 * n; k += 3) {
    const [vx, vy, vz] = [frame[k], frame[k + 1], frame[k + 2]]
    const [dx, dy, dz] = [vx - x, vy - y, vz - z]
    whole = whole + (vx * vx) / 2 + (vy * vy) / 2 + (vz * vz) / 2
    within = within + (dx * dx) / 2 + (dy * dy) / 2 + (dz * dz) / 2
  }
  return { whole, within }
}

const measure = (frame: Float64Array, meeting: Meeting, counted: Counted | undefined): Measures => {
  const n = frame.length / 6
  const sums = meeting(frame.subarray(0, 3 * n), counted)
  let [x, y, z, speeds] = [0, 0, 0, 0]
  for (let i = 3 * n; i < 6 * n; i += 3) {
    const [vx, vy, vz] = [frame[i], frame[i + 1], frame[i + 2]]
    x += vx
    y += vy
    z += vz
    speeds += sqrt(vx * vx + vy * vy + vz * vz)
  }
  const { whole, within } = kineticOf(frame)
  return { kinetic: whole, within, ...sums, momentum: [x, y, z], speeds }
}

/** Whether the first sample is what the inputs say: the given state, or a lattice at the temperature, at rest. */
const startHolds = (input: EvolveInput, frame: Float64Array, first: Measures): boolean => {
  const { n, initial, temperature, density } = input
  if (initial !== undefined) {
    return same(frame.subarray(0, 3 * n), initial.positions) && same(frame.subarray(3 * n), initial.velocities)
  }
  const still = first.momentum.every((p) => Math.abs(p) <= ECHO * first.speeds)
  if (!still || !near(first.within, 1.5 * (n - 1) * temperature, first.within)) return false
  let cells = Math.floor(cbrt(n / 4))
  while (4 * cells * cells * cells < n) cells++
  // Sites of a face-centred lattice have whole multiples of half its constant for coordinates, of even sum.
  const half = cbrt(n / density) / cells / 2
  const taken = new Uint8Array(8 * cells * cells * cells)
  for (let i = 0; i < n; i++) {
    let [site, sum] = [0, 0]
    for (let k = 3 * i; k < 3 * i + 3; k++) {
      const c = frame[k] / half
      const at = Math.floor(c + 0.5)
      if (!(Math.abs(c - at) <= ECHO && at >= 0 && at < 2 * cells)) return false
      site = site * 2 * cells + at
      sum += at
    }
    // No two atoms stand on one site.
    if (sum % 2 !== 0 || taken[site] !== 0) return false
    taken[site] = 1
  }
  return true
}

interface Seen {
  readonly frames: readonly Float64Array[]
  readonly measures: readonly Measures[]
  readonly counted: Counted
  readonly later: number
  readonly box: number
  readonly driftPct: number
}

/** Whether times and energies of the answer are those of the samples. */
const seriesHold = (input: EvolveInput, output: EvolveOutput, { measures, box }: Seen): boolean => {
  const { n, dt, steps } = input
  const volume = box * box * box
  const lengths = [output.times, output.totals, output.potentials, output.temperatures, output.pressures]
  if (lengths.some((values) => values.length !== measures.length)) return false
  const every = Math.ceil(steps / (measures.length - 1))
  return measures.every(({ kinetic, within, potential, virial }, k) => {
    const step = k === measures.length - 1 ? steps : k * every
    const scale = (kinetic + Math.abs(potential)) / n
    return (
      step <= steps &&
      near(output.times[k], step * dt, steps * dt) &&
      near(output.totals[k], (kinetic + potential) / n, scale) &&
      near(output.potentials[k], potential / n, scale) &&
      near(output.temperatures[k], (2 * within) / (3 * (n - 1)), scale) &&
      near(output.pressures[k], (2 * within + virial) / (3 * volume), (2 * kinetic + Math.abs(virial)) / volume)
    )
  })
}

const meanOf = (values: readonly number[], count: number): number => {
  let sum = 0
  for (let k = values.length - count; k < values.length; k++) sum += values[k] as number
  return sum / count
}

/** Whether g(r) counts the pairs of the samples in the second half. */
const distributionHolds = (input: EvolveInput, output: EvolveOutput, seen: Seen): boolean => {
  const { n, cutoff } = input
  const { counted, later, box } = seen
  // An even gas has in each shell its share of the volume of all pairs.
  const pairs = (later * n * (n - 1)) / 2
  const width = cutoff / BINS
  const shareOf = (bin: number): number => {
    const [inner, outer] = [(bin * width) / box, ((bin + 1) * width) / box]
    return ((4 * PI) / 3) * (outer * outer * outer - inner * inner * inner)
  }
  if (output.rdf.length !== BINS || output.radii.length !== BINS) return false
  return Array.from(counted.sure).every((sure, bin) => {
    const count = (output.rdf[bin] ?? Number.NaN) * pairs * shareOf(bin)
    const slack = 1e-6 + 1e-9 * sure
    const held = count >= sure - slack && count <= sure + (counted.doubtful[bin] ?? 0) + slack
    return held && near(output.radii[bin], (bin + 0.5) * (cutoff / BINS), cutoff)
  })
}

/** Whether what repeats the input and the last sample does so. */
const repeats = (input: EvolveInput, output: EvolveOutput, last: Float64Array): boolean => {
  const { n, dt, steps } = input
  const box = cbrt(n / input.density)
  const end = output.totals.length - 1
  return (
    output.n === n &&
    output.steps === steps &&
    output.dt === dt &&
    near(output.time, steps * dt, steps * dt) &&
    near(output.box, box, box) &&
    output.energyPerAtom === output.totals[end] &&
    output.temperature === output.temperatures[end] &&
    output.pressure === output.pressures[end] &&
    same(output.positions, last.subarray(0, 3 * n)) &&
    same(output.velocities, last.subarray(3 * n))
  )
}

/** Whether every number of the answer follows from the samples. */
const follows = (input: EvolveInput, output: EvolveOutput, seen: Seen): boolean => {
  const { frames, measures, later, driftPct } = seen
  const first = measures[0] as Measures
  const E0 = Math.abs(first.kinetic + first.potential)
  const scale = (100 * (first.kinetic + Math.abs(first.potential))) / first.within
  return (
    startHolds(input, frames[0] as Float64Array, first) &&
    seriesHold(input, output, seen) &&
    near(output.meanTemperature, meanOf(output.temperatures, later), 1 + output.meanTemperature) &&
    near(output.meanPressure, meanOf(output.pressures, later), 1 + Math.abs(output.meanPressure)) &&
    near(output.energyDriftPct, driftPct, scale) &&
    near(output.relativeDriftPct * E0, driftPct * first.within, scale * first.within) &&
    distributionHolds(input, output, seen)
  )
}

/** ‖a − b‖. */
const distance = (a: Float64Array, b: Float64Array): number => {
  let square = 0
  for (let k = 0; k < b.length; k++) square += (a[k] - b[k]) * (a[k] - b[k])
  return sqrt(square)
}

const distancePct = (a: Float64Array, b: Float64Array, scale: number): number => (100 * distance(a, b)) / scale

const lengthOf = (values: Float64Array): number => {
  let square = 0
  for (let k = 0; k < values.length; k++) square += values[k] * values[k]
  return sqrt(square)
}

/** How far the repeated end of the run is from its last places, in percent of what the atoms moved in that time. */
const repeatedPct = (
  input: EvolveInput,
  evidence: EvolveEvidence,
  { frames, measures }: Pick<Seen, 'frames' | 'measures'>,
  meeting: Meeting,
): number => {
  const { before, stepsAfter } = evidence
  const last = frames[frames.length - 1] as Float64Array
  const half = last.length / 2
  const known = measures[frames.findIndex((frame) => same(frame, before))]?.forces
  const again = repeat(before, stepsAfter * input.dt, meeting, known)
  const places = last.subarray(0, half)
  return distancePct(again, places, distance(before, places))
}

/** The largest distance of an atom from where the last list saw it, in percent of half the skin. */
const stalenessPct = (last: Float64Array, origins: Float64Array, skin: number): number => {
  let most = 0
  for (let k = 0; k < origins.length; k += 3) {
    const dx = last[k] - origins[k]
    const dy = last[k + 1] - origins[k + 1]
    const dz = last[k + 2] - origins[k + 2]
    most = Math.max(most, sqrt(dx * dx + dy * dy + dz * dz))
  }
  return (200 * most) / skin
}

/** The samples of the evidence, or undefined when it has not the form that the input calls for. */
const framesOf = ({ n, steps, dt }: EvolveInput, evidence: EvolveEvidence): readonly Float64Array[] | undefined => {
  const { frames, forces, origins, before, stepsAfter } = evidence
  const numbers = 6 * n
  const kept = frames.length / numbers
  const whole = Number.isInteger(kept) && kept >= 2 && forces.length === 3 * n && origins.length === 3 * n
  const expected = Math.max(1, Math.min(steps, Math.floor(0.01 / dt)))
  if (!whole || before.length !== numbers || stepsAfter !== expected) return undefined
  return Array.from({ length: kept }, (_, k) => frames.subarray(k * numbers, (k + 1) * numbers))
}

const AGAINST =
  "energy, momentum and forces over all pairs by other code, and the end of the run by Nyström's method; drift on K0"

/**
 * Checks a run. The error is the largest of the drift of the total energy over all samples on the kinetic energy at
 * time 0, the drift of the momentum on Σ|v| and the forces of the last step against all pairs; and the last places may
 * be at most 0.5 % of their way from those of the same stretch integrated again by another method.
 */
export const checkEvolve = (
  input: EvolveInput,
  { output, evidence }: Outcome<EvolveOutput, EvolveEvidence>,
): Reality => {
  const broken: Reality = { against: AGAINST, errorPct: 100, figures: { echo_wrong: 1, dt: input.dt } }
  const frames = framesOf(input, evidence)
  const last = frames?.at(-1)
  if (frames === undefined || last === undefined || !repeats(input, output, last)) return broken
  const stale = stalenessPct(last, evidence.origins, input.skin)
  if (!(stale <= 100)) return broken
  const { n, density, cutoff, dt } = input
  const box = cbrt(n / density)
  const law = lawOf(box, cutoff)
  const meeting = meetingOf(law, n)
  const middle = frames.length >> 1
  const counted = { sure: new Float64Array(BINS), doubtful: new Float64Array(BINS) }
  // Backwards, so that pairs are looked for in the last places: their forces owe nothing to a list of another state.
  const measures: Measures[] = []
  for (let k = frames.length - 1; k >= 0; k--) {
    measures[k] = measure(frames[k] as Float64Array, meeting, k >= middle ? counted : undefined)
  }
  const first = measures[0] as Measures
  const energyOf = ({ kinetic, potential }: Measures): number => kinetic + potential
  const worst = (of: (it: Measures) => number): number =>
    measures.reduce((most, it) => (of(it) <= most ? most : of(it)), 0)
  const driftPct = worst((it) => (100 * Math.abs(energyOf(it) - energyOf(first))) / first.within)
  const momentumPct = worst(({ momentum }) => {
    const off = momentum.map((p, axis) => p - (first.momentum[axis as 0 | 1 | 2] ?? 0))
    return (100 * lengthOf(Float64Array.from(off))) / first.speeds
  })
  const seen = { frames, measures, counted, later: frames.length - middle, box, driftPct }
  if (!follows(input, output, seen)) return broken
  const exact = (measures[frames.length - 1] as Measures).forces
  // An atom without partners has no force: the scale is then that of the kinetic energy over a length of 1.
  const forcePct = distancePct(evidence.forces, exact, Math.max(lengthOf(exact), ECHO * first.speeds))
  const repeatPct = repeatedPct(input, evidence, seen, meeting)
  const astray = repeatPct <= REPEATED_PCT_MAX ? 0 : repeatPct
  const errorsPct = [driftPct, momentumPct, forcePct, astray]
  const leaks = driftPct > ERROR_PCT_MAX
  return {
    against: AGAINST,
    // Where the energy is what fails, what is told as measured is its drift.
    errorPct: errorsPct.some(Number.isNaN) ? Number.NaN : leaks ? driftPct : Math.max(...errorsPct),
    refusal: leaks ? 'ENERGY_NOT_CONSERVED' : 'PRECISION_NOT_MET',
    figures: {
      energy_drift_pct: driftPct,
      momentum_pct: momentumPct,
      forces_pct: forcePct,
      repeated_pct: repeatPct,
      list_age_pct: stale,
      dt,
      t_max: input.steps * dt,
    },
  }
}
