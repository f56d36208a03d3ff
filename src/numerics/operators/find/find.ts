import { Fault } from '#core/fault.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import { edgesOf } from './assign.ts'
import { type Chained, chainsTo, type Solved, solvedFor } from './chains.ts'
import { readSaid, type Said } from './said.ts'
import { type SearchedVariable, type Variables, variablesIn } from './variables.ts'

/** What is looked for: a quantity, and those that are known. */
export interface FindQuery {
  readonly wanted: string
  readonly known: readonly string[]
  /** Operators and chains shown, of each as many. */
  readonly limit?: number | undefined
}

/** A variable as `inputs` and `solve_for` of a computation name it. */
export interface FoundVariable {
  readonly operator: string
  readonly symbol: string
  readonly name: string
  readonly unit: string
  /** `ID.symbol`. */
  readonly write: string
}

/** One way to what is wanted: `POST /api/svc/compute` takes `operators`, `solve_for` and the variables as inputs. */
export interface Way {
  readonly operators: readonly string[]
  readonly solve_for: string
  readonly output: FoundVariable
  readonly links: readonly {
    readonly operator: string
    readonly name: string
    readonly domain: string
    readonly equation: string
    /** The symbol it is solved for. */
    readonly solve_for: string
  }[]
  /** Variables that known words give. */
  readonly given: readonly (FoundVariable & { readonly known: string })[]
  /** Variables that nothing gives yet. */
  readonly missing: readonly FoundVariable[]
  /** Known words that it has no use for. */
  readonly unused: readonly string[]
  /** Of a chain: the output of the first operator and the variable of the second that it goes to. */
  readonly fed: { readonly from: FoundVariable; readonly to: FoundVariable } | null
}

/** How a word was read: what the variables that it may mean are measured in. */
export interface ReadWord {
  readonly text: string
  readonly as: Said['as']
  readonly units: readonly string[]
}

export interface FoundRow {
  readonly wanted: ReadWord
  readonly known: readonly ReadWord[]
  /** How many there are, and the best of them. */
  readonly count: number
  readonly operators: readonly Way[]
  readonly chain_count: number
  readonly chains: readonly Way[]
}

/** Known words of one query, and characters of each. */
export const KNOWN_MAX = 12
export const SAID_LENGTH_MAX = 64
/** Ways of each kind in one answer. */
export const WAYS_MAX = 50
export const WAYS_DEFAULT = 10
const UNITS_SHOWN_MAX = 6

const checked = ({ wanted, known, limit = WAYS_DEFAULT }: FindQuery): Required<FindQuery> & { limit: number } => {
  const texts = [wanted, ...known].map((it) => it.trim())
  if (known.length > KNOWN_MAX) {
    throw new Fault('INVALID_INPUT', `At most ${KNOWN_MAX} known quantities.`, { limit: KNOWN_MAX })
  }
  if (texts.some((it) => it === '' || it.length > SAID_LENGTH_MAX)) {
    throw new Fault('INVALID_INPUT', `A quantity is named in 1 to ${SAID_LENGTH_MAX} characters.`, {
      limit: SAID_LENGTH_MAX,
    })
  }
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > WAYS_MAX) {
    throw new Fault('INVALID_INPUT', `limit is an integer from 1 to ${WAYS_MAX}.`, { limit })
  }
  return { wanted: texts[0] ?? '', known: texts.slice(1), limit }
}

const shown = ({ operator, symbol, variable }: SearchedVariable): FoundVariable => ({
  operator: operator.row.id,
  symbol,
  name: variable.name,
  unit: variable.unit,
  write: `${operator.row.id}.${symbol}`,
})

const linkOf = ({ wanted }: Solved): Way['links'][number] => {
  const { id, name, domain, equation } = wanted.operator.row
  return { operator: id, name, domain, equation, solve_for: wanted.symbol }
}

/** What a way is ordered by; the lesser comes first, member by member. */
interface Ranked {
  readonly links: readonly Solved[]
  readonly chain: Chained | undefined
  readonly missing: readonly SearchedVariable[]
  readonly order: readonly number[]
  readonly id: string
}

const unusedOf = (links: readonly Solved[], known: readonly Said[]): readonly Said[] => {
  const used = new Set(links.flatMap(({ assigned }) => [...assigned.by.values()]))
  return known.filter((_, i) => !used.has(i))
}

/** The mean grade of what was said, larger when the words are surer. */
const surenessOf = (links: readonly Solved[], wanted: Said): number => {
  const last = links.at(-1)
  const said = last === undefined ? 0 : (wanted.means.get(last.wanted.at) ?? 0)
  const sum = links.reduce((all, { assigned }) => all + assigned.grade, said)
  return sum / links.reduce((all, { assigned }) => all + assigned.by.size, 1)
}

