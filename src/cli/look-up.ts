import type { ResultOf } from '#api/result-of.ts'
import type { Client } from '#gateway/client.ts'
import { table } from './io.ts'
import { quoted } from './teach.ts'

type Operator = ResultOf<'compute.operator-search'>['operators'][number]
type Solver = ResultOf<'compute.solvers'>['solvers'][number]
type Constant = ResultOf<'compute.constants'>['details'][number]

/** Rows of each kind that are shown of what was found. */
const SHOWN_MAX = 8

/** What words find on a node. */
export interface Found {
  readonly operators: readonly Operator[]
  readonly solvers: readonly Solver[]
  readonly constants: readonly Constant[]
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Whether every word begins one of a text: `beam` finds “beams”. */
const holds = (text: string, words: readonly string[]): boolean => {
  const its = wordsOf(text)
  return words.length > 0 && words.every((word) => its.some((it) => it.startsWith(word)))
}

/** Solvers whose name, title, summary or method has all of these words. */
export const solversWith = (solvers: readonly Solver[], words: string): readonly Solver[] =>
  solvers.filter(({ name, title, summary, method, domain }) =>
    holds(`${name} ${title} ${summary} ${method} ${domain}`, wordsOf(words)),
  )

/** What the words find: constants by their name, solvers by their texts, operators as the node searches them. */
export const lookUp = async (client: Client, words: string, signal: AbortSignal): Promise<Found> => {
  const [{ operators }, { solvers }, { details }] = await Promise.all([
    client.call('compute.operator-search', { q: words, limit: SHOWN_MAX }, { signal }),
    client.call('compute.solvers', {}, { signal }),
    client.call('compute.constants', {}, { signal }),
  ])
  return {
    operators,
    solvers: solversWith(solvers, words).slice(0, SHOWN_MAX),
    constants: details
      .filter(({ name, key }) => holds(`${name} ${key}`, wordsOf(words)))
      // A constant may have two keys, its short symbol being one.
      .filter(({ name }, i, all) => all.findIndex((it) => it.name === name) === i)
      .slice(0, SHOWN_MAX),
  }
}

/** Columns of an equation in a list. */
const EQUATION_CHARS_MAX = 48

const shortEquation = (text: string): string =>
  text.length > EQUATION_CHARS_MAX ? `${text.slice(0, EQUATION_CHARS_MAX - 1)}…` : text

/** An operator's call with all of its variables but one, as it is written. */
export const operatorCall = ({ id, variables, equation }: Operator): string => {
  const [wanted = ''] = equation.split('=').map((it) => it.trim())
  const names = Object.keys(variables).filter((it) => it !== wanted)
  return `tickmesh compute ${id} ${names.map((it) => `${quoted(it)}=…`).join(' ')}`
}

/** Lines of a table that fit a terminal: the last columns are what can be spared. */
const fitting = (rows: readonly (readonly string[])[], columns: number | undefined): readonly string[] => {
  if (rows.length === 0) return []
  const cut = (line: string): string =>
    columns !== undefined && line.length > columns ? `${line.slice(0, Math.max(0, columns - 1))}…` : line
  return table(rows).split('\n').map(cut)
}

/** What was found in lines, with the command to run; undefined for nothing. */
export const foundText = ({ operators, solvers, constants }: Found, columns?: number): string | undefined => {
  const lines = [
    ...constants.map((it) => `constant ${it.key}: ${it.name}, ${it.value} ${it.unit}`),
    ...fitting(
      solvers.map((it) => [it.name, it.title, `tickmesh solve ${it.name}`]),
      columns,
    ),
    ...fitting(
      operators.map((it) => [it.id, it.name, shortEquation(it.equation)]),
      columns,
    ),
  ]
  const [first] = operators
  if (first !== undefined) lines.push(`the first as a call: ${operatorCall(first)}`)
  return lines.length === 0 ? undefined : lines.join('\n')
}
