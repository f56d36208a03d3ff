import { fewestEdits } from '#core/near-names.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import { leavesOf, spoken } from './leaves.ts'
import type { Respelled } from './reading.ts'
import type { Vocabulary } from './vocabulary.ts'
import { wordsOf } from './words.ts'

/** Letters of a word that may be a slip, and letters from which it may be two. */
const LETTERS_MIN = 5
const LETTERS_FOR_TWO = 9

/** Words that a query is not corrected away from, beside those that are looked for. */
const PLAIN = wordsOf(
  `about above across after again against along always another around because before behind being below between
  bigger both brought called calculate change coming compute could different does doing during each either else
  enough estimate every everything explain falling faster find first follow forever found given gives giving going
  greater happen having heavier heavy higher hours inside itself large larger later light little longer lower
  making many maximum means metres meters minimum minutes money months never number other outside over people
  perhaps please possible question quickly really right second seconds several should show since slower small
  smaller someone something sometimes square start still suddenly taking tell their there these thing things think
  third those though through times today together tomorrow towards under until upward usually weeks weight what
  whatever when where whether which while whole whose width within without would write years yesterday python
  story table window summer winter doctor school number letter paper poem recipe dinner music`,
)

/** Words that a text is corrected to, and all that it is not corrected away from. */
export interface Lexicon {
  readonly known: ReadonlySet<string>
  readonly byInitial: ReadonlyMap<string, readonly string[]>
}

/** The words of some texts. */
export const lexiconOfTexts = (texts: readonly string[]): Lexicon => {
  const words = [...new Set(texts.flatMap(wordsOf))].filter((it) => /^\p{L}+$/u.test(it))
  const byInitial = new Map<string, string[]>()
  for (const word of words.filter(({ length }) => length >= LETTERS_MIN).sort()) {
    const initial = word.slice(0, 1)
    const list = byInitial.get(initial)
    if (list === undefined) byInitial.set(initial, [word])
    else list.push(word)
  }
  return { known: new Set([...words, ...PLAIN]), byInitial }
}

const lexicons = new WeakMap<Vocabulary, Lexicon>()

const lexiconOf = (vocabulary: Vocabulary, registry: OperatorRegistry, solvers: readonly Solver[]): Lexicon => {
  const known = lexicons.get(vocabulary)
  if (known !== undefined) return known
  const books = [...vocabulary.books.values()]
  const texts = [
    ...books.flatMap(({ words }) => [
      ...[...words.sure, ...words.likely, ...words.hint, ...words.not],
      ...Object.values(words.inputs).flat(),
      ...words.settings.map(([phrase]) => phrase),
    ]),
    ...[...vocabulary.operators.values()].flatMap(({ phrases }) => phrases.map(({ text }) => text)),
    ...vocabulary.materials.flatMap(({ phrases }) => phrases.map(({ text }) => text)),
    ...registry.operators.flatMap(({ row }) => [
      row.name,
      ...Object.values(row.variables).flatMap(({ name, aliases = [] }) => [name, ...aliases]),
    ]),
    ...solvers.flatMap(({ title, summary, input }) => [
      title,
      summary,
      ...leavesOf(input).map(({ key }) => spoken(key)),
    ]),
  ]
  const fresh = lexiconOfTexts(texts)
  lexicons.set(vocabulary, fresh)
  return fresh
}

/** The one known word that this one is a slip of; undefined where it is known, short, or near to none or to several. */
const slipOf = (word: string, { known, byInitial }: Lexicon): string | undefined => {
  const [stem = ''] = wordsOf(word)
  if (stem.length < LETTERS_MIN || known.has(stem)) return undefined
  const most = stem.length >= LETTERS_FOR_TWO ? 2 : 1
  const nearest = fewestEdits(stem, byInitial.get(stem.slice(0, 1)) ?? [], most)
  return nearest.length === 1 ? nearest[0] : undefined
}

const WORD = /(?<![\p{L}\p{N}_])\p{L}{5,40}(?![\p{L}\p{N}_])/gu

/** A query respelled, and what was changed in it. */
export interface RespelledQuery {
  readonly query: string
  readonly corrections: readonly Respelled[]
}

/** A query with words that are slips of known ones replaced: one edit, two from nine letters on, the first one kept. */
export const respelledBy = (query: string, lexicon: Lexicon): RespelledQuery => {
  const corrections: Respelled[] = []
  const text = query.replace(WORD, (word) => {
    const to = slipOf(word, lexicon)
    if (to === undefined) return word
    corrections.push({ from: word, to })
    return to
  })
  return { query: text, corrections }
}

/** The same by the words that solvers and operators are found by. */
export const respelled = (
  query: string,
  places: { readonly vocabulary: Vocabulary; readonly registry: OperatorRegistry; readonly solvers: readonly Solver[] },
): RespelledQuery => respelledBy(query, lexiconOf(places.vocabulary, places.registry, places.solvers))
