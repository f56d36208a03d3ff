import type { Curve, Plot } from '#numerics/plot/plot.ts'
import type { EvolveInput, EvolveOutput } from './schema.ts'

/** Atoms that a picture shows at most. */
const SHOWN_MAX = 4_000

const TIME = { name: 'time', unit: 'tau' }

/** Atoms within the box, seen along z; the colour is their height. */
const cloud = ({ n, box, positions }: EvolveOutput): Curve => {
  const every = Math.ceil(n / SHOWN_MAX)
  const shown = Math.ceil(n / every)
  const along = (axis: number): Float64Array =>
    Float64Array.from({ length: shown }, (_, k) => {
      const x = positions[3 * k * every + axis] as number
      return x - box * Math.floor(x / box)
    })
  const shade = { name: 'z', unit: 'sigma', values: along(2) }
  return { name: 'atoms', x: along(0), y: along(1), style: 'points', shade }
}

/** Energies and temperature over time, the drift, g(r), and the atoms at the end. */
export const plotsOf = (_: EvolveInput, output: EvolveOutput): readonly Plot[] => {
  const { times, totals, potentials, temperatures, pressures, radii, rdf } = output
  const curve = (name: string, y: ArrayLike<number>, x: ArrayLike<number> = times): Curve => ({ name, x, y })
  const kinetics = Float64Array.from(totals, (total, k) => total - (potentials[k] as number))
  const drift = Float64Array.from(totals, (total) => total - (totals[0] as number))
  const energy = { name: 'energy per atom', unit: 'epsilon' }
  return [
    {
      kind: 'curves',
      title: 'Energies',
      x: TIME,
      y: energy,
      curves: [curve('total', totals), curve('potential', potentials), curve('kinetic', kinetics)],
    },
    {
      kind: 'curves',
      title: 'Temperature',
      x: TIME,
      y: { name: 'temperature', unit: 'epsilon/k_B' },
      curves: [curve('T', temperatures)],
    },
    {
      kind: 'curves',
      title: 'Radial distribution function, second half of the run',
      x: { name: 'r', unit: 'sigma' },
      y: { name: 'g', unit: '1' },
      curves: [curve('g(r)', rdf, radii)],
    },
    {
      kind: 'curves',
      title: 'Atoms at the end',
      x: { name: 'x', unit: 'sigma' },
      y: { name: 'y', unit: 'sigma' },
      curves: [cloud(output)],
      equal: true,
    },
    { kind: 'curves', title: 'Drift of the total energy', x: TIME, y: energy, curves: [curve('E − E0', drift)] },
    {
      kind: 'curves',
      title: 'Pressure',
      x: TIME,
      y: { name: 'pressure', unit: 'epsilon/sigma^3' },
      curves: [curve('P', pressures)],
    },
  ]
}
