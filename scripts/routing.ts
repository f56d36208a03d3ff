// `node scripts/routing.ts [--misses]`: how well the router of POST /api/svc/auto reads the queries of
// protocols/routing/corpus.jsonl. A tenth is held out, chosen by the seed below and never tuned on, and so are queries
// that were written when the words stood; only their accuracy is printed, and no miss of them is named.
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

/** Chooses the queries that are held out: those whose digest with it is 0 modulo 10. */
const HELD_OUT_SEED = 'tickmesh routing 1'

/** A labelled query: a solver's name, `compute` with its operator, or `refuse`. */
export interface Labelled {
  readonly query: string
  readonly constants?: Readonly<Record<string, unknown>>
  readonly route: string
  readonly operator?: string
  /** Written when the words stood, and never tuned on. */
  readonly later?: true
}

/** What came of a query, as its label would say it. */
export interface Read {
  readonly labelled: Labelled
  readonly wanted: string
  readonly got: string
  readonly part: 'tuned on' | 'held out' | 'written later'
  /** The question or refusal, for a query that was not routed. */
  readonly said: string
  /** Why the solver refuses the input that was read, for a query that was routed to one. */
  readonly refused?: string | undefined
}

/** The committed queries. */
export const corpus = (): readonly Labelled[] =>
  readFileSync(new URL('../protocols/routing/corpus.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Labelled)

const partOf = ({ query, later }: Labelled): Read['part'] => {
  if (later === true) return 'written later'
  const drawn = Number.parseInt(toHex(sha256(utf8(`${HELD_OUT_SEED}\n${query}`))).slice(0, 8), 16)
  return drawn % 10 === 0 ? 'held out' : 'tuned on'
}

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
const readOne = (places: Places, labelled: Labelled): Read => {
  const { query, constants = {}, route, operator } = labelled
  const wanted = operator ?? route
  const common = { labelled, wanted, part: partOf(labelled) }
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

/** Every query read. */
export const readAll = (places: Places): readonly Read[] => corpus().map((labelled) => readOne(places, labelled))

/** Share of queries that were read as labelled. */
export const accuracy = (reads: readonly Read[]): number =>
  reads.filter(({ wanted, got }) => wanted === got).length / reads.length

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

const confusion = (reads: readonly Read[]): readonly string[] => {
  const pairs = new Map<string, number>()
  for (const { wanted, got } of reads) {
    if (wanted !== got) pairs.set(`${wanted} → ${got}`, (pairs.get(`${wanted} → ${got}`) ?? 0) + 1)
  }
  return [...pairs].sort(([, a], [, b]) => b - a).map(([pair, count]) => `${String(count).padStart(4)}  ${pair}`)
}

/** The report, line by line. No miss of a query that is not tuned on is named. */
const report = (reads: readonly Read[], named: boolean): readonly string[] => {
  const of = (part: Read['part']): readonly Read[] => reads.filter((it) => it.part === part)
  const tuned = of('tuned on')
  const lineOf = (name: string, all: readonly Read[]): string => {
    const elsewhere = all.filter(({ got, wanted }) => got !== 'refuse' && got !== wanted).length
    const refused = all.filter((it) => it.refused !== undefined).length
    const counts = `${elsewhere} sent elsewhere, ${refused} refused by the solver as read`
    return `${name}: ${all.length} queries, ${percent(accuracy(all))} read as labelled, ${counts}`
  }
  const misses = tuned.filter(({ got, wanted }) => got !== wanted)
  const refusals = tuned.filter((it) => it.refused !== undefined)
  return [
    lineOf('tuned on', tuned),
    lineOf('held out', of('held out')),
    lineOf('written later', of('written later')),
    'wanted → got, over those tuned on:',
    ...confusion(tuned),
    ...(named ? misses.map((it) => `${it.wanted} → ${it.got}: ${it.labelled.query} | ${it.said}`) : []),
    ...(named ? refusals.map((it) => `${it.got} refuses: ${it.labelled.query} | ${it.refused}`) : []),
  ]
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(report(readAll(placesHere()), process.argv.includes('--misses')).join('\n'))
}
