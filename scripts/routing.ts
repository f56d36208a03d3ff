// `node scripts/routing.ts [--misses]`: how well the router of POST /api/svc/auto reads the queries of
// protocols/routing/corpus.jsonl. A tenth is held out, chosen by the seed below and never tuned on, and so are queries
// that were written when the words stood; only their accuracy is printed, and no miss of them is named. Two more sets,
// colloquial.jsonl and fresh.jsonl, were written without sight of the vocabulary; half of each is held out by the same
// seed. What counts is not the route alone: an input read otherwise than its label says is a wrong reading.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { computeCalls } from '#api/told-routes.ts'
import { toHex, utf8 } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { parseUnit, toSi } from '#core/units.ts'
import { sha256 } from '#crypto'
import { loadVocabulary } from '#domain/compute/auto-words.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { aided } from '#numerics/runtime/solver.ts'
import { solvers } from '#numerics/solvers/index.ts'
import { type Routed, type RoutingTable, routeQuestion } from '#routing/route.ts'
import { withCarets } from '#routing/word-units.ts'

/** Chooses the queries held out: those whose digest with it is 0 modulo 10, of the colloquial ones 0 modulo 2. */
const HELD_OUT_SEED = 'tickmesh routing 1'

/** A labelled query: a solver's name, `compute` with its operator, or `refuse`. */
export interface Labelled {
  readonly query: string
  readonly constants?: Readonly<Record<string, unknown>>
  readonly route: string
  readonly operator?: string
  /** Other answers that a reader would take as well: a solver's name, an operator's id, or `refuse`. */
  readonly or?: string | readonly string[]
  /** Inputs that must be read so, by path or symbol: numbers in SI units (a solver's in its own), or as `5 km`. */
  readonly inputs?: Readonly<Record<string, unknown>>
  /** Written when the words stood, and never tuned on. */
  readonly later?: true
}

const PARTS = [
  'tuned on',
  'held out',
  'written later',
  'colloquial, tuned on',
  'colloquial, held out',
  'fresh, tuned on',
  'fresh, held out',
] as const
type Part = (typeof PARTS)[number]

/** What came of a query, as its label would say it. */
export interface Read {
  readonly labelled: Labelled
  readonly wanted: string
  readonly got: string
  readonly part: Part
  /** The question or refusal, for a query that was not routed. */
  readonly said: string
  /** Why the solver refuses the input that was read, for a query that was routed to one. */
  readonly refused?: string | undefined
  /** Inputs that were read otherwise than the label says, with what was read. */
  readonly misread: readonly string[]
}

/** The kinds of outcomes: read as labelled; asked or refused where an answer was due; refused by the solver; wrong. */
export type Outcome = 'right' | 'asked' | 'refused' | 'wrong'

