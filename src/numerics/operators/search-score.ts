import { Fault } from '#core/fault.ts'
import { fewestEdits } from '#core/near-names.ts'
import { normalUnitText } from '#core/units.ts'
import { measured } from './measured.ts'
import { type PlaceName, placeOf, plainEquation, rowOf, type SearchIndex } from './search-index.ts'
import { stemOf, writtenWords } from './spelling.ts'

/** What a word is worth by where it stands: the nearer to what the row is called, the more. */
const EXACT: Readonly<Record<PlaceName, number>> = {
  name: 20,
  own: 9,
  symbol: 8,
  output: 5,
  variable: 4,
  domain: 3,
  rest: 1,
}
/** The same for a word that only begins so; a symbol does not begin. */
const BEGUN: Readonly<Record<PlaceName, number>> = {
  name: 12,
  own: 0,
  symbol: 0,
  output: 3,
  variable: 3,
  domain: 2,
  rest: 0.5,
}
/** For a word within another, and for a slip of the keys. */
const WITHIN: Readonly<Record<PlaceName, number>> = {
  name: 6,
  own: 0,
  symbol: 0,
  output: 2,
  variable: 2,
  domain: 1,
  rest: 0.5,
}
const SLIPPED: Readonly<Record<PlaceName, number>> = {
  name: 10,
  own: 0,
  symbol: 0,
  output: 3,
  variable: 2,
  domain: 1,
  rest: 0,
}
const ID = 100
const ID_BEGUN = 18
/** A symbol in the case it is written in: more for two letters and beyond, which are hardly ever anything else. */
const SAME_CASE = 1
const SAME_CASE_LONG = 12
/** For a name said whole, and its share for one said in part: "kinetic energy" is not that lost in a collision. */
const WHOLE_NAME = 10
/** For a name of the row or of a variable that is all of the query. */
const PHRASES: Readonly<Record<PlaceName, number>> = {
  name: 15,
  own: 0,
  symbol: 0,
  output: 6,
  variable: 2,
  domain: 0,
  rest: 0,
}
/** A unit that is all of the query: as written, or of the same quantity; one that is composed is no word. */
const UNIT_WRITTEN: Readonly<Record<PlaceName, number>> = { ...EXACT, output: 7, variable: 5 }
const UNIT_ALIKE: Readonly<Record<PlaceName, number>> = { ...EXACT, output: 3, variable: 2 }
const UNIT_COMPOSED = 30
const EQUATION = 100
/** Share of the pairs of signs that two equations have in common, from which they are alike. */
const EQUATION_ALIKE = 0.5

/** Letters from which a word may stand within another, may be a slip of one, and of two edits. */
const WITHIN_MIN = 3
const SLIP_MIN = 4
const TWO_SLIPS_MIN = 9
const WORDS_MAX = 12
/** Needed words of a query of which one may be unknown. */
const LENIENT_MIN = 3

/** Words that a question has and a row need not. */
const OPTIONAL = new Set([
  ...'a an the of in on at to for by from and or with is as through what how find compute calculate'.split(' '),
  ...'law equation formula relation'.split(' '),
])

interface Word {
  readonly written: string
  readonly stem: string
  readonly needed: boolean
}

const wordsIn = (text: string): readonly Word[] => {
  const all = writtenWords(text)
    .slice(0, WORDS_MAX)
    .map((written) => {
      const lower = written.toLowerCase()
      return { written, stem: stemOf(lower), needed: !OPTIONAL.has(lower) }
    })
  return all.some(({ needed }) => needed) ? all : all.map((it) => ({ ...it, needed: true }))
}

type Scores = Map<number, number>

const raise = (scores: Scores, row: number, score: number): void => {
  if (score > (scores.get(row) ?? 0)) scores.set(row, score)
}

const firstAtLeast = (sorted: readonly string[], wanted: string): number => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** Words of the index that begin so, the word itself left out. */
const begunBy = ({ words }: SearchIndex, stem: string): readonly string[] => {
  const found: string[] = []
  for (let i = firstAtLeast(words, stem); words[i]?.startsWith(stem) === true; i += 1) {
    if (words[i] !== stem) found.push(words[i] ?? '')
  }
  return found
}

/** The words nearest to one that is none, if they are near; whoever slips hardly ever misses the first letter. */
const slipsOf = ({ words }: SearchIndex, stem: string): readonly string[] => {
  if (stem.length < SLIP_MIN || !/^\p{L}+$/u.test(stem)) return []
  const [first = ''] = stem
  const alike: string[] = []
  for (let i = firstAtLeast(words, first); words[i]?.startsWith(first) === true; i += 1) {
    const word = words[i] ?? ''
    if (word.length >= SLIP_MIN) alike.push(word)
  }
  return fewestEdits(stem, alike, stem.length >= TWO_SLIPS_MIN ? 2 : 1)
}

