import type { OperatorRow } from '#numerics/operators/operator.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import { amountsOf } from './amounts.ts'
import { type Phrase, phrasesOf } from './phrases.ts'
import type { Vocabulary } from './vocabulary.ts'
import { folded, holds, wordsOf } from './words.ts'

/** Something that a query may mean, and by which of its words. */
export interface Candidate {
  readonly kind: 'solver' | 'operators'
  /** The solver's name or the operator's id. */
  readonly name: string
  readonly title: string
  readonly score: number
  readonly because: readonly string[]
  /** Of an operator: the query says neither its id nor its whole name, nor a phrase that is known to mean it. */
  readonly loose?: boolean
  /** Of an operator: the share of the query's telling words that its name and variables have. */
  readonly covered?: number
  /** Of an operator whose inputs were tried: each value of the query has a place in it. */
  readonly fits?: boolean
}

// What a phrase is worth: the first of a kind, and every further one.
const SURE = [8, 3] as const
const LIKELY = [3.5, 2] as const
const HINT = [1, 1] as const
const HINTS_MAX = 3
const AGAINST = -6
const TITLE_WORD = 0.5

const worth = (count: number, [first, further]: readonly [number, number]): number =>
  count === 0 ? 0 : first + (count - 1) * further

/** Phrases of a list that a query holds; one within a longer one that it holds too is not counted again. */
const found = (query: string, list: readonly Phrase[]): readonly Phrase[] => {
  const held = list.filter((it) => holds(query, it.folded))
  return held.filter((it) => !held.some((other) => other !== it && other.folded.includes(it.folded)))
}

/** What a solver is called here, for titles of those that have no literal. */
export interface Named {
  readonly name: string
  readonly title: string
  readonly summary: string
}

/** Solvers by what their words find in a query, best first. */
export const rankSolvers = ({ books }: Vocabulary, text: string, titles: readonly Named[]): readonly Candidate[] => {
  const query = folded(text)
  const all = [...books].map(([name, { sure, likely, hint, not }]): Candidate => {
    const [a, b, c] = [found(query, sure), found(query, likely), found(query, hint)]
    const against = found(query, not)
    const named = titles.find((it) => it.name === name)
    const own = new Set(wordsOf(named?.title ?? ''))
    const titled = wordsOf(text).filter((word) => word.length > 3 && own.has(word)).length
    const positive =
      worth(a.length, SURE) +
      worth(b.length, LIKELY) +
      worth(Math.min(c.length, HINTS_MAX), HINT) +
      Math.min(2, titled) * TITLE_WORD
    const score = positive === 0 ? 0 : positive + against.length * AGAINST + (query.trim() === name ? SURE[0] : 0)
    return {
      kind: 'solver',
      name,
      title: named?.title ?? name,
      score,
      because: [...a, ...b, ...c].map((it) => it.text),
    }
  })
  return all.filter(({ score }) => score > 0).sort((x, y) => y.score - x.score || (x.name < y.name ? -1 : 1))
}

const PLAIN_WORDS = new Set([
  ...'a an the of in on at to for by from and or with its over through between under'.split(' '),
  ...'law equation relation formula function first second third number mean value two one'.split(' '),
])
/** Words of asking, which tell nothing of what is asked. */
const ASKING_WORDS = new Set([
  ...'what whats is are was be does do did how much many long big far which where when if then that this there'.split(
    ' ',
  ),
  ...'i my me we our you it its has have can could would will need want find compute calculate give get using'.split(
    ' ',
  ),
])
const BY_ID = 20
/** A share of a name's weight that is all of it, but for rounding. */
const WHOLE_SHARE = 0.999
const WHOLE_NAME = 9
const WHOLE_WORD = 7
const PART_OF_NAME = 5
const PART_MIN = 0.55
const WORDS_KNOWN = 9
const OUTPUT_PHRASE = 4
const OUTPUT_WORD = 1.5
const INPUT_NAME = 0.8
const INPUT_NAMES_MAX = 3

interface Indexed {
  readonly row: OperatorRow
  readonly name: readonly string[]
  readonly output: readonly Phrase[]
  readonly inputs: readonly Phrase[]
  /** Words of its name and its variables. */
  readonly vocabulary: ReadonlySet<string>
}

interface Index {
  readonly rows: readonly Indexed[]
  /** How much a word of a name tells: the logarithm's place is taken by a root, which is the same on every engine. */
  readonly weight: (word: string) => number
}

