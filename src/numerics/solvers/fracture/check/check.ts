import { ERROR_PCT_MAX, type Outcome, type Reality } from '#numerics/runtime/solver.ts'
import { bondsAtStart, latticeOf, type Schedule, scheduleOf } from '#numerics/solvers/fracture/problem.ts'
import type { FractureInput, FractureOutput } from '#numerics/solvers/fracture/schema.ts'
import { checkBar } from './bar.ts'
import { isCrackOf, recomputeDamage, recomputeLength, recomputePath } from './recompute-crack.ts'
import {
  type ReferencePlate,
  type ReferenceState,
  recomputeKinetic,
  recomputeStrain,
  referencePlate,
} from './recompute-plate.ts'
import { bondEnergies, type ReferenceRun, type ReferenceSample, referenceRun } from './reference.ts'

const AGAINST = 'the whole run by position Verlet over a list of bonds at half the step, and the balance of energy'

/** Relative slack of what differs by rounding alone. */
const ROUNDING = 1e-9

type Errors = Readonly<Record<string, number>>

const samplesOf = (output: FractureOutput) => ({
  strain: output.strainEnergy,
  kinetic: output.kineticEnergy,
  broken: output.brokenEnergy,
  damped: output.dampedEnergy,
  work: output.externalWork,
})

/** Samples of the budget at most, the start not counted. */
const SAMPLES_MAX = 60
/** Relative slack of a count of steps. */
const COUNT_SLACK = 1e-8
/** Share of a step before and behind a sample in which a break may count or not. */
const DOUBT = 0.25
/** Steps of the reference in one of the run. */
const REFINED = 2

/** Whether the steps fill the time that is asked for, and are as long as the check's own stable step allows. */
export const isScheduled = (
  input: FractureInput,
  plate: ReferencePlate,
  schedule: Omit<Schedule, 'stable'>,
): boolean => {
  const { steps, dt, every } = schedule
  const stiffness = plate.directions.reduce((sum, { length }) => sum + (plate.c * plate.volume) / length, 0)
  const longest = input.courant * Math.sqrt((2 * input.rho) / stiffness)
  return (
    Math.abs(steps * dt - input.time) <= ROUNDING * input.time &&
    dt <= longest * (1 + COUNT_SLACK) &&
    (steps === 1 || (steps - 1) * longest < input.time * (1 + COUNT_SLACK)) &&
    every === Math.ceil(steps / SAMPLES_MAX)
  )
}

/** Whether shapes, counts and what repeats the input are right. */
const echoes = (input: FractureInput, output: FractureOutput, { steps, every, dt }: Schedule): boolean => {
  const nodes = input.nx * input.ny
  const { ux, uy, vx, vy, damage, bonds, progress } = output
  const wanted = Math.floor(steps / every) + (steps % every === 0 ? 1 : 2)
  return (
    output.mode === 'plate' &&
    output.steps === steps &&
    output.dt === dt &&
    output.opening === undefined &&
    output.elongation === undefined &&
    output.force === undefined &&
    [ux, uy, vx, vy, damage, bonds].every((it) => it?.length === nodes && Array.from(it).every(Number.isFinite)) &&
    Object.values(samplesOf(output)).every((it) => it.length === wanted && Array.from(it).every(Number.isFinite)) &&
    progress.length === wanted &&
    progress.every((share, k) => share === Math.min(steps, k * every) / steps)
  )
}

const startState = (input: FractureInput, plate: ReferencePlate): ReferenceState => {
  const { nx, ny, dx, grips } = plate
  const n = nx * ny
  const fields = new Float64Array(4 * n)
  for (let node = 0; node < n; node++) {
    const row = Math.floor(node / nx)
    const side = row < grips ? -1 : row >= ny - grips ? 1 : 0
    const { start } = input
    fields[node] = start?.ux[node] ?? 0
    fields[n + node] = start?.uy[node] ?? input.strain * ((row + 0.5) * dx - (ny * dx) / 2)
    fields[2 * n + node] = side === 0 ? (start?.vx[node] ?? 0) : 0
    fields[3 * n + node] = side === 0 ? (start?.vy[node] ?? 0) : side * input.gripSpeed
  }
  const bonds = Int32Array.from(input.start?.bonds ?? bondsAtStart(latticeOf(input), input.crack))
  return { fields, bonds }
}

const endState = ({ ux, uy, vx, vy, bonds }: FractureOutput): ReferenceState => ({
  fields: Float64Array.from([ux, uy, vx, vy].flatMap((it) => Array.from(it ?? []))),
  bonds: Int32Array.from(bonds ?? []),
})

