import { fileURLToPath } from 'node:url'
import { bench, wholeOr } from './bench.ts'
import { type Problem, problems } from './checks/cases.ts'
import { measured, type Times } from './checks/measure.ts'

const ROUNDS = 3
/** What a check may cost beside a solve that takes less. */
const FLOOR_MS = 100
/** Characters of a problem in the table. */
const TEXT_MAX = 100

const ratioOf = (solve: number, check: number): number => check / Math.max(solve, FLOOR_MS)

/** Least of the rounds, where more than one was run of those after the first. */
const warm = ([first = Number.NaN, ...others]: readonly number[]): number =>
  others.length === 0 ? first : Math.min(...others)

/** Inputs as one line; of long ones the beginning. */
const textOf = ({ solver, inputs }: Problem): string => {
  const text = `${solver} ${JSON.stringify(inputs)}`
  return text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX)}…`
}

const rowOf = (problem: Problem, { solve, check }: Times): string => {
  const of = (pick: (all: readonly number[]) => number): readonly [number, number] => [pick(solve), pick(check)]
  const cold = of(([first = Number.NaN]) => first)
  const words = [...of(warm), ratioOf(...of(warm)), ...cold, ratioOf(...cold)].map((it, i) =>
    it.toFixed(i % 3 === 2 ? 2 : 1).padStart(i % 3 === 2 ? 6 : 9),
  )
  return `${words.join(' ')}  ${textOf(problem)}`
}

/** Every solver's check beside its solve, in processor time of the thread that runs both. */
export const checks = bench({
  name: 'checks',
  summary: '[rounds] [names]: what every check costs beside its solve; the spec allows the larger of it and 100 ms',
  async run(words) {
    const counted = /^\d/.test(words[0] ?? '')
    const rounds = wholeOr(counted ? words[0] : undefined, ROUNDS)
    const names = words.slice(counted ? 1 : 0)
    const chosen = problems.filter(({ solver }) => names.length === 0 || names.includes(solver))
    if (chosen.length === 0) throw new Error(`no solver of these: ${names.join(', ')}`)
    const child = fileURLToPath(new URL('checks-child.ts', import.meta.url))
    console.log(
      `processor ms; best of ${rounds} rounds after the first, and the first; ratio = check ÷ max(solve, ${FLOOR_MS})`,
    )
    console.log('    solve     check  ratio  1st solve 1st check ratio')
    const dear: string[] = []
    for (const problem of chosen) {
      const times = await measured(child, problem, rounds + 1)
      console.log(rowOf(problem, times))
      if (ratioOf(warm(times.solve), warm(times.check)) > 1) dear.push(textOf(problem))
    }
    console.log(`${dear.length} of ${chosen.length} checks cost more than they may${dear.length > 0 ? ':' : ''}`)
    for (const text of dear) console.log(`  ${text}`)
  },
})
