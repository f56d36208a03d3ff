import Type from 'typebox'
import { endpoint } from '#api/endpoint.ts'
import {
  closed,
  count,
  credits,
  finite,
  hex64,
  integer,
  oneOf,
  orNull,
  PAGE_ROWS_DEFAULT,
  pageLimit,
  pageOffset,
  tick,
  tokenId,
} from '#core/schema.ts'
import { PULSE_MILLIHZ, TICK_NS } from '#core/tick.ts'

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
  result: Type.Object({
    ok: Type.Boolean(),
    total: count(),
    limit: count(),
    offset: count(),
    records: Type.Array(
      Type.Object({
        token_id: tokenId(),
        hash: hex64({ description: 'Leaf hash in the seal log.' }),
        index: count(),
        tick: tick(),
        phase: finite({ minimum: 0, maximum: 1 }),
        kind: Type.String(),
        operators: Type.Array(Type.String()),
        face_value: credits(),
        funding: oneOf(['paid', 'free']),
        precisionActual: finite({ minimum: 0 }),
        inputs_digest: hex64({ description: 'HMAC-SHA256 of the digest under the nonce that only the owner has.' }),
        result_digest: hex64({ description: 'As inputs_digest.' }),
        state: oneOf(['promised', 'sealed', 'final']),
      }),
    ),
  }),
  faults: [],
  example: { limit: 10, offset: 0 },
  async handle({ economy }, { input }) {
    const { limit = PAGE_ROWS_DEFAULT, offset = 0 } = input
    const { total, records } = await economy.record(limit, offset)
    return { ok: true, total, limit, offset, records: records.map((it) => ({ ...it, operators: [...it.operators] })) }
  },
})

/** The choice of an account, and what both its operations answer. */
const choice = {
  domain: 'economy',
  tier: 'computation',
  access: { credential: 'bearer', reach: { to: 'account' } },
  result: Type.Object({
    ok: Type.Boolean(),
    publish: Type.Boolean({
      description: 'Whether new envelopes stand in the public record unless a call says otherwise.',
    }),
  }),
} as const

const publishDefault = endpoint({
  ...choice,
  id: 'economy.publish-default',
  route: 'GET /api/tally/settings/publish-default',
  summary: 'Whether the account’s new envelopes stand in the public record; they do not unless it chose so.',
  input: closed({}),
  faults: ['SCOPE_REQUIRED', 'NOT_FOUND'],
  example: {},
  handle: async ({ economy }, { caller }) => ({ ok: true, publish: await economy.publishDefault(caller) }),
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
    return { ok: true, publish }
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
    tick_sec_exact: TICK_NS_NUMBER / 1e9,
    tick_ns: TICK_NS_NUMBER,
    pulse_hz: Number(PULSE_MILLIHZ) / 1_000,
    pulse_hz_exact: 1e9 / TICK_NS_NUMBER,
  }),
})

const consensus = endpoint({
  ...common,
  id: 'economy.consensus',
  route: 'GET /api/tally/consensus',
  summary: 'How results become final here, and the newest checkpoint.',
  input: closed({}),
  result: Type.Object({
    ok: Type.Boolean(),
    tick_interval_ms: finite(),
    finality_ticks: count({ description: 'Ticks from an answer to finality when no checkpoint is late.' }),
    states: Type.Array(Type.String()),
    rule: Type.String(),
    tick: tick(),
    origin: Type.String(),
    size: count({ description: 'Durable leaves of the seal log.' }),
    root: hex64({ description: 'Root over all of them.' }),
    checkpoint: orNull(
      Type.Object({
        size: count(),
        root: hex64(),
        tick: tick({ description: 'The tick that it closes.' }),
        late: Type.Boolean(),
        note: Type.String({ description: 'C2SP signed note, with the lines of its witnesses.' }),
        witnessed: count({ description: 'Cosignatures on it.' }),
      }),
    ),
    clock_behind: Type.Boolean({ description: 'Sealing waits for the clock.' }),
  }),
  faults: [],
  example: {},
  handle({ economy }) {
    return {
      ok: true,
      tick_interval_ms: TICK_NS_NUMBER / 1e6,
      finality_ticks: FINALITY_TICKS,
      states: ['promised', 'sealed', 'final'],
      rule: 'promised: signed. sealed: under a checkpoint signed on a tick boundary. final: sealed for one whole tick.',
      ...economy.consensus(),
    }
  },
})

export const tallyEndpoints = [record, publishDefault, setPublishDefault, clock, consensus] as const
