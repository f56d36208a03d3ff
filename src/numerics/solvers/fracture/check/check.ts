import { ERROR_PCT_MAX, type Outcome, type Reality } from '#numerics/runtime/solver.ts'
import { bondsAtStart, latticeOf, type Schedule, scheduleOf } from '#numerics/solvers/fracture/problem.ts'
import type { FractureInput, FractureOutput } from '#numerics/solvers/fracture/schema.ts'
import { BREAK_NUMBERS, type PlateEvidence } from '#numerics/solvers/fracture/schema.ts'
import { checkBar } from './bar.ts'
import { isCrackOf, recomputeDamage, recomputeLength, recomputePath } from './recompute-crack.ts'
import {
  type ReferencePlate,
  type ReferenceState,
  recomputeForces,
  recomputeKinetic,
  recomputeSteps,
  recomputeStrain,
  referencePlate,
} from './recompute-plate.ts'

const AGAINST = 'balance of energy at every sample, recomputed bond by bond, and the last steps taken anew'

/** Relative slack of what differs by rounding alone. */
const ROUNDING = 1e-9

type Errors = Readonly<Record<string, number>>

const arraysOf = ({ ux, uy, vx, vy, damage, bonds }: FractureOutput) => ({ ux, uy, vx, vy, damage, bonds })

const samplesOf = (output: FractureOutput): readonly (readonly number[])[] => [
  output.progress,
  output.strainEnergy,
  output.kineticEnergy,
  output.brokenEnergy,
  output.dampedEnergy,
  output.externalWork,
]

/** Samples of the budget at most, the start not counted, and steps at the end that are taken anew. */
const SAMPLES_MAX = 60
const LATE_STEPS = 4
/** Relative slack of a count of steps. */
const COUNT_SLACK = 1e-8

/** Whether the steps fill the time that is asked for, and are as long as the check's own stable step allows. */
export const isScheduled = (
  input: FractureInput,
  plate: ReferencePlate,
  schedule: Omit<Schedule, 'stable'>,
): boolean => {
  const { steps, dt, every, late } = schedule
  const stiffness = plate.directions.reduce((sum, { length }) => sum + (plate.c * plate.volume) / length, 0)
  const longest = input.courant * Math.sqrt((2 * input.rho) / stiffness)
  return (
    Math.abs(steps * dt - input.time) <= ROUNDING * input.time &&
    dt <= longest * (1 + COUNT_SLACK) &&
    (steps === 1 || (steps - 1) * longest < input.time * (1 + COUNT_SLACK)) &&
    every === Math.ceil(steps / SAMPLES_MAX) &&
    late === Math.max(0, steps - LATE_STEPS)
  )
}

/** Whether shapes, counts and what repeats the input are right. */
const echoes = (input: FractureInput, output: FractureOutput, evidence: PlateEvidence, schedule: Schedule): boolean => {
  const nodes = input.nx * input.ny
  const { steps, every, dt } = schedule
  const wanted = Math.floor(steps / every) + (steps % every === 0 ? 1 : 2)
  const stepAt = (k: number): number => Math.min(steps, k * every)
  return (
    output.mode === 'plate' &&
    output.steps === steps &&
    output.dt === dt &&
    output.opening === undefined &&
    output.elongation === undefined &&
    output.force === undefined &&
    Object.values(arraysOf(output)).every((it) => it?.length === nodes && Array.from(it).every(Number.isFinite)) &&
    samplesOf(output).every((it) => it.length === wanted && Array.from(it).every(Number.isFinite)) &&
    output.progress.every((share, k) => share === stepAt(k) / steps) &&
    evidence.breaks.length === BREAK_NUMBERS * output.brokenBonds &&
    evidence.late.length === 4 * nodes &&
    evidence.lateBonds.length === nodes
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

/** How far the grips' nodes are from where they were put and moved to, over the largest place among them. */
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
  }
  return off === 0 ? 0 : off / scale
}

/** What the list of broken bonds adds up to, or undefined when it cannot be true. */
interface Breaks {
  /** Energy by the end of each step that has a sample. */
  readonly energyBy: (step: number) => number
  readonly lateBonds: Int32Array
  readonly endBonds: Int32Array
}