const queriesOf = (file: string): readonly Labelled[] =>
  readFileSync(new URL(`../protocols/routing/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Labelled)

/** The queries that the vocabulary was written with. */
export const corpus = (): readonly Labelled[] => queriesOf('corpus.jsonl')

/** Queries as people of ten trades type them, written without sight of the vocabulary. */
export const colloquial = (): readonly Labelled[] => queriesOf('colloquial.jsonl')

/** Queries with the inputs that must be read, labelled before the router was looked at. */
export const fresh = (): readonly Labelled[] => queriesOf('fresh.jsonl')

const drawn = (query: string, parts: number): boolean =>
  Number.parseInt(toHex(sha256(utf8(`${HELD_OUT_SEED}\n${query}`))).slice(0, 8), 16) % parts === 0

const partOf = ({ query, later }: Labelled): Part => {
  if (later === true) return 'written later'
  return drawn(query, 10) ? 'held out' : 'tuned on'
}

const halfOf = (set: 'colloquial' | 'fresh', { query }: Labelled): Part =>
  drawn(query, 2) ? `${set}, held out` : `${set}, tuned on`

/** What is routed to here: every solver of the table and every row. */
export const placesHere = (): RoutingTable => ({ vocabulary: loadVocabulary(), registry: loadRegistry(), solvers })

/** What the chosen solver says to the input that was read; undefined when it takes it. */
const refusalOf = ({ registry, solvers: all }: RoutingTable, { name, input }: Extract<Routed, { kind: 'solver' }>) => {
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

const QUANTITY = /^(\S+) (\S.*)$/u
/** Values of bodies and of constants differ in their last digits from source to source. */
const TOLERANCE = 5e-3

const inSi = (value: unknown): unknown => {
  const [, number = '', unit = ''] = typeof value === 'string' ? (QUANTITY.exec(value) ?? []) : []
  if (number === '' || !Number.isFinite(Number(number))) return value
  return toSi(number, parseUnit(withCarets(unit)))
}

const alike = (a: unknown, b: unknown): boolean =>
  typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) <= TOLERANCE * Math.abs(b) : a === b

const valueAt = (input: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>> | undefined)?.[key], input)

/** Inputs of a label that were not read so: of the labelled route alone, another one has others. */
const misreadOf = (routed: Routed, { inputs = {} }: Labelled): readonly string[] => {
  const read = (name: string): unknown =>
    routed.kind === 'operators' ? inSi(routed.order.inputs?.[name]) : valueAt(routed.reading.input, name)
  const values = (name: string): unknown =>
    read(name) ?? (routed.kind === 'solver' ? routed.reading.defaults[name] : undefined)
  return Object.entries(inputs).flatMap(([name, wanted]) =>
    alike(values(name), routed.kind === 'operators' ? inSi(wanted) : wanted)
      ? []
      : [`${name} is ${String(values(name))}, not ${String(wanted)}`],
  )
}

/** Reads one query. A solver that this node does not have counts by its name. */
const readOne = (places: RoutingTable, labelled: Labelled, part: Part): Read => {
  const { query, constants = {}, route, operator } = labelled
  const wanted = operator ?? route
  const common = { labelled, wanted, part, misread: [] }
  try {
    const routed = routeQuestion(places, { query, constants, calls: computeCalls })
    const got = routed.kind === 'operators' ? (routed.order.operators[0] ?? '') : routed.name
    const misread = got === wanted ? misreadOf(routed, labelled) : []
    if (routed.kind === 'operators') return { ...common, got, misread, said: '' }
    return { ...common, got, misread, said: '', refused: refusalOf(places, routed) }
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    const absent = cause.code === 'NOT_FOUND' ? cause.details['solver'] : undefined
    return { ...common, got: typeof absent === 'string' ? absent : 'refuse', said: `${cause.code}: ${cause.message}` }
  }
}

/** Every query of the corpus read. */
export const readAll = (places: RoutingTable): readonly Read[] =>
  corpus().map((labelled) => readOne(places, labelled, partOf(labelled)))

/** Every colloquial query read. */
export const readColloquial = (places: RoutingTable): readonly Read[] =>
  colloquial().map((labelled) => readOne(places, labelled, halfOf('colloquial', labelled)))

/** Every fresh query read. */
export const readFresh = (places: RoutingTable): readonly Read[] =>
  fresh().map((labelled) => readOne(places, labelled, halfOf('fresh', labelled)))

const asLabelled = ({ labelled: { or = [] }, wanted, got, misread }: Read): boolean =>
  (got === wanted && misread.length === 0) || [or].flat().includes(got)

/** What came of a query: a refusal sends it nowhere, another route or other inputs are wrong. */
export const outcomeOf = (read: Read): Outcome => {
  if (asLabelled(read)) return read.refused === undefined ? 'right' : 'refused'
  return read.got === 'refuse' ? 'asked' : 'wrong'
}

/** Share of queries that were read as labelled. */
export const accuracy = (reads: readonly Read[]): number => reads.filter(asLabelled).length / reads.length

/** Queries that were sent to another route than labelled, or there with other inputs. */
export const wrongOf = (reads: readonly Read[]): readonly string[] =>
  reads
    .filter((it) => outcomeOf(it) === 'wrong')
    .map(({ labelled, wanted, got, misread }) => `${labelled.query}: ${wanted} → ${got} ${misread.join(', ')}`)

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
  const count = (kind: Outcome): number => all.filter((it) => outcomeOf(it) === kind).length
  const counts = `${count('right')} right, ${count('asked')} asked, ${count('refused')} refused by the solver`
  return `${name}: ${all.length} queries, ${percent(accuracy(all))} as labelled: ${counts}, ${count('wrong')} wrong`
}

/** A part whole, and apart what can be answered here and what cannot: refusing alone would read the latter well. */
const linesOf = (name: Part, reads: readonly Read[]): readonly string[] => {
  const all = reads.filter(({ part }) => part === name)
  const unanswerable = all.filter(({ wanted }) => wanted === 'refuse')
  const answerable = all.filter(({ wanted }) => wanted !== 'refuse')
  return [lineOf(name, all), lineOf('  of them answerable', answerable), lineOf('  to be refused', unanswerable)]
}

/** The report, line by line. No miss of a query that is not tuned on is named. */
const report = (reads: readonly Read[], named: boolean): readonly string[] => {
  const tuned = reads.filter(({ part }) => part.endsWith('tuned on'))
  const misses = tuned.filter((it) => !asLabelled(it))
  const refusals = tuned.filter((it) => it.refused !== undefined)
  return [
    ...PARTS.flatMap((part) => linesOf(part, reads)),
    'wanted → got, over those tuned on:',
    ...confusion(tuned),
    ...(named
      ? misses.map(
          (it) =>
            `${outcomeOf(it)}: ${it.wanted} → ${it.got}: ${it.labelled.query} | ${it.said}${it.misread.join(', ')}`,
        )
      : []),
    ...(named ? refusals.map((it) => `${it.got} refuses: ${it.labelled.query} | ${it.refused}`) : []),
  ]
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const places = placesHere()
  const reads = [...readAll(places), ...readColloquial(places), ...readFresh(places)]
  console.log(report(reads, process.argv.includes('--misses')).join('\n'))
}
