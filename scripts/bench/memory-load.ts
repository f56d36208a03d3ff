import { readFileSync } from 'node:fs'
import { type Client, NodeRefusal } from '#gateway/client.ts'

/** One call of the mix; its number among those of its kind varies what it asks. */
interface Kind {
  readonly name: string
  readonly call: (count: number) => Promise<unknown>
}

/** What became of the calls of a load: how many were answered or refused, by kind. */
export interface MixTally {
  readonly answered: Map<string, number>
  readonly refused: Map<string, number>
}

/** Solvers whose default takes no more than some seconds of a thread, by name, as the node lists them. */
const WORK_MAX = 5_000
/** Tokens of answers that later calls read, draw and verify. */
const TOKENS_MAX = 64
const FORMATS = ['svg', 'png', 'csv'] as const
/** Steps after which a new reactor is made. */
const REACTOR_STEPS = 10

const QUESTIONS = new URL('../../protocols/routing/corpus.jsonl', import.meta.url)

const questions = (): readonly { readonly query: string; readonly constants?: unknown }[] =>
  readFileSync(QUESTIONS, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { query: string; constants?: unknown })

const at = <T>(list: readonly T[], count: number): T => {
  const found = list[count % list.length]
  if (found === undefined) throw new Error('an empty list')
  return found
}

const reads = [
  '/healthz',
  '/api/daemon/status',
  '/api/operators?limit=200',
  '/api/operators/search?q=gravitation',
  '/api/endpoints',
  '/api/openapi.json',
  '/metrics',
  '/api/tally/record',
  '/api/solvers',
  '/api/jobs',
  '/api/chain/recent',
  '/api/svc/reactor',
] as const

interface Sealed {
  readonly envelope: { readonly token_id: string }
}

/** The tokens of the newest sealed answers. */
const createTokens = () => {
  const all: string[] = []
  return {
    all,
    keep: ({ body }: { readonly body: unknown }): void => {
      const { envelope } = body as Partial<Sealed>
      if (envelope === undefined) return
      all.push(envelope.token_id)
      if (all.length > TOKENS_MAX) all.shift()
    },
  }
}

/** Names of the solvers whose default is a short run. */
const shortSolvers = async ({ send }: Client): Promise<readonly string[]> => {
  const { body } = await send('GET', '/api/solvers')
  const names = (body as { solvers: readonly { name: string }[] }).solvers.map(({ name }) => name)
  const quoted = await Promise.all(
    names.map(async (name) => {
      const asked = await send('POST', '/api/quote', { route: `POST /api/svc/${name}`, input: {} }).catch(
        () => undefined,
      )
      return { name, work: (asked?.body as { work: number } | undefined)?.work ?? Number.POSITIVE_INFINITY }
    }),
  )
  return quoted.filter(({ work }) => work <= WORK_MAX).map(({ name }) => name)
}

const kindsOf = ({ send }: Client, solvers: readonly string[]): readonly Kind[] => {
  const asked = questions()
  const tokens = createTokens()
  const drawable = createTokens()
  let reactor = ''
  return [
    {
      name: 'solver',
      call: async (count) => drawable.keep(await send('POST', `/api/svc/${at(solvers, count)}`, {})),
    },
    {
      name: 'operators',
      call: async (count) => {
        const inputs = { mass: 1e30 + count }
        tokens.keep(await send('POST', '/api/svc/compute', { operators: ['KO42', 'GR37'], inputs }))
      },
    },
    {
      name: 'uncertain',
      call: (count) => {
        const order = {
          operators: ['NM19'],
          inputs: { m: `${5 + (count % 1000) / 1000} ± 0.1 kg`, a: '2.00(5) m/s^2' },
        }
        return send('POST', '/api/svc/compute', order)
      },
    },
    {
      name: 'auto',
      call: (count) => {
        const { query, constants } = at(asked, count * 7)
        return send('POST', '/api/svc/auto', {
          query,
          ...(constants !== undefined && { constants }),
          dry: count % 3 > 0,
        })
      },
    },
    { name: 'read', call: (count) => send('GET', at(reads, count)) },
    {
      name: 'picture',
      call: (count) => {
        const format = FORMATS[count % FORMATS.length]
        return send('GET', `/api/envelopes/${at(drawable.all, count * 5)}/plot?plot=${format}`)
      },
    },
    {
      name: 'reactor',
      call: async (count) => {
        if (count % REACTOR_STEPS === 0) {
          const { body } = await send('POST', '/api/svc/reactor', {})
          reactor = (body as { reactor: { reactor: string } }).reactor.reactor
        }
        return send('POST', '/api/svc/reactor/step', { reactor })
      },
    },
    {
      name: 'verify',
      call: async (count) => {
        const from = count % 2 === 0 ? tokens.all : drawable.all
        const { body } = await send('GET', `/api/envelopes/${at(from, 0)}/bundle`)
        return send('POST', count % 4 < 2 ? '/api/envelopes/verify' : '/api/svc/reverify', { bundle: body })
      },
    },
  ]
}

const raise = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)

/**
 * Calls of every kind in turn, one after another, at a steady pace at most, until the signal aborts. What is refused
 * is counted: the node may be asked for what has no picture or is not sealed yet.
 */
export const mixedLoad = async (client: Client, perSecond: number, signal: AbortSignal): Promise<MixTally> => {
  const kinds = kindsOf(client, await shortSolvers(client))
  const tally: MixTally = { answered: new Map(), refused: new Map() }
  for (let i = 0; !signal.aborted; i++) {
    const due = performance.now() + 1000 / perSecond
    const kind = at(kinds, i)
    try {
      await kind.call(Math.floor(i / kinds.length))
      raise(tally.answered, kind.name)
    } catch (cause) {
      if (!(cause instanceof NodeRefusal)) throw cause
      raise(tally.refused, `${kind.name} ${cause.code}`)
    }
    await new Promise((done) => setTimeout(done, Math.max(0, due - performance.now())))
  }
  return tally
}