const breaksOf = (
  plate: ReferencePlate,
  { breaks }: PlateEvidence,
  { start, schedule }: { readonly start: Int32Array; readonly schedule: Schedule },
): Breaks | undefined => {
  const { c, s0, volume, directions } = plate
  const lengths = new Map(directions.map(({ bit, length }) => [bit, length]))
  const bonds = start.slice()
  const lateBonds = start.slice()
  let previous = 0
  const [steps, sums]: [number[], number[]] = [[0], [0]]
  for (let at = 0; at < breaks.length; at += BREAK_NUMBERS) {
    const [node, bit, step, stretch, before] = breaks.subarray(at, at + BREAK_NUMBERS) as unknown as number[] as [
      number,
      number,
      number,
      number,
      number,
    ]
    const length = lengths.get(bit)
    if (length === undefined || !Number.isInteger(node) || node < 0 || node >= bonds.length) return undefined
    if (((bonds[node] >> bit) & 1) === 0 || !Number.isInteger(step)) return undefined
    if (step < Math.max(1, previous) || step > schedule.steps) return undefined
    // The list is in the order of the steps, and each bond crossed the critical stretch in its step.
    if (!(stretch > s0 * (1 - ROUNDING)) || !(before <= s0 * (1 + ROUNDING))) return undefined
    bonds[node] &= ~(1 << bit)
    if (step <= schedule.late) lateBonds[node] &= ~(1 << bit)
    previous = step
    steps.push(step)
    sums.push((sums.at(-1) ?? 0) + 0.5 * c * stretch * stretch * length * volume * volume)
  }
  const energyBy = (step: number): number => {
    let [low, high] = [0, steps.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((steps[middle] as number) <= step) low = middle
      else high = middle - 1
    }
    return sums[low] as number
  }
  return { energyBy, lateBonds, endBonds: bonds }
}

const largest = (values: Float64Array): number => values.reduce((most, it) => Math.max(most, Math.abs(it)), 0)

/** Worst departure of a block of numbers, over the largest of them. */
const apart = (found: Float64Array, wanted: Float64Array): number => {
  let most = 0
  for (let i = 0; i < wanted.length; i++) most = Math.max(most, Math.abs(found[i] - wanted[i]))
  const scale = largest(wanted)
  return most === 0 ? 0 : scale === 0 ? 1 : most / scale
}

/** The last steps once more from the state kept before them: displacements, velocities and bonds of every node. */
const lastSteps = (
  input: FractureInput,
  plate: ReferencePlate,
  output: FractureOutput,
  evidence: PlateEvidence,
): Errors => {
  const { steps, late, dt } = scheduleOf(input)
  const again = { fields: evidence.late.slice(), bonds: evidence.lateBonds.slice() }
  recomputeSteps(plate, again, { input, dt, steps: steps - late })
  const sent = endState(output)
  const n = plate.nx * plate.ny
  const part = (block: number): number =>
    apart(sent.fields.subarray(block * n, (block + 1) * n), again.fields.subarray(block * n, (block + 1) * n))
  const bonds = again.bonds.every((bits, node) => bits === sent.bonds[node]) ? 0 : 1
  return { ux: part(0), uy: part(1), vx: part(2), vy: part(3), bonds }
}