/** How far the grips' nodes are from where they were put and moved to, over the largest place; 1 with another speed. */
const gripsOff = (
  input: FractureInput,
  { nx, ny, grips }: ReferencePlate,
  start: ReferenceState,
  end: ReferenceState,
): number => {
  const n = nx * ny
  let [off, scale] = [0, 0]
  for (let k = 0; k < 2 * grips * nx; k++) {
    const below = k < grips * nx
    const node = below ? k : n - 1 - (k - grips * nx)
    const x = start.fields[node]
    const y = start.fields[n + node] + (below ? -1 : 1) * input.gripSpeed * input.time
    off = Math.max(off, Math.abs(end.fields[node] - x), Math.abs(end.fields[n + node] - y))
    scale = Math.max(scale, Math.abs(x), Math.abs(y))
    for (const at of [2 * n + node, 3 * n + node]) if (end.fields[at] !== start.fields[at]) return 1
  }
  return off === 0 ? 0 : off / scale
}

/** Root of the mean square of a departure over that of what it departs from. */
const apart = (found: Float64Array, wanted: Float64Array): number => {
  let [off, scale] = [0, 0]
  for (let i = 0; i < wanted.length; i++) {
    off += (found[i] - wanted[i]) * (found[i] - wanted[i])
    scale += wanted[i] * wanted[i]
  }
  return off === 0 ? 0 : scale === 0 ? 1 : Math.sqrt(off / scale)
}

/** Energy in joule of the bonds that are broken in one of two states and whole in the other. */
const differing = (plate: ReferencePlate, found: Int32Array, wanted: Int32Array): number => {
  const energies = bondEnergies(plate)
  let sum = 0
  wanted.forEach((bits, node) => {
    const other = bits ^ found[node]
    if (other !== 0) sum += energies.reduce((taken, energy, bit) => taken + ((other >> bit) & 1) * energy, 0)
  })
  return sum
}

/** Numbers of the state at the end and of the budget on the way against the reference's. */
const departures = (
  plate: ReferencePlate,
  { output, end, scale }: { readonly output: FractureOutput; readonly end: ReferenceState; readonly scale: number },
  reference: ReferenceRun,
): Errors => {
  const sent = samplesOf(output)
  const off = (name: keyof typeof sent): number =>
    reference.samples.reduce((most, it, k) => {
      const doubt = name === 'strain' || name === 'broken' ? it.doubtful : 0
      return Math.max(most, Math.abs((sent[name][k] as number) - it[name]) - doubt)
    }, 0)
  const half = end.fields.length / 2
  const part = (from: number): number =>
    apart(end.fields.subarray(from, from + half), reference.end.fields.subarray(from, from + half))
  const taken = (reference.samples.at(-1) as ReferenceSample).broken
  const other = differing(plate, end.bonds, reference.end.bonds)
  return {
    strain: off('strain') / scale,
    kinetic: off('kinetic') / scale,
    broken: off('broken') === 0 ? 0 : off('broken') / taken,
    damped: off('damped') / scale,
    work: off('work') / scale,
    dissipated: other === 0 ? 0 : taken === 0 ? 1 : other / taken,
    displacement: part(0),
    velocity: part(half),
  }
}

/** Numbers that follow from the state that was sent. */
const readings = (input: FractureInput, output: FractureOutput, plate: ReferencePlate, start: Int32Array): boolean => {
  const { dx } = plate
  const damage = recomputeDamage(plate, output.bonds ?? [])
  const path = recomputePath(plate, damage)
  const before = recomputePath(plate, recomputeDamage(plate, start))
  const { fields } = endState(output)
  const n = plate.nx * plate.ny
  let reach = 0
  for (let node = 0; node < n; node++) {
    reach = Math.max(reach, Math.sqrt(fields[node] * fields[node] + fields[n + node] * fields[n + node]))
  }
  return (
    (input.start !== undefined || isCrackOf(plate, start, input.crack)) &&
    (output.damage ?? []).every((it, node) => it === damage[node]) &&
    output.crackPath.length === path.length &&
    output.crackPath.every(([x, y], k) => x === (k + 0.5) * dx && y === ((path[k] as number) + 0.5) * dx) &&
    output.crackTipX === (path.length === 0 ? 0 : (path.length - 0.5) * dx) &&
    Math.abs(output.crackLengthAlongPath - recomputeLength(path) * dx) <= ROUNDING * dx &&
    output.propagated === path.length > before.length &&
    output.spannedDomain === (path.length === plate.nx) &&
    Math.abs(output.maxDeflection - reach) <= ROUNDING * reach &&
    Math.abs(output.criticalStrain - plate.s0) <= ROUNDING * plate.s0
  )
}

/** A plate with its states at the start and at the end. */
interface Ends {
  readonly plate: ReferencePlate
  readonly start: ReferenceState
  readonly end: ReferenceState
}

