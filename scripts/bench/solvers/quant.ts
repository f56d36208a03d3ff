import { resolveInput } from '#numerics/runtime/input.ts'
import { closedPrice } from '#numerics/solvers/quant/closed.ts'
import { quant as solver } from '#numerics/solvers/quant/index.ts'
import { type Case, type Peer, python, solved } from './frame.ts'

const PATHS = 1_048_576
const ASIAN_PATHS = 131_072
const DATES = 12

const quantlib = (...args: readonly number[]): Peer =>
  python('QuantLib, Sobol', 'quantlib.py', {
    args: args.map(String),
    packages: ['quantlib-python'],
    modules: ['QuantLib'],
  })

const ours = (raw: object) => () => {
  const { ms, output } = solved(solver, raw)
  const exact = closedPrice(resolveInput(solver, raw))
  return { ms, said: `${(output.price / exact - 1).toExponential(3)} of the price` }
}

export const quant: readonly Case[] = [
  {
    solver: 'quant',
    problem: `European call, ${PATHS} paths in 16 scrambles with sensitivities (the others without)`,
    ours: ours({ paths: PATHS }),
    peers: [
      python('SciPy Sobol', 'quant.py', {
        args: [`${PATHS}`],
        packages: ['python3-scipy'],
        modules: ['scipy.stats'],
      }),
      quantlib(PATHS),
    ],
  },
  {
    solver: 'quant',
    problem: `geometric Asian call, ${DATES} dates, ${ASIAN_PATHS} paths in 16 scrambles with sensitivities`,
    ours: ours({ product: 'asian', paths: ASIAN_PATHS, asian: { dates: DATES } }),
    peers: [quantlib(ASIAN_PATHS, DATES)],
  },
]
