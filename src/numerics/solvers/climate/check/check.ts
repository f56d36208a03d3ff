import { hypot, PI, sqrt } from '#numerics/math.ts'
import { distanceOf, localErrorOf } from '#numerics/methods/fields.ts'
import { keptSteps } from '#numerics/runtime/segments.ts'
import { ERROR_PCT_MAX, type Outcome, type Reality } from '#numerics/runtime/solver.ts'
import { damBreakOf, damRow } from '#numerics/solvers/climate/dam.ts'
import {
  bottomOf,
  echoesOf,
  isDry,
  rateOf,
  scheduleOf,
  spreadOf,
  startOf,
  type Water,
} from '#numerics/solvers/climate/problem.ts'
import type { ClimateInput, ClimateOutput } from '#numerics/solvers/climate/schema.ts'
import { type ClimateEvidence, NX_MAX, SEGMENT_STEPS } from '#numerics/solvers/climate/schema.ts'
import { isStartOf } from './recompute-problem.ts'
import { recomputeReadings } from './recompute-readings.ts'
import { recomputeCentres, referenceFlow } from './reference.ts'

/** What numbers read off the water by other sums may differ by. */
const ROUNDING = 1e-9
/** Speed of water that should be at rest, as a part of sqrt(gH), that counts as the whole bound of the gate. */
const STILL_MAX = 1e-10
/** Cells beside a bore and the ends of a rarefaction that are checked by the volume that passed them alone. */
const SHOCK_CELLS = 48
/** Cells of a row that carry a dam break over a dry bed, once its waves have spread. */
const DRY_CELLS = 6_000

type Finished = Outcome<ClimateOutput, ClimateEvidence>

/** What a mode found: its error in percent, and figures. */
interface Finding {
  readonly against: string
  readonly errorPct: number
  readonly figures: Readonly<Record<string, number>>
  readonly wayOut?: NonNullable<Reality['wayOut']>
}

const square = (x: number): number => x * x

const waterOf = ({ depth, fluxX, fluxY }: ClimateOutput): Water => ({
  h: Float64Array.from(depth),
  p: Float64Array.from(fluxX),
  q: Float64Array.from(fluxY),
})

/** Errors of water against other water: the surface on the scale of its anomaly, both fluxes on theirs together. */
const apart = (found: Water, due: Water, { level, nx }: { readonly level: Float64Array; readonly nx: number }) => {
  const anomaly = distanceOf(due.h, level)
  const h = distanceOf(found.h, due.h)
  const [p, q] = [distanceOf(found.p, due.p), distanceOf(found.q, due.q)]
  const flux = sqrt(p.norm * p.norm + q.norm * q.norm)
  const fluxMost = Math.max(p.largest, q.largest)
  const grid = { columns: nx, beyond: 'ring' } as const
  const part = (error: number, scale: number): number => (error === 0 ? 0 : error / scale)
  return {
    surface: part(h.error, anomaly.error),
    flux: part(sqrt(p.error * p.error + q.error * q.error), flux),
    local: Math.max(
      part(localErrorOf(found.h, due.h, grid), anomaly.errorMost),
      part(localErrorOf(found.p, due.p, grid), fluxMost),
      part(localErrorOf(found.q, due.q, grid), fluxMost),
    ),
  }
}

const readingsOf = (input: ClimateInput, water: Water) => {
  const means = { ...water, bottom: bottomOf(input) }
  // Behind a bore no series holds: a dam break is read off the means.
  const { h, p, q, bottom } = input.mode === 'dam-break' ? means : recomputeCentres(input, means)
  return recomputeReadings({ h, p, q }, { bottom, gravity: input.gravity })
}

/** Depth of level water over the bottom, with the volume of some other. */
const levelOf = (input: ClimateInput, water: Water): Float64Array => {
  const bottom = bottomOf(input)
  const mean = water.h.reduce((sum, it, i) => sum + it + bottom[i], 0) / bottom.length
  return bottom.map((b) => mean - b)
}

const checkJet = (input: ClimateInput, water: Water, anomaly: number): Finding => {
  const due = startOf(input)
  const { surface, flux, local } = apart(water, due, { level: levelOf(input, due), nx: input.nx })
  // h − H = f·ψ/g, ψ = A·cos θ with A·|k| the speed: its root mean square is a √2th of its crest.
  const wave = hypot((2 * PI * input.m) / input.lx, (2 * PI * input.n) / input.ly)
  const crest = Math.abs((input.coriolis * input.speed) / (wave * input.gravity))
  const value = Math.abs((sqrt(2) * anomaly) / crest - 1)
  return {
    against: 'the jet itself, an exact steady solution of the full equations',
    errorPct: 100 * Math.max(surface, flux, local, value),
    figures: { value_pct: 100 * value, surface_pct: 100 * surface, flux_pct: 100 * flux, local_pct: 100 * local },
  }
}

