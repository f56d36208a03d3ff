import { bondsAtStart, scheduleOf } from '#numerics/solvers/fracture/problem.ts'
import type { FractureInput, FractureOutput } from '#numerics/solvers/fracture/schema.ts'
import { type Bar, elasticIncrements } from './bar.ts'
import { damageOf, lengthOf, pathOf } from './path.ts'
import type { Plate } from './plate.ts'

type Numbers = readonly number[]

/** Typed arrays stand for arrays of numbers in an answer. */
const numbers = (values: Float64Array | Int32Array): Numbers => values as unknown as Numbers

const column = <K extends string>(samples: readonly Readonly<Record<K, number>>[], name: K): Numbers =>
  numbers(Float64Array.from(samples, (it) => it[name]))

/** The answer for a plate at its end. */
export const plateReport = (input: FractureInput, plate: Plate): FractureOutput => {
  const { lattice } = plate
  const { state, samples, brokenBonds } = plate.end()
  const { ux, uy, vx, vy, bonds } = state
  const { steps, dt } = scheduleOf(input)
  const damage = damageOf(lattice, bonds)
  const path = pathOf(lattice, damage)
  const before = pathOf(lattice, damageOf(lattice, input.start?.bonds ?? bondsAtStart(lattice, input.crack)))
  const [first, last] = [samples[0], samples.at(-1)]
  return {
    mode: 'plate',
    dissipated: last?.broken ?? 0,
    propagated: path.length > before.length,
    spannedDomain: path.length === lattice.nx,
    criticalStrain: lattice.s0,
    crackTipX: path.at(-1)?.[0] ?? 0,
    crackPath: path as [number, number][],
    crackLengthAlongPath: lengthOf(path, lattice.dx),
    maxDeflection: Math.sqrt(ux.reduce((most, x, i) => Math.max(most, x * x + uy[i] * uy[i]), 0)),
    brokenBonds,
    steps,
    dt,
    initialEnergy: (first?.strain ?? 0) + (first?.kinetic ?? 0),
    progress: column(samples, 'share'),
    strainEnergy: column(samples, 'strain'),
    kineticEnergy: column(samples, 'kinetic'),
    brokenEnergy: column(samples, 'broken'),
    dampedEnergy: column(samples, 'damped'),
    externalWork: column(samples, 'work'),
    ux: numbers(ux),
    uy: numbers(uy),
    vx: numbers(vx),
    vy: numbers(vy),
    damage: numbers(damage),
    bonds: numbers(bonds),
  }
}

/** Share of Gc from which on an exponential law counts as through. */
export const THROUGH = 0.99

/** The answer for a bar at its end. */
export const barReport = (input: FractureInput, { samples, greatest }: Bar): FractureOutput => {
  const { bar, E, Gc } = input
  const last = samples.at(-1)
  const broken = last?.broken ?? 0
  const through = broken >= THROUGH * Gc * bar.area
  const side = Math.sqrt(bar.area)
  const half = bar.length / 2
  const none = numbers(new Float64Array(samples.length))
  return {
    mode: 'bar',
    dissipated: broken,
    propagated: bar.increments > elasticIncrements(input),
    spannedDomain: through,
    criticalStrain: bar.strength / E,
    crackTipX: half,
    crackPath: through
      ? [
          [half, 0],
          [half, side],
        ]
      : [],
    crackLengthAlongPath: through ? side : 0,
    maxDeflection: greatest(),
    brokenBonds: 0,
    steps: bar.increments,
    dt: 0,
    initialEnergy: 0,
    progress: column(samples, 'share'),
    strainEnergy: column(samples, 'strain'),
    kineticEnergy: none,
    brokenEnergy: column(samples, 'broken'),
    dampedEnergy: none,
    externalWork: column(samples, 'work'),
    opening: column(samples, 'opening'),
    elongation: column(samples, 'elongation'),
    force: column(samples, 'force'),
  }
}
