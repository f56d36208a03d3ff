import { wave as solver } from '#numerics/solvers/wave/index.ts'
import { type Case, c, python, solved } from './frame.ts'

const INTERVALS = 512
const numpy = { packages: ['python3-numpy'], modules: ['numpy'] }

const membrane = (order: 2 | 4): Case => {
  const steps = Math.ceil((INTERVALS * Math.SQRT2) / 0.9)
  const args = [`${INTERVALS}`, `${steps}`, `${order}`]
  return {
    solver: 'wave',
    problem: `membrane, ${INTERVALS}² × ${steps} steps, order ${order}, start and reading; NumPy the steps alone`,
    ours: () => {
      const { ms, output } = solved(solver, { nx: INTERVALS, ny: INTERVALS, dt: 1 / steps, order })
      return { ms, said: `rms ${output.rms.toFixed(12)}, energy ${output.energy.toFixed(9)}` }
    },
    peers: [python(`NumPy, order ${order}`, 'wave.py', { args, ...numpy }), c('gcc -O3', 'wave.c', { args })],
  }
}

const CELLS = 8192

const light = (): Case => {
  const steps = Math.ceil((2 * CELLS) / 0.9)
  return {
    solver: 'wave',
    problem: `light (FDTD), ${CELLS} cells × ${steps} steps; C the steps alone`,
    ours: () => {
      const { ms, output } = solved(solver, { mode: 'maxwell', nx: CELLS })
      return { ms, said: `rms ${output.rms.toFixed(12)}` }
    },
    peers: [c('gcc -O3', 'wave.c', { args: [`${CELLS}`, `${steps}`, 'yee'] })],
  }
}

export const wave: readonly Case[] = [membrane(4), membrane(2), light()]
