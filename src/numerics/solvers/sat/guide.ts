import type { Guide } from '#numerics/runtime/guide.ts'
import type { SatInput, SatOutput } from './schema.ts'

type Clause = readonly number[]

const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i + 1)

/** Clauses as DIMACS writes them. */
const dimacs = (variables: number, clauses: readonly Clause[]): string =>
  [`p cnf ${variables} ${clauses.length}`, ...clauses.map((it) => `${it.join(' ')} 0`), ''].join('\n')

/** Variable k is the colour of number k: no three of 1 to 9 at equal distances have one colour. */
const progressions = (): string => {
  const threes = upTo(4).flatMap((gap) => upTo(9 - 2 * gap).map((from) => [from, from + gap, from + 2 * gap]))
  return dimacs(
    9,
    threes.flatMap((it) => [it, it.map((k) => -k)]),
  )
}

/** Variable 3·(one − 1) + choice: each of the ones has one of three choices, and no pair has the same. */
const threeChoices = (ones: number, pairs: readonly (readonly [number, number])[]): string => {
  const has = (one: number, choice: number): number => 3 * (one - 1) + choice
  const each = upTo(ones).map((one) => upTo(3).map((choice) => has(one, choice)))
  const apart = pairs.flatMap(([a, b]) => upTo(3).map((choice) => [-has(a, choice), -has(b, choice)]))
  return dimacs(3 * ones, [...each, ...apart])
}

const PIGEONS = [
  [1, 2],
  [1, 3],
  [1, 4],
  [2, 3],
  [2, 4],
  [3, 4],
] as const

/** Western Australia, Northern Territory, South Australia, Queensland, New South Wales, Victoria, Tasmania. */
const BORDERS = [
  [1, 2],
  [1, 3],
  [2, 3],
  [2, 4],
  [3, 4],
  [3, 5],
  [3, 6],
  [4, 5],
  [5, 6],
] as const

/** Puzzles as clauses to begin with, and what is read off first. */
export const satGuide: Guide<SatInput, SatOutput> = {
  presets: [
    {
      name: 'Two colours without a progression',
      about:
        'Paint 1 to 9 with two colours: there will be three equally spaced numbers of one colour. ' +
        'Van der Waerden (1927): not satisfiable, proved here.',
      input: { dimacs: progressions() },
    },
    {
      name: 'Four pigeons in three holes',
      about:
        'The pigeonhole principle as clauses: obviously impossible, and hard for resolution as it grows (Haken 1985).',
      input: { dimacs: threeChoices(4, PIGEONS) },
    },
    {
      name: 'Map of Australia in three colours',
      about:
        'Seven states and nine borders, variable 3·(state − 1) + colour: satisfiable, and the assignment is the ' +
        'colouring. Russell and Norvig, ch. 6.',
      input: { dimacs: threeChoices(7, BORDERS) },
    },
    {
      name: 'Random formula at its hardest',
      about:
        'At 4.26 clauses a variable the answers turn from yes to no, and searches are longest: 150 variables, no ' +
        'assignment, and the proof to show it.',
      input: {},
    },
    {
      name: 'Random formula that is easy',
      about:
        'Three and a half clauses a variable: nearly every such formula has an assignment, and it is found at once.',
      input: { n: 250, m: 875, seed: 2 },
    },
  ],
  headline: [
    { member: 'answer', label: 'Satisfiable (1 yes, 0 no)' },
    { member: 'variables', label: 'Variables' },
    { member: 'clauses', label: 'Clauses' },
    { member: 'ratio', label: 'Clauses per variable' },
    { member: 'lemmas', label: 'Lemmas in the proof' },
  ],
  advanced: ['seed', 'conflictsMax'],
}