/** Damping and work as the record of every step says them, at each sample, over the scale of energy. */
const ledgers = (
  input: FractureInput,
  output: FractureOutput,
  { kinetic, pulls }: PlateEvidence,
  { schedule, scale, firstPull }: { readonly schedule: Schedule; readonly scale: number; readonly firstPull: number },
): Errors => {
  const { steps, dt } = schedule
  if (kinetic.length !== (input.damping === 0 ? 0 : steps + 1)) return { ledger: 1 }
  if (pulls.length !== (input.gripSpeed === 0 ? 0 : 2 * steps)) return { ledger: 1 }
  const damped = new Float64Array(steps + 1)
  const work = new Float64Array(steps + 1)
  for (let step = 1; step <= steps; step++) {
    const drag = input.damping === 0 ? 0 : input.damping * dt * (kinetic[step - 1] + kinetic[step])
    damped[step] = damped[step - 1] + drag
    const pull = input.gripSpeed === 0 ? 0 : (pulls[2 * step - 2] + pulls[2 * step - 1]) / 2
    work[step] = work[step - 1] - pull * input.gripSpeed * dt
  }
  let [drag, pull, motion] = [0, 0, 0]
  output.progress.forEach((share, k) => {
    const step = Math.floor(share * steps + 0.5)
    drag = Math.max(drag, Math.abs((output.dampedEnergy[k] as number) - damped[step]))
    pull = Math.max(pull, Math.abs((output.externalWork[k] as number) - work[step]))
    if (input.damping !== 0) motion = Math.max(motion, Math.abs((output.kineticEnergy[k] as number) - kinetic[step]))
  })
  const grip = input.gripSpeed === 0 ? 0 : Math.abs(pulls[0] - firstPull) / (largest(pulls) || 1)
  return { drag: drag / scale, pull: pull / scale, motion: motion / scale, grip }
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

const checkPlate = (input: FractureInput, output: FractureOutput, evidence: PlateEvidence): Reality => {
  const schedule = scheduleOf(input)
  const wrong = (why: string): Reality => ({ against: AGAINST, errorPct: 100, figures: { [why]: 1 } })
  if (!echoes(input, output, evidence, schedule)) return wrong('echo_wrong')
  const plate = referencePlate(input)
  if (!isScheduled(input, plate, schedule)) return wrong('schedule_wrong')
  const start = startState(input, plate)
  const breaks = breaksOf(plate, evidence, { start: start.bonds, schedule })
  if (breaks === undefined) return wrong('breaks_wrong')
  if (!breaks.endBonds.every((bits, node) => bits === output.bonds?.[node])) return wrong('bonds_wrong')
  if (!breaks.lateBonds.every((bits, node) => bits === evidence.lateBonds[node])) return wrong('bonds_wrong')
  if (!readings(input, output, plate, start.bonds)) return wrong('readings_wrong')
  const energy = recomputeStrain(plate, start) + recomputeKinetic(plate, start, input.rho)
  const forces = recomputeForces(plate, start)
  const [n, held] = [plate.nx * plate.ny, plate.grips * plate.nx]
  let firstPull = 0
  for (let k = 0; k < held; k++) firstPull += (forces[2 * n - 1 - k] - forces[n + k]) * plate.volume
  const end = endState(output)
  const last = output.progress.length - 1
  const scale = energy + Math.abs(output.externalWork[last] as number)
  const off = (found: number, wanted: number): number => Math.abs(found - wanted) / scale
  let [balance, broken] = [0, 0]
  output.progress.forEach((share, k) => {
    const spent =
      (output.strainEnergy[k] as number) +
      (output.kineticEnergy[k] as number) +
      (output.brokenEnergy[k] as number) +
      (output.dampedEnergy[k] as number)
    balance = Math.max(balance, off(spent, energy + (output.externalWork[k] as number)))
    broken = Math.max(
      broken,
      off(output.brokenEnergy[k] as number, breaks.energyBy(Math.floor(share * schedule.steps + 0.5))),
    )
  })
  const ledger: Errors = {
    balance,
    broken,
    start: off(output.initialEnergy, energy),
    strain: off(output.strainEnergy[last] as number, recomputeStrain(plate, end)),
    kinetic: off(output.kineticEnergy[last] as number, recomputeKinetic(plate, end, input.rho)),
    grips: gripsOff(input, plate, start, end),
    dissipated: Math.abs(output.dissipated - (output.brokenEnergy[last] as number)) / (output.dissipated || 1),
    ...ledgers(input, output, evidence, { schedule, scale, firstPull }),
  }
  // What the balance refuses already needs no steps to be taken anew.
  const refused = Object.values(ledger).some((part) => !(100 * part <= ERROR_PCT_MAX))
  const errors: Errors = { ...ledger, ...(!refused && lastSteps(input, plate, output, evidence)) }
  const all = Object.values(errors)
  return {
    against: AGAINST,
    errorPct: all.every(Number.isFinite) ? 100 * Math.max(...all) : Number.NaN,
    refusal: 'ENERGY_NOT_CONSERVED',
    figures: {
      ...Object.fromEntries(Object.entries(errors).map(([name, error]) => [`${name}_pct`, 100 * error])),
      dt: schedule.dt,
      stable_dt: schedule.stable,
      scale_J: scale,
    },
  }
}

/** Checks a plate by its balance of energy and its last steps, a bar by its closed form. */
export const checkFracture = (
  input: FractureInput,
  { output, evidence }: Outcome<FractureOutput, PlateEvidence | null>,
): Reality => {
  if (input.mode === 'bar') return checkBar(input, output)
  if (evidence === null) return { against: AGAINST, errorPct: 100, figures: { evidence_missing: 1 } }
  return checkPlate(input, output, evidence)
}
