import { expm1 } from '#numerics/math.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import type { FractureInput, FractureOutput } from '#numerics/solvers/fracture/schema.ts'

const AGAINST = 'closed form of an elastic bar with a softening section: strength, elongation, force and energies'

/** Samples kept at most, the start not counted. */
const SAMPLES_MAX = 60

/** Share of Gc from which on the section counts as through. */
const THROUGH = 0.99

interface Closed {
  readonly opening: number
  readonly elongation: number
  readonly force: number
  readonly strain: number
  readonly broken: number
}

/**
 * A bar whose section is open by w = x·Gc/strength: stress σ = strength·(1 − x/2) or strength·e^(−x), what the section
 * took Gc·A·(x − x²/4) or Gc·A·(1 − e^(−x)), elongation σ·L/E + w.
 */
const closedForm = ({ E, Gc, bar }: FractureInput, done: number): Closed => {
  const { strength, area, length, increments, law } = bar
  const elastic = Math.max(1, Math.floor(increments / 4))
  const x = done <= elastic ? 0 : (bar.opening * (done - elastic)) / (increments - elastic)
  const linear = Math.min(x, 2)
  const taken = law === 'linear' ? linear - (linear * linear) / 4 : -expm1(-x)
  const left = law === 'linear' ? 1 - linear / 2 : 1 + expm1(-x)
  const stress = strength * (done <= elastic ? done / elastic : left)
  const opening = (x * Gc) / strength
  return {
    opening,
    elongation: (stress / E) * length + opening,
    force: stress * area,
    strain: ((stress * stress) / (2 * E)) * area * length,
    broken: Gc * area * taken,
  }
}

const zeros = (values: readonly number[]): boolean => values.every((it) => it === 0)

/** Checks a bar's every number. */
export const checkBar = (input: FractureInput, output: FractureOutput): Reality => {
  const { bar, E, Gc } = input
  const wrong: Reality = { against: AGAINST, errorPct: 100, figures: { echo_wrong: 1 } }
  const every = Math.ceil(bar.increments / SAMPLES_MAX)
  const wanted = Math.floor(bar.increments / every) + (bar.increments % every === 0 ? 1 : 2)
  const { opening = [], elongation = [], force = [], strainEnergy, brokenEnergy, externalWork, progress } = output
  const series = [opening, elongation, force, strainEnergy, brokenEnergy, externalWork, progress]
  const { kineticEnergy, dampedEnergy } = output
  const quiet = kineticEnergy.length === wanted && dampedEnergy.length === wanted
  const through = (output.brokenEnergy.at(-1) ?? 0) >= THROUGH * Gc * bar.area
  const side = Math.sqrt(bar.area)
  const path = through ? [bar.length / 2, 0, bar.length / 2, side] : []
  const shaped =
    output.mode === 'bar' &&
    output.steps === bar.increments &&
    output.dt === 0 &&
    output.initialEnergy === 0 &&
    output.brokenBonds === 0 &&
    output.propagated &&
    output.spannedDomain === through &&
    output.crackTipX === bar.length / 2 &&
    output.crackPath.flat().length === path.length &&
    output.crackPath.flat().every((it, k) => it === path[k]) &&
    output.crackLengthAlongPath === (through ? side : 0) &&
    [output.ux, output.uy, output.vx, output.vy, output.damage, output.bonds].every((it) => it === undefined) &&
    quiet &&
    zeros(kineticEnergy) &&
    zeros(dampedEnergy) &&
    series.every((it) => it.length === wanted && Array.from(it).every(Number.isFinite))
  if (!shaped) return wrong
  const exact = Array.from(progress, (_, k) => closedForm(input, Math.min(bar.increments, k * every)))
  const last = exact.at(-1) as Closed
  const peak = closedForm(input, Math.max(1, Math.floor(bar.increments / 4)))
  const off = (found: readonly number[], of: (it: Closed) => number): number => {
    const scale = exact.reduce((most, it) => Math.max(most, Math.abs(of(it))), 0)
    return exact.reduce((most, it, k) => Math.max(most, Math.abs((found[k] as number) - of(it)) / scale), 0)
  }
  const share = (found: number, value: number): number => Math.abs(found - value) / value
  const shares = Array.from(progress, (it, k) => Math.abs(it - Math.min(bar.increments, k * every) / bar.increments))
  const errors = {
    dissipated: share(output.dissipated, last.broken),
    strength: share(output.criticalStrain, bar.strength / E),
    opening: off(opening, (it) => it.opening),
    elongation: off(elongation, (it) => it.elongation),
    force: off(force, (it) => it.force),
    strain: off(strainEnergy, (it) => it.strain),
    broken: off(brokenEnergy, (it) => it.broken),
    work: off(externalWork, (it) => it.strain + it.broken),
    // The greatest elongation is that at the strength or at the end: between them it is convex or falls.
    greatest: share(output.maxDeflection, Math.max(peak.elongation, last.elongation)),
    progress: Math.max(...shares) === 0 ? 0 : 1,
  }
  const all = Object.values(errors)
  return {
    against: AGAINST,
    errorPct: all.every(Number.isFinite) ? 100 * Math.max(...all) : Number.NaN,
    figures: {
      ...Object.fromEntries(Object.entries(errors).map(([name, error]) => [`${name}_pct`, 100 * error])),
      snap_back: bar.length > (2 * E * Gc) / (bar.strength * bar.strength) ? 1 : 0,
    },
  }
}