/** Whether an operator gives its own output rather than being solved for another variable: 0 where it does. */
const turnedOf = ({ wanted }: Solved): number => (wanted.operator.row.solves_for[0] === wanted.symbol ? 0 : 1)

const ranked = (
  links: readonly Solved[],
  chain: Chained | undefined,
  { wanted, known }: { wanted: Said; known: readonly Said[] },
): Ranked => {
  const missing = links.flatMap((it) => it.missing.filter((place) => place !== chain?.fed))
  const turned = links.reduce((sum, it) => sum + turnedOf(it), 0)
  const order = [
    missing.length,
    unusedOf(links, known).length,
    -(chain?.likeness ?? 0),
    -surenessOf(links, wanted),
    turned,
  ]
  return { links, chain, missing, order, id: links.map((it) => it.wanted.operator.row.id).join(' ') }
}

const byOrder = (a: Ranked, b: Ranked): number => {
  const at = a.order.findIndex((it, i) => it !== b.order[i])
  if (at >= 0) return (a.order[at] ?? 0) - (b.order[at] ?? 0)
  if (a.id !== b.id) return a.id < b.id ? -1 : 1
  return (a.links.at(-1)?.wanted.at ?? 0) - (b.links.at(-1)?.wanted.at ?? 0)
}

const givenOf = ({ assigned }: Solved, { places }: Variables, known: readonly Said[]): Way['given'] =>
  [...assigned.by]
    .sort(([a], [b]) => a - b)
    .map(([at, word]) => ({ ...shown(places[at] as SearchedVariable), known: known[word]?.text ?? '' }))

const wayOf = ({ links, chain, missing }: Ranked, variables: Variables, known: readonly Said[]): Way => {
  const output = shown((links.at(-1) as Solved).wanted)
  return {
    operators: links.map((it) => it.wanted.operator.row.id),
    solve_for: output.write,
    output,
    links: links.map(linkOf),
    given: links.flatMap((it) => givenOf(it, variables, known)),
    missing: missing.map(shown),
    unused: unusedOf(links, known).map(({ text }) => text),
    fed: chain === undefined ? null : { from: shown(chain.first.wanted), to: shown(chain.fed) },
  }
}

const readWord = ({ text, as, means }: Said, { places }: Variables): ReadWord => {
  const units = new Set([...means.keys()].sort((a, b) => a - b).map((at) => places[at]?.variable.unit ?? ''))
  return { text, as, units: [...units].slice(0, UNITS_SHOWN_MAX) }
}

/**
 * Operators that give a quantity from others, and chains of two. First those whose inputs are all known, then by how
 * many are missing, by how many known words are of no use, by how surely words mean the variables, by id. An operator
 * counts when it has use for a known word, or needs none; a constant is never missing, since the node binds it.
 *
 * Work is bounded: 12 known words, each variable of the table looked at once for each, 256 second operators of chains.
 *
 * @throws Fault INVALID_INPUT for a word that is neither symbol, name nor unit here, and for too many or long words.
 */
export const findOperators = (registry: OperatorRegistry, query: FindQuery): FoundRow => {
  const { wanted: wantedText, known: knownTexts, limit } = checked(query)
  const variables = variablesIn(registry)
  const [wanted, ...known] = readSaid(variables, [wantedText, ...knownTexts]) as [Said, ...Said[]]
  const edges = edgesOf(variables, known)
  const all = [...wanted.means.keys()]
    .flatMap((at) => variables.places[at] ?? [])
    .filter(({ solvable }) => solvable)
    .map((it) => ranked([solvedFor(it, variables, edges)], undefined, { wanted, known }))
    .sort(byOrder)
  const useful = all.filter(
    ({ links: [link], missing }) => known.length === 0 || missing.length === 0 || (link?.assigned.by.size ?? 0) > 0,
  )
  const seconds = all.flatMap(({ links }) => links)
  const chains = chainsTo(seconds, variables, { wanted, edges })
    .map((it) => ranked([it.first, it.second], it, { wanted, known }))
    .sort(byOrder)
  const ways = (list: readonly Ranked[]): readonly Way[] =>
    list.slice(0, limit).map((it) => wayOf(it, variables, known))
  return {
    wanted: readWord(wanted, variables),
    known: known.map((it) => readWord(it, variables)),
    count: useful.length,
    operators: ways(useful),
    chain_count: chains.length,
    chains: ways(chains),
  }
}