const checkRest = (input: ClimateInput, water: Water): Finding => {
  const due = startOf(input)
  const speed = readingsOf(input, water).maxSpeed / (STILL_MAX * sqrt(input.gravity * input.depth))
  const off = distanceOf(water.h, due.h).errorMost / (STILL_MAX * input.depth)
  return {
    against: 'water that stays at rest over its bottom',
    errorPct: ERROR_PCT_MAX * Math.max(speed, off),
    figures: { speed_of_bound: speed, surface_of_bound: off },
  }
}

/** How far numbers read off the water are from those of other water; depths on the scale of their anomaly. */
const readPct = (input: ClimateInput, output: ClimateOutput, due: Water): number => {
  const wanted = readingsOf(input, due)
  const off = (['anomaly', 'energy', 'maxSpeed', 'minDepth', 'maxDepth'] as const).map((name) => {
    const scale = name === 'minDepth' || name === 'maxDepth' ? wanted.maxDepth - wanted.minDepth : wanted[name]
    const found = output[name] ?? Number.NaN
    return found === wanted[name] ? 0 : Math.abs(found - wanted[name]) / scale
  })
  return 100 * Math.max(...off)
}

/** The whole way integrated anew, looked at where states were kept and at the end; and the energy. */
const checkGeneral = (input: ClimateInput, { output, evidence }: Finished, water: Water): Finding => {
  const start = startOf(input)
  const { dt, steps } = scheduleOf(input, start)
  const kept = keptSteps(steps, SEGMENT_STEPS)
  const size = input.nx * input.ny
  const stateAt = (step: number): Water => {
    if (step === steps) return water
    const at = 3 * size * kept.indexOf(step)
    const part = (i: number): Float64Array => evidence.states.subarray(at + i * size, at + (i + 1) * size)
    return { h: part(0), p: part(1), q: part(2) }
  }
  // Surface and flux trade energy: both errors are on the scale of all of it, as a surface and as a flux.
  const { energy, meanDepth } = output
  const root = sqrt(size)
  const swing = root * sqrt((2 * energy) / input.gravity)
  const push = root * sqrt(2 * energy * meanDepth)
  const again = referenceFlow(input)
  let [due, from, course] = [start, 0, 0]
  for (const to of [...kept, steps]) {
    due = again(due, { steps: to - from, dt })
    from = to
    const found = stateAt(to)
    const flux = sqrt(square(distanceOf(found.p, due.p).error) + square(distanceOf(found.q, due.q).error))
    const error = Math.max(distanceOf(found.h, due.h).error / swing, flux / push)
    course = error <= course ? course : error
  }
  const { local } = apart(water, due, { level: levelOf(input, start), nx: input.nx })
  const drift = Math.abs(energy / readingsOf(input, start).energy - 1) / 2
  const [coursePct, localPct, energyPct, read] = [100 * course, 100 * local, 100 * drift, readPct(input, output, due)]
  return {
    against: 'the whole run integrated anew in the advective form, and the energy of the whole',
    errorPct: Math.max(coursePct, localPct, energyPct, read),
    figures: { course_pct: coursePct, readings_pct: read, local_pct: localPct, energy_half_pct: energyPct },
  }
}

/** What makes waves over a dry bed wide enough in cells: their error follows no order that a refusal could go by. */
const wideEnough = (input: ClimateInput, time: number): NonNullable<Reality['wayOut']> => {
  const spread = spreadOf(input)
  const nx = Math.ceil(DRY_CELLS * Math.max(1, spread / time))
  const suggestion = nx <= NX_MAX ? { nx, ny: 4 } : { nx: NX_MAX, ny: 4, t_max: spread }
  const words = Object.entries(suggestion).map(([name, value]) => `${name} ${value}`)
  return { suggestion, says: `Over a dry bed ${words.join(', ')} would pass.` }
}

