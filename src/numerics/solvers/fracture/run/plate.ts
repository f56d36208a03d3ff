import { littleEndianBytes } from '#core/arrays.ts'
import { concat } from '#core/bytes.ts'
import { sha256 } from '#crypto'
import type { Advancing } from '#numerics/runtime/course.ts'
import { type Lattice, latticeOf, type PlateState, scheduleOf, startOf } from '#numerics/solvers/fracture/problem.ts'
import type { FractureInput, PlateEvidence } from '#numerics/solvers/fracture/schema.ts'
import { createEngine, type Engine } from './engine.ts'

/** The budget of energy at one sample, in joule. */
export interface Sample {
  readonly share: number
  readonly strain: number
  readonly kinetic: number
  readonly broken: number
  readonly damped: number
  readonly work: number
}

/** A plate on its way. */
export interface Plate extends Advancing {
  readonly lattice: Lattice
  /** Everything that the next step and the end depend on. */
  readonly bytes: () => Uint8Array
  readonly end: () => {
    readonly state: PlateState
    readonly samples: readonly Sample[]
    readonly evidence: PlateEvidence
  }
}

/** Energies that grew and what was recorded so far. */
interface Ledger {
  readonly breaks: number[]
  readonly kinetic: number[]
  readonly pulls: number[]
  readonly samples: Sample[]
  /** Running digest of all of it. */
  digest: Uint8Array
  /** Bonds that broke in the last step: they are in its forces still. */
  torn: Uint8Array
  broken: number
  damped: number
  work: number
}

/** Books the bonds that broke in a step. */
const bookBreaks = (ledger: Ledger, engine: Engine, { c, dx, volume, offsets }: Lattice, done: number): void => {
  const fresh: number[] = []
  for (const { node, offset, stretch, before } of engine.takeBroken()) {
    const { p, q } = offsets[offset] as Lattice['offsets'][number]
    const length = dx * Math.sqrt(p * p + q * q)
    ledger.broken += (c * stretch * stretch * length * volume * volume) / 2
    fresh.push(node, offset, done, stretch, before)
  }
  ledger.torn = littleEndianBytes(Float64Array.from(fresh))
  if (fresh.length === 0) return
  ledger.breaks.push(...fresh)
  ledger.digest = sha256(concat(ledger.digest, ledger.torn))
}

/** Books what drag took and the grips gave in a step. */
const bookFlows = (ledger: Ledger, engine: Engine, input: FractureInput, dt: number): void => {
  const { damping, rho, gripSpeed } = input
  const { volume } = engine.lattice
  const fresh: number[] = []
  if (damping !== 0) {
    ledger.damped += damping * rho * volume * (dt / 2) * engine.drag()
    const kinetic = (rho * volume * engine.motion()) / 2
    ledger.kinetic.push(kinetic)
    fresh.push(kinetic)
  }
  if (gripSpeed !== 0) {
    const [before, after] = engine.pulls()
    ledger.pulls.push(before * volume, after * volume)
    // The bonds pull the grips back: a grip that moves outwards does work against their sum.
    ledger.work -= ((before + after) / 2) * volume * gripSpeed * dt
    fresh.push(before, after)
  }
  if (fresh.length > 0) ledger.digest = sha256(concat(ledger.digest, littleEndianBytes(Float64Array.from(fresh))))
}

const openLedger = (): Ledger => ({
  breaks: [],
  kinetic: [],
  pulls: [],
  samples: [],
  digest: new Uint8Array(0),
  torn: new Uint8Array(0),
  broken: 0,
  damped: 0,
  work: 0,
})

/** A plate at its start. */
export const createPlate = (input: FractureInput): Plate => {
  const lattice = latticeOf(input)
  const schedule = scheduleOf(input)
  const { dt, every, late, steps } = schedule
  const { c, volume } = lattice
  const engine = createEngine(input, { lattice, dt, start: startOf(input, lattice) })
  const ledger = openLedger()
  const sample = (done: number): void => {
    const strain = (c * volume * volume * engine.strain()) / 2
    const kinetic = (input.rho * volume * engine.motion()) / 2
    const { broken, damped, work } = ledger
    const it = { share: done / steps, strain, kinetic, broken, damped, work }
    ledger.samples.push(it)
    ledger.digest = sha256(concat(ledger.digest, littleEndianBytes(Float64Array.from(Object.values(it)))))
  }
  let kept: Pick<PlateEvidence, 'late' | 'lateBonds'> = { late: new Float64Array(0), lateBonds: new Int32Array(0) }
  const keepLate = (): void => {
    kept = { late: engine.all(), lateBonds: engine.bonds.slice() }
    ledger.digest = sha256(concat(ledger.digest, littleEndianBytes(kept.late), littleEndianBytes(kept.lateBonds)))
  }
  if (input.damping !== 0) ledger.kinetic.push((input.rho * volume * engine.motion()) / 2)
  sample(0)
  if (late === 0) keepLate()
  return {
    lattice,
    advance: (from, to, each) => {
      for (let done = from + 1; done <= to; done++) {
        engine.step()
        bookBreaks(ledger, engine, lattice, done)
        bookFlows(ledger, engine, input, dt)
        if (done % every === 0 || done === steps) sample(done)
        if (done === late) keepLate()
        each(done)
      }
    },
    bytes: () => concat(engine.moving(), littleEndianBytes(engine.bonds), ledger.torn, ledger.digest),
    end: () => {
      const nodes = lattice.nx * lattice.ny
      const all = engine.all()
      const [ux, uy, vx, vy] = [0, 1, 2, 3].map((block) => all.slice(block * nodes, (block + 1) * nodes))
      const { breaks, kinetic, pulls, samples } = ledger
      const numbers = { breaks, kinetic, pulls }
      const [list, motion, pull] = Object.values(numbers).map((it) => Float64Array.from(it))
      return {
        state: { ux, uy, vx, vy, bonds: engine.bonds } as PlateState,
        samples,
        evidence: { breaks: list, ...kept, kinetic: motion, pulls: pull } as PlateEvidence,
      }
    },
  }
}
