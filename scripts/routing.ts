// `node scripts/routing.ts [--misses]`: how well the router of POST /api/svc/auto reads the queries of
// protocols/routing/corpus.jsonl. A tenth is held out, chosen by the seed below and never tuned on, and so are queries
// that were written when the words stood; only their accuracy is printed, and no miss of them is named. Another set,
// colloquial.jsonl, was written without sight of the vocabulary; half of it is held out by the same seed.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { toHex, utf8 } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { sha256 } from '#crypto'
import { loadVocabulary } from '#domain/compute/auto-words.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { resolveInput } from '#numerics/input.ts'
import { type Places, type Routed, routeQuestion } from '#numerics/routing/route.ts'
import { aided } from '#numerics/solver.ts'
import { solvers } from '#numerics/solvers/index.ts'

/** Chooses the queries held out: those whose digest with it is 0 modulo 10, of the colloquial ones 0 modulo 2. */
const HELD_OUT_SEED = 'tickmesh routing 1'

/** A labelled query: a solver's name, `compute` with its operator, or `refuse`. */
export interface Labelled {
  readonly query: string
  readonly constants?: Readonly<Record<string, unknown>>
  readonly route: string
  readonly operator?: string
  /** Another answer that a reader would take as well: a solver's name, an operator's id, or `refuse`. */
  readonly or?: string
  /** Written when the words stood, and never tuned on. */
  readonly later?: true
}

/** What came of a query, as its label would say it. */
export interface Read {
  readonly labelled: Labelled
  readonly wanted: string
  readonly got: string
  readonly part: 'tuned on' | 'held out' | 'written later' | 'colloquial, tuned on' | 'colloquial, held out'
  /** The question or refusal, for a query that was not routed. */
  readonly said: string
  /** Why the solver refuses the input that was read, for a query that was routed to one. */
  readonly refused?: string | undefined
}

const queriesOf = (file: string): readonly Labelled[] =>
  readFileSync(new URL(`../protocols/routing/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Labelled)

/** The queries that the vocabulary was written with. */
export const corpus = (): readonly Labelled[] => queriesOf('corpus.jsonl')

/** Queries as people of ten trades type them, written without sight of the vocabulary. */
export const colloquial = (): readonly Labelled[] => queriesOf('colloquial.jsonl')

const drawn = (query: string, parts: number): boolean =>
  Number.parseInt(toHex(sha256(utf8(`${HELD_OUT_SEED}\n${query}`))).slice(0, 8), 16) % parts === 0

const partOf = ({ query, later }: Labelled): Read['part'] => {
  if (later === true) return 'written later'
  return drawn(query, 10) ? 'held out' : 'tuned on'
}

const halfOf = ({ query }: Labelled): Read['part'] =>
  drawn(query, 2) ? 'colloquial, held out' : 'colloquial, tuned on'

/** What is routed to here: every solver of the table and every row. */
export const placesHere = (): Places => ({ vocabulary: loadVocabulary(), registry: loadRegistry(), solvers })

/** What the chosen solver says to the input that was read; undefined when it takes it. */
const refusalOf = ({ registry, solvers: all }: Places, { name, input }: Extract<Routed, { kind: 'solver' }>) => {
  const solver = all.find((it) => it.name === name)
  if (solver === undefined) return undefined
  try {
    const it = aided(solver, { registry: () => registry })
    it.refuse(resolveInput(it, input) as Record<string, unknown>)
    return undefined
  } catch (cause) {
    if (cause instanceof Fault) return `${cause.code}: ${cause.message}`
    throw cause
  }
}

/** Reads one query. A solver that this node does not have counts by its name. */
const readOne = (places: Places, labelled: Labelled, part: Read['part']): Read => {
  const { query, constants = {}, route, operator } = labelled
  const wanted = operator ?? route
  const common = { labelled, wanted, part }
  try {
    const routed = routeQuestion(places, { query, constants })
    if (routed.kind === 'operators') return { ...common, got: routed.order.operators[0] ?? '', said: '' }
    return { ...common, got: routed.name, said: '', refused: refusalOf(places, routed) }
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    const absent = cause.code === 'NOT_FOUND' ? cause.details['solver'] : undefined
    return { ...common, got: typeof absent === 'string' ? absent : 'refuse', said: `${cause.code}: ${cause.message}` }
  }
}

/** Every query of the corpus read. */
export const readAll = (places: Places): readonly Read[] =>
  corpus().map((labelled) => readOne(places, labelled, partOf(labelled)))

/** Every colloquial query read. */
export const readColloquial = (places: Places): readonly Read[] =>
  colloquial().map((labelled) => readOne(places, labelled, halfOf(labelled)))

const asLabelled = ({ labelled, wanted, got }: Read): boolean => got === wanted || got === labelled.or

/** Whether a query was sent where its label does not say; a refusal sends it nowhere. */
export const sentElsewhere = (read: Read): boolean => read.got !== 'refuse' && !asLabelled(read)

/** Share of queries that were read as labelled. */
export const accuracy = (reads: readonly Read[]): number => reads.filter(asLabelled).length / reads.length

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

const confusion = (reads: readonly Read[]): readonly string[] => {
  const pairs = new Map<string, number>()
  for (const read of reads) {
    const { wanted, got } = read
    if (!asLabelled(read)) pairs.set(`${wanted} → ${got}`, (pairs.get(`${wanted} → ${got}`) ?? 0) + 1)
  }
  return [...pairs].sort(([, a], [, b]) => b - a).map(([pair, count]) => `${String(count).padStart(4)}  ${pair}`)
}

const lineOf = (name: string, all: readonly Read[]): string => {
  const elsewhere = all.filter(sentElsewhere).length
  const refused = all.filter((it) => it.refused !== undefined).length
  const counts = `${elsewhere} sent elsewhere, ${refused} refused by the solver as read`
  return `${name}: ${all.length} queries, ${percent(accuracy(all))} read as labelled, ${counts}`
}

/** A part whole, and apart what can be answered here and what cannot: refusing alone would read the latter well. */
const linesOf = (name: Read['part'], reads: readonly Read[]): readonly string[] => {
  const all = reads.filter(({ part }) => part === name)
  if (!name.startsWith('colloquial')) return [lineOf(name, all)]
  const unanswerable = all.filter(({ wanted }) => wanted === 'refuse')
  const answerable = all.filter(({ wanted }) => wanted !== 'refuse')
  return [lineOf(name, all), lineOf('  of them answerable', answerable), lineOf('  to be refused', unanswerable)]
}

/** The report, line by line. No miss of a query that is not tuned on is named. */
const report = (reads: readonly Read[], named: boolean): readonly string[] => {
  const tuned = reads.filter(({ part }) => part === 'tuned on' || part === 'colloquial, tuned on')
  const misses = tuned.filter((it) => !asLabelled(it))
  const refusals = tuned.filter((it) => it.refused !== undefined)
  return [
    ...linesOf('tuned on', reads),
    ...linesOf('held out', reads),
    ...linesOf('written later', reads),
    ...linesOf('colloquial, tuned on', reads),
    ...linesOf('colloquial, held out', reads),
    'wanted → got, over those tuned on:',
    ...confusion(tuned),
    ...(named ? misses.map((it) => `${it.wanted} → ${it.got}: ${it.labelled.query} | ${it.said}`) : []),
    ...(named ? refusals.map((it) => `${it.got} refuses: ${it.labelled.query} | ${it.refused}`) : []),
  ]
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const places = placesHere()
  console.log(report([...readAll(places), ...readColloquial(places)], process.argv.includes('--misses')).join('\n'))
}