/** Row by row against the similarity solution away from its kinks, and the volume that passed every place. */
const checkDam = (input: ClimateInput, water: Water, time: number): Finding => {
  const { nx, ny, lx, depth, ahead } = input
  const due = damRow(input, time)
  const begin = startOf(input).h.subarray(0, nx)
  const { bore, head, tail } = damBreakOf(input)
  const dx = lx / nx
  const kinks = [bore, head, tail].flatMap((speed) => [lx * 0.75 + speed * time, lx * 0.25 - speed * time])
  const smooth = Array.from({ length: nx }, (_, column) =>
    kinks.every((x) => Math.abs((column + 0.5) * dx - x) > SHOCK_CELLS * dx),
  )
  let [off, changed, offFlux, flux, volume, passed] = [0, 0, 0, 0, 0, 0]
  let still = 0
  for (let row = 0; row < ny; row++) {
    let [found, exact] = [0, 0]
    for (let column = 0; column < nx; column++) {
      const at = row * nx + column
      still = Math.max(still, Math.abs(water.q[at]))
      found += water.h[at] - begin[column]
      exact += due.h[column] - begin[column]
      volume = Math.max(volume, Math.abs(found - exact))
      passed = Math.max(passed, Math.abs(exact))
      if (!smooth[column]) continue
      off += square(water.h[at] - due.h[column])
      changed += square(due.h[column] - begin[column])
      offFlux += square(water.p[at] - due.p[column])
      flux += square(due.p[column])
    }
  }
  const range = depth * (1 - ahead)
  const wanted = readingsOf({ ...input, ny: 1 }, { h: due.h, p: due.p, q: new Float64Array(nx) })
  const found = readingsOf(input, water)
  const sealed = Math.abs(found.anomaly / wanted.anomaly - 1)
  const spent = Math.abs(found.energy / wanted.energy - 1)
  const outside = water.h.reduce((most, h) => Math.max(most, h - depth, depth * ahead - h), 0) / range
  const errors = [
    sqrt(off / changed),
    sqrt(offFlux / flux),
    volume / passed,
    outside,
    sealed,
    spent,
    still / (depth * sqrt(input.gravity * depth)),
  ]
  const [surface = 0, moved = 0, shifted = 0] = errors
  const errorPct = 100 * Math.max(...errors)
  // On a grid too coarse for a cell away from the kinks, the volume still tells how far off the run is at least.
  const least = 100 * Math.max(shifted, outside)
  return {
    against: `${ahead === 0 ? 'Ritter' : 'Stoker'}'s similarity solution, and the volume that has passed every place`,
    errorPct: Number.isNaN(errorPct) && least > ERROR_PCT_MAX ? least : errorPct,
    figures: {
      surface_pct: 100 * surface,
      flux_pct: 100 * moved,
      volume_pct: 100 * shifted,
      energy_pct: 100 * spent,
      outside_pct: 100 * outside,
      judged_by_volume_alone: smooth.filter((it) => !it).length,
    },
    ...(isDry(input) && { wayOut: wideEnough(input, time) }),
  }
}

/** Numbers of the answer against what the check reads off the same water, in percent. */
const readingsPct = (input: ClimateInput, output: ClimateOutput, water: Water): number => {
  const due = readingsOf(input, water)
  // What is all but level has rounding of the depth in its anomaly, and the square of that in its energy.
  const least: Readonly<Record<string, number>> = {
    anomaly: 1e-6 * due.meanDepth,
    energy: 1e-18 * input.gravity * due.meanDepth * due.meanDepth,
  }
  // The speed of a dam break is withheld, and nothing else.
  if ((output.maxSpeed === null) !== (input.mode === 'dam-break')) return 100
  const off = Object.entries(due).map(([name, value]) => {
    const found = output[name as keyof typeof due] ?? value
    return value === 0 && found === 0 ? 0 : Math.abs(found - value) / Math.max(Math.abs(value), least[name] ?? 0)
  })
  return 100 * off.reduce((most, it) => Math.max(most, it <= ROUNDING ? 0 : it), 0)
}

/** Checks the water by its mode, and every number that is read off it. */
export const checkClimate = (input: ClimateInput, outcome: Finished): Reality => {
  const { output, evidence } = outcome
  const start = startOf(input)
  const schedule = scheduleOf(input, start)
  const size = input.nx * input.ny
  const general = input.mode === 'general'
  const echoed =
    isStartOf(input, start, bottomOf(input)) &&
    Object.entries(echoesOf(input, schedule)).every(([name, value]) => output[name as keyof ClimateOutput] === value) &&
    [output.depth, output.fluxX, output.fluxY].every(({ length }) => length === size) &&
    evidence.states.length === (general ? 3 * size * keptSteps(schedule.steps, SEGMENT_STEPS).length : 0)
  if (!echoed) return { against: 'what the answer repeats of the input', errorPct: 100, figures: { echo_wrong: 1 } }
  const water = waterOf(output)
  const finding =
    input.mode === 'jet'
      ? checkJet(input, water, output.anomaly)
      : input.mode === 'rest'
        ? checkRest(input, water)
        : general
          ? checkGeneral(input, outcome, water)
          : checkDam(input, water, schedule.time)
  const readings = readingsPct(input, output, water)
  const errorsPct = [finding.errorPct, readings]
  const broken = errorsPct.some((error) => !Number.isFinite(error))
  return {
    against: finding.against,
    errorPct: broken ? Number.NaN : Math.max(...errorsPct),
    figures: { ...finding.figures, courant: schedule.dt * rateOf(input, water), dt: schedule.dt },
    ...(finding.wayOut !== undefined && { wayOut: finding.wayOut }),
  }
}
