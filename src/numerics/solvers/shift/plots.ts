import { TICK_SECONDS } from '#core/tick.ts'
import { amplitudeOf } from '#numerics/methods/spec.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import { gaugeSeconds, modulated } from '#numerics/runtime/modulation.ts'
import type { ShiftInput, ShiftOutput } from './schema.ts'

/** Ticks across which the pulse is drawn, and places in each. */
const TICKS_DRAWN_MAX = 12

const PLACES_PER_TICK = 48

/**
 * The pulse over the ticks ahead, with the projected instants on it: they stand at one phase of each tick, so that
 * without the pulse they would be a row of equal numbers.
 */
export const shiftPlots = (input: ShiftInput, { projection, specValue, specUnit }: ShiftOutput): readonly Plot[] => {
  const drawn = projection.slice(0, TICKS_DRAWN_MAX)
  const from = drawn[0]?.tick ?? 0
  const turns = Float64Array.from(
    { length: drawn.length * PLACES_PER_TICK + 1 },
    (_, i) => (i % PLACES_PER_TICK) / PLACES_PER_TICK,
  )
  const along = turns.map((_, i) => from + i / PLACES_PER_TICK)
  const x = drawn.map(({ tick, phase }) => tick + phase)
  const gauge = input.mode === 'gauge'
  const amplitude = amplitudeOf(input)
  const pulse = turns.map((phase) =>
    gauge ? gaugeSeconds(phase, input.phi0) - phase * TICK_SECONDS : modulated(specValue, phase, amplitude),
  )
  const late = drawn.map(({ s, delta, phase }) => (s ?? 0) - delta - phase * TICK_SECONDS)
  const seen = gauge ? late.map((it) => Math.floor(it * ROUNDING + 0.5) / ROUNDING) : drawn.map(({ R_t }) => R_t)
  const name = gauge ? 's − t' : 'R'
  return [
    {
      kind: 'curves',
      title: gauge ? 'Turned time less plain time at the ticks ahead' : 'R at the ticks ahead, on the pulse',
      x: { name: 'tick', unit: '1' },
      y: { name, unit: gauge ? 's' : specUnit },
      curves: [
        { name: gauge ? 'gauge' : 'pulse', x: along, y: pulse, style: 'dashes' },
        { name: 'projected', x, y: seen, style: 'points' },
      ],
    },
  ]
}

/** Seconds below which a difference of times is rounding. */
const ROUNDING = 1e12