/** Whether the energies of the first and the last sample are those of the states at the start and at the end. */
const accounts = ({ rho }: FractureInput, output: FractureOutput, { plate, start, end }: Ends): boolean => {
  const last = output.progress.length - 1
  const broken = differing(plate, end.bonds, start.bonds)
  const sums = [start, end].map((it) => [recomputeStrain(plate, it), recomputeKinetic(plate, it, rho)])
  const [[strain = 0, kinetic = 0], [strainAtEnd = 0, kineticAtEnd = 0]] = sums as [number[], number[]]
  const scale = ROUNDING * (strain + kinetic + strainAtEnd + kineticAtEnd)
  const near = (found: number | undefined, wanted: number): boolean => Math.abs((found ?? Number.NaN) - wanted) <= scale
  return (
    near(output.initialEnergy, strain + kinetic) &&
    near(output.strainEnergy[0], strain) &&
    near(output.kineticEnergy[0], kinetic) &&
    near(output.strainEnergy[last], strainAtEnd) &&
    near(output.kineticEnergy[last], kineticAtEnd) &&
    Math.abs(output.dissipated - broken) <= ROUNDING * broken &&
    output.brokenEnergy[last] === output.dissipated &&
    output.brokenEnergy[0] === 0 &&
    output.dampedEnergy[0] === 0 &&
    output.externalWork[0] === 0
  )
}

/** Whether bonds only broke, as many as are said to have. */
const onlyBroke = (start: Int32Array, end: Int32Array, count: number): boolean => {
  let broken = 0
  const subset = start.every((bits, node) => {
    for (let left = bits ^ end[node]; left !== 0; left &= left - 1) broken++
    return (end[node] & ~bits) === 0
  })
  return subset && broken === count
}

/** Largest lack of the balance of energy at a sample, over the scale of energy. */
const imbalance = (output: FractureOutput, scale: number): number => {
  const { strain, kinetic, broken, damped, work } = samplesOf(output)
  return strain.reduce((most, it, k) => {
    const held = it + (kinetic[k] as number) + (broken[k] as number) + (damped[k] as number)
    return Math.max(most, Math.abs(held - (work[k] as number) - output.initialEnergy) / scale)
  }, 0)
}

/** Percent above which an error follows no order, and a step in shares of the stable one that is fine already. */
const ORDERLY_PCT_MAX = 30
const FINE = 0.02

/** Where bonds break otherwise than for the reference, and no step that is asked for helps: a time until which not. */
const wayOutOf = (
  input: FractureInput,
  output: FractureOutput,
  { samples }: ReferenceRun,
  errorPct: number,
): Pick<Reality, 'wayOut'> => {
  if (errorPct <= ORDERLY_PCT_MAX && input.courant > FINE) return {}
  const all = samples.at(-1)?.broken ?? 0
  const parted = samples.findIndex(
    (it, k) => Math.abs((output.brokenEnergy[k] as number) - it.broken) > it.doubtful + ROUNDING * all,
  )
  if (parted <= 1) return {}
  const time = input.time * (output.progress[parted - 1] as number)
  return { wayOut: { suggestion: { time }, says: `Up to ${time} s bonds break alike at half the step.` } }
}

const checkPlate = (input: FractureInput, output: FractureOutput): Reality => {
  const schedule = scheduleOf(input)
  const wrong = (why: string): Reality => ({ against: AGAINST, errorPct: 100, figures: { [why]: 1 } })
  if (!echoes(input, output, schedule)) return wrong('echo_wrong')
  const plate = referencePlate(input)
  if (!isScheduled(input, plate, schedule)) return wrong('schedule_wrong')
  const start = startState(input, plate)
  const end = endState(output)
  if (!onlyBroke(start.bonds, end.bonds, output.brokenBonds)) return wrong('bonds_wrong')
  if (!readings(input, output, plate, start.bonds)) return wrong('readings_wrong')
  if (!accounts(input, output, { plate, start, end })) return wrong('energies_wrong')
  const scale = output.initialEnergy + Math.abs(output.externalWork.at(-1) as number)
  const cheap: Errors = { balance: imbalance(output, scale), grips: gripsOff(input, plate, start, end) }
  // What the balance refuses already needs no run of its own.
  const refused = Object.values(cheap).some((part) => !(100 * part <= ERROR_PCT_MAX))
  const course = {
    dt: schedule.dt / REFINED,
    doubt: DOUBT * schedule.dt,
    stops: output.progress.map((share) => REFINED * Math.round(share * schedule.steps)),
  }
  const reference = refused ? undefined : referenceRun(input, plate, start, course)
  const errors: Errors = {
    ...cheap,
    ...(reference && departures(plate, { output, end, scale }, reference)),
  }
  const all = Object.values(errors)
  const errorPct = all.every(Number.isFinite) ? 100 * Math.max(...all) : Number.NaN
  return {
    against: AGAINST,
    errorPct,
    ...(refused && { refusal: 'ENERGY_NOT_CONSERVED' }),
    figures: {
      ...Object.fromEntries(Object.entries(errors).map(([name, error]) => [`${name}_pct`, 100 * error])),
      dt: schedule.dt,
      stable_dt: schedule.stable,
      scale_J: scale,
    },
    ...(reference && wayOutOf(input, output, reference, errorPct)),
  }
}

/** Checks a plate by a run of its own and its balance of energy, a bar by its closed form. */
export const checkFracture = (input: FractureInput, { output }: Outcome<FractureOutput, null>): Reality =>
  input.mode === 'bar' ? checkBar(input, output) : checkPlate(input, output)
