import { editDistance } from '#core/near-names.ts'
import type { RememberedReceipt } from '#ui/server/remembered.ts'
import type { Solvers } from '#ui/server/solvers.ts'
import { valueText, withUnit } from '#ui/text/numbers.ts'

export type MatchKind = 'question' | 'solver' | 'operator' | 'machine' | 'receipt' | 'leaf' | 'view'

/** Something of the page that fits what was typed: a link. */
export interface PageMatch {
  readonly kind: MatchKind
  readonly title: string
  /** What is said of it beside its title. */
  readonly about: string
  /** Its address, without `#`. */
  readonly at: string
}

type Solver = Solvers[number]

/** Words of a text that are looked for. */
const WORDS_MAX = 12

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** What a word counts that stands in a solver's name or title, in what it does, in its field, in how it does it. */
const COUNTS = [20, 8, 4, 1] as const

/** How well a word fits one of these texts: a whole word more than a part of one; 0 where it stands in none. */
const countOf = (texts: readonly string[], word: string): number => {
  const counts = texts.map((text, i) => {
    const count = COUNTS[i] ?? 0
    return wordsOf(text).includes(word) ? 2 * count : text.toLowerCase().includes(word) ? count : 0
  })
  return Math.max(0, ...counts)
}

/** How well words fit a solver, name and title before what it does and how; 0 where a word stands nowhere. */
const scoreOf = ({ name, title, summary, domain, method }: Solver, words: readonly string[]): number => {
  const counts = words.map((word) => countOf([`${name} ${title}`, summary, domain, method], word))
  if (counts.length === 0 || counts.includes(0)) return 0
  const exact = words.length === 1 && words[0] === name ? 100 : 0
  return exact + counts.reduce((sum, it) => sum + it, 0)
}

const ofSolver = ({ name, title, summary }: Solver): PageMatch => ({
  ...{ kind: 'solver', title, about: summary, at: `solver/${name}` },
})

/** Solvers of which every word is said, best first. */
export const solversFor = (solvers: Solvers, typed: string, most: number): readonly PageMatch[] => {
  const words = wordsOf(typed).slice(0, WORDS_MAX)
  return solvers
    .map((it) => ({ it, score: scoreOf(it, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.it.title.localeCompare(b.it.title))
    .slice(0, most)
    .map(({ it }) => ofSolver(it))
}

/** Shorter words say nothing of what is meant. */
const WORD_CHARS_MIN = 3

/** How far a solver is from words that none says: for each the least share of it to be changed, all added up. */
const farFrom = ({ name, title, summary, domain }: Solver, words: readonly string[]): number => {
  const own = [...wordsOf(`${name} ${title}`), ...wordsOf(`${summary} ${domain}`)]
  return words.reduce(
    (sum, word) => sum + Math.min(...own.map((it) => (it.includes(word) ? 0 : editDistance(word, it) / word.length))),
    0,
  )
}

/** The solvers nearest to words that none of them says: there is always one. */
export const nearestSolvers = (solvers: Solvers, typed: string, most: number): readonly PageMatch[] => {
  const said = wordsOf(typed).slice(0, WORDS_MAX)
  const long = said.filter((it) => it.length >= WORD_CHARS_MIN)
  const words = long.length > 0 ? long : said
  return solvers
    .map((it) => ({ it, far: farFrom(it, words) }))
    .toSorted((a, b) => a.far - b.far || a.it.title.localeCompare(b.it.title))
    .slice(0, most)
    .map(({ it }) => ofSolver(it))
}

/** Share of a word that may be wrong in a name that is still meant. */
const SLIP_MAX = 0.35
/** Words of what may be a name; more are a question. */
const NAME_WORDS_MAX = 3

/** The solver whose name or title this is, but for slips of the hand; none where nothing comes close. */
export const slippedSolver = (solvers: Solvers, typed: string): readonly PageMatch[] => {
  const words = wordsOf(typed)
  if (words.length === 0 || words.length > NAME_WORDS_MAX || words.some((it) => it.length < WORD_CHARS_MIN)) return []
  const slips = ({ name, title }: Solver): number =>
    Math.max(
      ...words.map((word) =>
        Math.min(...wordsOf(`${name} ${title}`).map((it) => editDistance(word, it) / word.length)),
      ),
    )
  const [best] = solvers.map((it) => ({ it, far: slips(it) })).toSorted((a, b) => a.far - b.far)
  return best !== undefined && best.far <= SLIP_MAX ? [ofSolver(best.it)] : []
}

/** A relation as a match. */
export const ofOperator = (it: {
  readonly id: string
  readonly name: string
  readonly equation: string
}): PageMatch => ({
  ...{ kind: 'operator', title: it.name, about: it.equation, at: `operators/${it.id}` },
})

/** A machine as a match. */
export const ofMachine = (it: { readonly slug: string; readonly display_name: string | null }): PageMatch => ({
  ...{ kind: 'machine', title: it.display_name ?? it.slug, about: it.slug, at: `machine/${it.slug}` },
})

/** The page of a receipt. */
export const ofToken = (token: string): PageMatch => ({
  ...{ kind: 'receipt', title: 'The receipt of this token', about: token, at: `r/${token}` },
})

/** A leaf of the log by its hash. */
export const ofLeaf = (hash: string): PageMatch => ({
  ...{ kind: 'leaf', title: 'The leaf with this hash', about: hash, at: `log/seal/hash/${hash}` },
})

/** A receipt that this browser remembers. */
export const ofRemembered = ({ token, nonce, kind, value, unit }: RememberedReceipt): PageMatch => ({
  kind: 'receipt',
  title: value === null ? kind : `${kind}: ${withUnit(valueText(value), unit)}`,
  about: token,
  at: `r/${token}?nonce=${nonce}`,
})

/** RememberedReceipt receipts of a solver, or whose token begins so. */
export const rememberedFor = (all: readonly RememberedReceipt[], typed: string, most: number): readonly PageMatch[] => {
  const word = typed.trim().toLowerCase()
  return all
    .filter(({ token, kind }) => word !== '' && (kind.startsWith(word) || token.startsWith(word)))
    .slice(0, most)
    .map(ofRemembered)
}

/** A question to ask in the box. */
export const ofQuestion = (question: string): PageMatch => ({
  kind: 'question',
  title: `Ask: ${question}`,
  about: 'as a question in words',
  at: `ask?${new URLSearchParams({ q: question })}`,
})