const indexes = new WeakMap<OperatorRegistry, Index>()

const indexOf = (registry: OperatorRegistry): Index => {
  const known = indexes.get(registry)
  if (known !== undefined) return known
  const rows = registry.operators.map(({ row }): Indexed => {
    const all = wordsOf(row.name)
    const telling = all.filter((word) => !PLAIN_WORDS.has(word))
    const [first] = row.solves_for
    const namesOf = (symbol: string): readonly string[] => {
      const { name = '', aliases = [] } = row.variables[symbol] ?? {}
      return [name, ...aliases].filter((it) => it.length > 2)
    }
    return {
      row,
      name: telling.length > 0 ? telling : all,
      output: phrasesOf(first === undefined ? [] : namesOf(first)),
      inputs: phrasesOf(row.solves_for.slice(1).flatMap(namesOf)),
      vocabulary: new Set([...all, ...Object.keys(row.variables).flatMap(namesOf).flatMap(wordsOf)]),
    }
  })
  const count = new Map<string, number>()
  for (const { name } of rows) for (const word of new Set(name)) count.set(word, (count.get(word) ?? 0) + 1)
  const fresh = { rows, weight: (word: string) => 1 / Math.sqrt(count.get(word) ?? 1) }
  indexes.set(registry, fresh)
  return fresh
}

interface Asked {
  readonly query: string
  /** Stems of the words, and the words as ids are written. */
  readonly words: ReadonlySet<string>
  readonly ids: ReadonlySet<string>
  /** The words without plain ones and those of asking. */
  readonly telling: readonly string[]
  readonly operators: Vocabulary['operators']
}

const scoreOf = ({ query, words, ids, telling, operators }: Asked, it: Indexed, weight: Index['weight']) => {
  const all = it.name.reduce((sum, word) => sum + weight(word), 0)
  const seen = it.name.filter((word) => words.has(word))
  const share = all === 0 ? 0 : seen.reduce((sum, word) => sum + weight(word), 0) / all
  const byName =
    share >= WHOLE_SHARE
      ? it.name.length > 1
        ? WHOLE_NAME
        : WHOLE_WORD
      : share >= PART_MIN
        ? PART_OF_NAME * share
        : share
  const known = found(query, operators.get(it.row.id)?.phrases ?? [])
  const output = found(query, it.output)
  const inputs = found(query, it.inputs)
  const byOutput = output.reduce(
    (most, { folded: phrase }) => Math.max(most, phrase.trim().includes(' ') ? OUTPUT_PHRASE : OUTPUT_WORD),
    0,
  )
  const byId = it.row.id !== 'KO42' && ids.has(it.row.id.toLowerCase()) ? BY_ID : 0
  const score =
    byId +
    Math.max(byName, known.length > 0 ? WORDS_KNOWN + (known.length - 1) : 0) +
    byOutput +
    Math.min(INPUT_NAMES_MAX, inputs.length) * INPUT_NAME
  return {
    score,
    covered: telling.length === 0 ? 1 : telling.filter((word) => it.vocabulary.has(word)).length / telling.length,
    loose: byId === 0 && known.length === 0 && share < WHOLE_SHARE,
    because: [...(byId > 0 ? [it.row.id] : []), ...seen, ...[...known, ...output].map(({ text }) => text)],
  }
}

/** Operators by what a query says of their names, outputs and inputs, best first. */
export const rankOperators = (
  { operators }: Vocabulary,
  registry: OperatorRegistry,
  text: string,
): readonly Candidate[] => {
  const query = folded(text)
  // The unit of an amount names no law: 0.5 ohm is not Ohm's. An id keeps its letters: stems are for words.
  const said = amountsOf(text).reduce((rest, amount) => rest.replace(amount.text, ' '), text)
  const words = new Set(wordsOf(said))
  const ids = new Set(text.toLowerCase().split(/[^\p{L}\p{N}_.-]+/u))
  const telling = [...words].filter((word) => !PLAIN_WORDS.has(word) && !ASKING_WORDS.has(word))
  const { rows, weight } = indexOf(registry)
  return rows
    .map((it): Candidate => {
      const { because, ...more } = scoreOf({ query, words, ids, telling, operators }, it, weight)
      return { kind: 'operators', name: it.row.id, title: it.row.name, because: [...new Set(because)], ...more }
    })
    .filter(({ score }) => score > 0)
    .sort((x, y) => y.score - x.score || (x.name < y.name ? -1 : 1))
}
