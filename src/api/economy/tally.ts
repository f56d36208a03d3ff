import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { closed, count, finite, integer, pageLimit, pageOffset } from '#core/schema.ts'
import { PULSE_MILLIHZ, TICK_NS, TICK_SECONDS } from '#core/tick.ts'
import { consensus, recordPage } from '#domain/economy/views.ts'

/** What anyone may know of this node's sealing. */
const common = { domain: 'economy', tier: 'computation', access: { credential: 'none' } } as const

const TICK_NS_NUMBER = Number(TICK_NS)
/** Ticks from an answer to the finality of its envelope. */
const FINALITY_TICKS = 2

const record = endpoint({
  ...common,
  id: 'economy.record',
  route: 'GET /api/tally/record',
  summary: 'Published computations, newest first: digests, operators and credits, never inputs or results.',
  input: closed({ limit: pageLimit(), offset: pageOffset() }),
  result: answered(recordPage),
  faults: [],
  example: { limit: 10, offset: 0 },
  handle: ({ economy }, { input }) => economy.record(input),
})

/** The choice of an account, and what both its operations answer. */
const choice = {
  domain: 'economy',
  tier: 'computation',
  access: { credential: 'bearer', reach: { to: 'account' } },
  result: answered(
    Type.Object({
      publish: Type.Boolean({
        description: 'Whether new envelopes stand in the public record unless a call says otherwise.',
      }),
    }),
  ),
} as const

const publishDefault = endpoint({
  ...choice,
  id: 'economy.publish-default',
  route: 'GET /api/tally/settings/publish-default',
  summary: 'Whether the account’s new envelopes stand in the public record; they do not unless it chose so.',
  input: closed({}),
  faults: ['SCOPE_REQUIRED', 'NOT_FOUND'],
  example: {},
  handle: async ({ economy }, { caller }) => ({ publish: await economy.publishDefault(caller) }),
})

const setPublishDefault = endpoint({
  ...choice,
  id: 'economy.set-publish-default',
  route: 'POST /api/tally/settings/publish-default',
  summary: 'Chooses for the account’s new envelopes; what is sealed already stays as it is.',
  input: closed({
    publish: Type.Boolean({ description: 'True: digests, operators and credits of each new one stand in the record.' }),
  }),
  faults: ['SCOPE_REQUIRED', 'NOT_FOUND', 'NODE_BUSY'],
  example: { publish: false },
  async handle({ economy }, { input: { publish }, caller }) {
    await economy.setPublishDefault(caller, publish)
    return { publish }
  },
})

const clock = endpoint({
  ...common,
  id: 'economy.clock',
  route: 'GET /api/tally/clock',
  summary: 'The tick period and the pulse frequency, exact and as captions.',
  input: closed({}),
  result: Type.Object({
    tick_sec: finite({ description: 'Caption; for arithmetic use the exact fields.' }),
    tick_sec_exact: finite({ description: 'Seconds.' }),
    tick_ns: integer({ description: 'Nanoseconds, exact.' }),
    pulse_hz: finite({ description: 'Caption.' }),
    pulse_hz_exact: finite({ description: '1e9 / tick_ns.' }),
  }),
  faults: [],
  example: {},
  handle: () => ({
    tick_sec: 0.777,
    tick_sec_exact: TICK_SECONDS,
    tick_ns: TICK_NS_NUMBER,
    pulse_hz: Number(PULSE_MILLIHZ) / 1_000,
    pulse_hz_exact: 1e9 / TICK_NS_NUMBER,
  }),
})

const finality = endpoint({
  ...common,
  id: 'economy.consensus',
  route: 'GET /api/tally/consensus',
  summary: 'How results become final here, and the newest checkpoint.',
  input: closed({}),
  result: answered(
    Type.Object({
      tick_interval_ms: finite(),
      finality_ticks: count({ description: 'Ticks from an answer to finality when no checkpoint is late.' }),
      states: Type.Array(Type.String()),
      rule: Type.String(),
      ...consensus.properties,
    }),
  ),
  faults: [],
  example: {},
  handle({ economy }) {
    return {
      tick_interval_ms: TICK_NS_NUMBER / 1e6,
      finality_ticks: FINALITY_TICKS,
      states: ['promised', 'sealed', 'final'],
      rule: 'promised: signed. sealed: under a checkpoint signed on a tick boundary. final: sealed for one whole tick.',
      ...economy.consensus(),
    }
  },
})

export const tallyEndpoints = [record, publishDefault, setPublishDefault, clock, finality] as const