/** What one word finds, row by row, and the words that it was taken for. */
const found = (
  index: SearchIndex,
  { stem, written, needed }: Word,
): { readonly scores: Scores; readonly as: readonly string[] } => {
  const scores: Scores = new Map()
  const take = (words: readonly string[], worth: Readonly<Record<PlaceName, number>>): void => {
    for (const word of words) {
      for (const posting of index.postings.get(word) ?? []) {
        const place = placeOf(posting)
        const row = rowOf(posting)
        const isSymbol = place === 'symbol' || place === 'own'
        const same = isSymbol && index.rows[row]?.symbols.includes(written) === true
        raise(scores, row, worth[place] + (same ? (written.length > 1 ? SAME_CASE_LONG : SAME_CASE) : 0))
      }
    }
  }
  const lower = written.toLowerCase()
  for (const [i, { id }] of index.rows.entries()) {
    if (id === lower) raise(scores, i, ID)
    else if (lower.length > 1 && id.startsWith(lower)) raise(scores, i, ID_BEGUN)
  }
  take([stem], EXACT)
  if (stem.length > 1) take(begunBy(index, stem), BEGUN)
  if (scores.size > 0 || !needed || stem.length < WITHIN_MIN) return { scores, as: [stem] }
  take(
    index.words.filter((word) => word.includes(stem)),
    WITHIN,
  )
  if (scores.size > 0) return { scores, as: [stem] }
  const slips = slipsOf(index, stem)
  take(slips, SLIPPED)
  return { scores, as: slips }
}

/** Whether rows that want one of the needed words may stand: no row has all, and each word or all but one is known. */
const lenient = (needed: number, unknown: number): boolean => (needed >= LENIENT_MIN ? unknown <= 1 : unknown === 0)

/** Rows that have all words that are needed, or all but one where no row has all. */
const byWords = (index: SearchIndex, text: string): Scores => {
  const words = wordsIn(text)
  const sums = new Map<number, { score: number; count: number }>()
  const said = new Set<string>()
  let unknown = 0
  for (const word of words) {
    const { scores, as } = found(index, word)
    if (word.needed && scores.size === 0) unknown += 1
    for (const stem of as) said.add(stem)
    for (const [row, score] of scores) {
      if (score === 0) continue
      const sum = sums.get(row) ?? { score: 0, count: 0 }
      sums.set(row, { score: sum.score + score, count: sum.count + (word.needed ? 1 : 0) })
    }
  }
  const needed = words.filter((it) => it.needed).length
  const most = Math.max(0, ...[...sums.values()].map(({ count }) => count))
  const scores: Scores = new Map()
  if (most < needed && (most < needed - 1 || !lenient(needed, unknown))) return scores
  for (const [row, { score, count }] of sums) {
    if (count < most || count === 0) continue
    const stems = index.rows[row]?.nameStems ?? []
    const share = stems.filter((stem) => said.has(stem)).length / Math.max(1, stems.length)
    scores.set(row, score + WHOLE_NAME * share)
  }
  for (const posting of index.phrases.get(words.map(({ stem }) => stem).join(' ')) ?? []) {
    const row = rowOf(posting)
    scores.set(row, (scores.get(row) ?? 0) + PHRASES[placeOf(posting)])
  }
  return scores
}

const quantityOf = (text: string): string | undefined => {
  try {
    return measured(text)
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

/** Rows with a variable in the unit that the query is; one letter is a symbol. */
const byUnit = ({ units, quantities }: SearchIndex, text: string): Scores => {
  const scores: Scores = new Map()
  const quantity = text.length < 2 || /^\d/.test(text) ? undefined : quantityOf(text)
  if (quantity === undefined) return scores
  const composed = /[\s*/^·⋅]/.test(text.trim()) ? UNIT_COMPOSED : 0
  for (const it of units.get(normalUnitText(text)) ?? []) raise(scores, rowOf(it), UNIT_WRITTEN[placeOf(it)] + composed)
  for (const it of quantities.get(quantity) ?? []) raise(scores, rowOf(it), UNIT_ALIKE[placeOf(it)] + composed)
  return scores
}

const pairsOf = (text: string): ReadonlyMap<number, number> => {
  const pairs = new Map<number, number>()
  for (let i = 1; i < text.length; i += 1) {
    const pair = text.charCodeAt(i - 1) * 0x1_0000 + text.charCodeAt(i)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}

/** Share of the pairs of signs that two texts have in common (Dice). */
const alike = (pairs: ReadonlyMap<number, number>, count: number, other: string): number => {
  const left = new Map(pairs)
  let both = 0
  for (let i = 1; i < other.length; i += 1) {
    const pair = other.charCodeAt(i - 1) * 0x1_0000 + other.charCodeAt(i)
    const open = left.get(pair) ?? 0
    if (open === 0) continue
    left.set(pair, open - 1)
    both += 1
  }
  return (2 * both) / (count + other.length - 1)
}

/** Rows with an equation like the one that the query is. */
const byEquation = ({ rows }: SearchIndex, text: string): Scores => {
  const scores: Scores = new Map()
  if (!text.includes('=')) return scores
  const wanted = plainEquation(text)
  const pairs = pairsOf(wanted)
  for (const [i, { equation }] of rows.entries()) {
    // Twice the shorter one is all that two texts can have in common.
    const most = (2 * Math.min(wanted.length, equation.length)) / (wanted.length + equation.length)
    if (most < EQUATION_ALIKE) continue
    const share = equation === wanted ? 1 : alike(pairs, wanted.length - 1, equation)
    if (share >= EQUATION_ALIKE) scores.set(i, EQUATION * share)
  }
  return scores
}

/** Among equals the shorter name is the more general relation: less than any other difference. */
const BRIEF = 0.4

/** What a query finds: by its words, by the unit or by the equation that it is; the best of these counts. */
export const scoresOf = (index: SearchIndex, text: string): ReadonlyMap<number, number> => {
  const scores = byWords(index, text)
  for (const others of [byUnit(index, text), byEquation(index, text)]) {
    for (const [row, score] of others) raise(scores, row, score)
  }
  for (const [row, score] of scores)
    scores.set(row, score + BRIEF / Math.max(1, index.rows[row]?.nameStems.length ?? 1))
  return scores
}
