import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import { amountsOf } from './amounts.ts'
import type { Attempt } from './attempt.ts'
import { type Indexed, PLAIN_WORDS, rowsNear } from './operator-index.ts'
import type { Phrase } from './phrases.ts'
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
  /** Of an operator: the query says its id or its whole name. */
  readonly called?: boolean
  /** Of an operator: the share of the query's telling words that its name and variables have. */
  readonly covered?: number
  /** Of an operator whose inputs were tried: each value of the query has a place in it. */
  readonly fits?: boolean
  /** Of an operator: where its inputs would come from, and what it answers when none is lacking. */
  readonly attempt?: Attempt
  readonly answer?: { readonly value: number | null; readonly unit: string } | undefined
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

/** Of phrases that a query holds those that are not within a longer one of them, which would count them again. */
const longest = (held: readonly Phrase[]): readonly Phrase[] =>
  held.length < 2 ? held : held.filter((it) => !held.some((other) => other !== it && other.folded.includes(it.folded)))

/** Phrases of a list that a query of these words holds. */
const found = (query: string, words: ReadonlySet<string>, list: readonly Phrase[]): readonly Phrase[] =>
  longest(list.filter((it) => words.has(it.first) && holds(query, it.folded)))

/** What a solver is called here, for titles of those that have no literal. */
export interface Named {
  readonly name: string
  readonly title: string
  readonly summary: string
}

const titleWords = new WeakMap<Named, ReadonlySet<string>>()

const wordsOfTitle = (named: Named | undefined): ReadonlySet<string> => {
  if (named === undefined) return new Set()
  const known = titleWords.get(named) ?? new Set(wordsOf(named.title))
  titleWords.set(named, known)
  return known
}

/** Solvers by what their words find in a query, best first. */
export const rankSolvers = ({ books }: Vocabulary, text: string, titles: readonly Named[]): readonly Candidate[] => {
  const words = wordsOf(text)
  const query = folded(text)
  const own = new Set(words)
  const all = [...books].map(([name, { sure, likely, hint, not }]): Candidate => {
    const [a, b, c] = [found(query, own, sure), found(query, own, likely), found(query, own, hint)]
    const against = found(query, own, not)
    const named = titles.find((it) => it.name === name)
    const title = wordsOfTitle(named)
    const titled = words.filter((word) => word.length > 3 && title.has(word)).length
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
/** A phrase of one word, which other questions say too, and every further one. */
const WORD_KNOWN = [5, 1.5] as const
const OUTPUT_PHRASE = 4
const OUTPUT_WORD = 1.5
const INPUT_NAME = 0.8
const INPUT_NAMES_MAX = 3

interface Asked {
  /** Stems of the words, and the words as ids are written. */
  readonly words: ReadonlySet<string>
  readonly ids: ReadonlySet<string>
  /** The words without plain ones and those of asking. */
  readonly telling: readonly string[]
  /** Phrases that the query holds. */
  readonly held: ReadonlySet<string>
}

const byNameOf = (it: Indexed, words: ReadonlySet<string>) => {
  const seen = it.name.filter((word) => words.has(word))
  const sum = it.weights.reduce((all, weight, i) => (words.has(it.name[i] ?? '') ? all + weight : all), 0)
  const share = it.weight === 0 ? 0 : sum / it.weight
  if (share >= WHOLE_SHARE) return { seen, share, score: it.name.length > 1 ? WHOLE_NAME : WHOLE_WORD }
  return { seen, share, score: share >= PART_MIN ? PART_OF_NAME * share : share }
}

const knownWorth = (known: readonly Phrase[]): number => {
  const said = known.filter(({ text }) => text.trim().includes(' ')).length
  return said > 0 ? WORDS_KNOWN + (known.length - 1) : worth(known.length, WORD_KNOWN)
}

const scoreOf = ({ words, ids, telling, held }: Asked, it: Indexed) => {
  const byName = byNameOf(it, words)
  const [known, output, inputs] = [it.known, it.output, it.inputs].map((list) =>
    longest(list.filter((phrase) => held.has(phrase.folded))),
  ) as [readonly Phrase[], readonly Phrase[], readonly Phrase[]]
  const byOutput = output.reduce(
    (most, { folded: phrase }) => Math.max(most, phrase.trim().includes(' ') ? OUTPUT_PHRASE : OUTPUT_WORD),
    0,
  )
  const byId = it.row.id !== 'KO42' && ids.has(it.row.id) ? BY_ID : 0
  const score =
    byId + Math.max(byName.score, knownWorth(known)) + byOutput + Math.min(INPUT_NAMES_MAX, inputs.length) * INPUT_NAME
  return {
    score,
    covered: telling.length === 0 ? 1 : telling.filter((word) => it.vocabulary.has(word)).length / telling.length,
    called: byId > 0 || byName.share >= WHOLE_SHARE,
    loose: byId === 0 && known.length === 0 && byName.share < WHOLE_SHARE,
    because: [...(byId > 0 ? [it.row.id] : []), ...byName.seen, ...[...known, ...output].map(({ text }) => text)],
  }
}

/** Operators by what a query says of their names, outputs and inputs, best first. */
export const rankOperators = (
  vocabulary: Vocabulary,
  registry: OperatorRegistry,
  text: string,
): readonly Candidate[] => {
  // The unit of an amount names no law: 0.5 ohm is not Ohm's. An id keeps its letters: stems are for words.
  const said = amountsOf(text).reduce((rest, amount) => rest.replace(amount.text, ' '), text)
  const words = new Set(wordsOf(said))
  // An id of letters alone is a word as well: it is one only as it is written in the table.
  const ids = new Set(text.split(/[^\p{L}\p{N}_.-]+/u).map((it) => (/[\d_]/u.test(it) ? it.toUpperCase() : it)))
  const telling = [...words].filter((word) => !PLAIN_WORDS.has(word) && !ASKING_WORDS.has(word))
  const { rows, held } = rowsNear({ registry, vocabulary }, folded(text), { words, ids })
  return rows
    .map((it): Candidate => {
      const { because, ...more } = scoreOf({ words, ids, telling, held }, it)
      return { kind: 'operators', name: it.row.id, title: it.row.name, because: [...new Set(because)], ...more }
    })
    .filter(({ score }) => score > 0)
    .sort((x, y) => y.score - x.score || (x.name < y.name ? -1 : 1))
}
