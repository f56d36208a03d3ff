import { littleEndianBytes } from '#core/arrays.ts'
import { concat } from '#core/bytes.ts'
import type { Advancing } from '#numerics/runtime/course.ts'
import { type Chain, journalOf, type RunOrigin } from '#numerics/runtime/origin.ts'
import { type Lattice, latticeOf, type PlateState, scheduleOf, startOf } from '#numerics/solvers/fracture/problem.ts'
import type { FractureInput } from '#numerics/solvers/fracture/schema.ts'
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
    readonly brokenBonds: number
  }
}

/** Energies that grew and what was recorded so far. */
interface Ledger {
  readonly samples: Sample[]
  /** Running digest of the samples. */
  readonly chain: Chain
  broken: number
  damped: number
  work: number
}

/** Books the bonds that broke in a step: each takes what it holds at the critical stretch. */
const bookBreaks = (ledger: Ledger, engine: Engine): void => {
  const { c, s0, dx, volume, offsets } = engine.lattice
  for (const offset of engine.takeBroken()) {
    const { p, q } = offsets[offset] as Lattice['offsets'][number]
    ledger.broken += (c * s0 * s0 * dx * Math.sqrt(p * p + q * q) * volume * volume) / 2
  }
}

/** Books what drag took and the grips gave in a step. */
const bookFlows = (ledger: Ledger, engine: Engine, input: FractureInput, dt: number): void => {
  const { rho, damping, gripSpeed } = input
  const { volume } = engine.lattice
  if (damping !== 0) ledger.damped += damping * rho * volume * (dt / 2) * engine.drag()
  if (gripSpeed === 0) return
  const [before, after] = engine.pulls()
  // The bonds pull the grips back: a grip that moves outwards does work against their sum.
  ledger.work -= ((before + after) / 2) * volume * gripSpeed * dt
}

/** A sample as it was kept: its members in their order. */
const sampleOf = (numbers: Float64Array): Sample => {
  const [share, strain, kinetic, broken, damped, work] = numbers as unknown as readonly number[] as readonly [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return { share, strain, kinetic, broken, damped, work }
}

/** A plate at its start or where a run stopped. */
export const createPlate = (input: FractureInput, origin: RunOrigin = {}): Plate => {
  const lattice = latticeOf(input)
  const schedule = scheduleOf(input)
  const { dt, every, steps } = schedule
  const { c, volume } = lattice
  const journal = journalOf(origin)
  const { held } = journal
  const engine = createEngine(input, { lattice, dt, start: startOf(input, lattice), held })
  const [broken0, damped0, work0] = (held?.doubles(3) ?? [0, 0, 0]) as readonly number[] as [number, number, number]
  const ledger: Ledger = { samples: [], chain: journal.chain(1), broken: broken0, damped: damped0, work: work0 }
  const keep = (it: Sample): void => {
    ledger.samples.push(it)
    ledger.chain.link(Float64Array.from(Object.values(it)))
  }
  const isKept = (done: number): boolean => done % every === 0 || done === steps
  const sample = (done: number): void => {
    const strain = (c * volume * volume * engine.strain()) / 2
    const kinetic = (input.rho * volume * engine.motion()) / 2
    const { broken, damped, work } = ledger
    keep({ share: done / steps, strain, kinetic, broken, damped, work })
  }
  if (held === undefined) sample(0)
  else
    journal.taken((tape) => {
      for (let done = 0; done <= journal.step; done++) if (isKept(done)) keep(sampleOf(tape.doubles(6)))
    })
  return {
    lattice,
    advance: (from, to, each) => {
      for (let done = from + 1; done <= to; done++) {
        engine.step()
        bookBreaks(ledger, engine)
        bookFlows(ledger, engine, input, dt)
        if (isKept(done)) sample(done)
        each(done)
      }
    },
    bytes: () => {
      const sums = littleEndianBytes(Float64Array.of(ledger.broken, ledger.damped, ledger.work))
      return concat(engine.moving(), littleEndianBytes(engine.bonds), sums, ledger.chain.digest())
    },
    end: () => {
      const nodes = lattice.nx * lattice.ny
      const all = engine.all()
      const [ux, uy, vx, vy] = [0, 1, 2, 3].map((block) => all.slice(block * nodes, (block + 1) * nodes))
      return {
        state: { ux, uy, vx, vy, bonds: engine.bonds } as PlateState,
        samples: ledger.samples,
        brokenBonds: engine.brokenBonds(),
      }
    },
  }
}
