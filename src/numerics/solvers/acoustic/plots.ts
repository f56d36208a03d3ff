import type { Curve, Plot } from '#numerics/plot/plot.ts'
import type { AcousticInput, AcousticOutput } from './schema.ts'

/** Modes drawn together. */
const DRAWN_MAX = 5

/** Pressures of the lowest modes, the spectrum, and the bore. */
export const plotsOf = (
  input: AcousticInput,
  { x, radius, pressure, frequencies }: AcousticOutput,
): readonly Plot[] => {
  const nodes = x.length
  const axis = { name: 'x', unit: 'm' }
  const drawn = Math.min(DRAWN_MAX, input.modes)
  const curves = Array.from(
    { length: drawn },
    (_, mode): Curve => ({
      name: `${Number((frequencies[mode] as number).toPrecision(5))} Hz`,
      x,
      y: Float64Array.from({ length: nodes }, (_, i) => pressure[mode * nodes + i] as number),
    }),
  )
  const numbers = Array.from(frequencies, (_, mode) => mode + 1)
  const wall = (side: number): Curve => ({
    name: side > 0 ? 'wall' : 'opposite wall',
    x,
    y: Float64Array.from(radius, (it) => side * it),
  })
  return [
    { kind: 'curves', title: 'Pressure of the modes', x: axis, y: { name: 'pressure', unit: '1' }, curves },
    {
      kind: 'curves',
      title: 'Frequencies',
      x: { name: 'mode', unit: '1' },
      y: { name: 'frequency', unit: 'Hz' },
      curves: [{ name: 'modes', style: 'stems', x: numbers, y: frequencies }],
    },
    { kind: 'curves', title: 'Bore', x: axis, y: { name: 'radius', unit: 'm' }, curves: [wall(1), wall(-1)] },
  ]
}
