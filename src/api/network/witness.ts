import Type from 'typebox'
import { answer, endpoint } from '#api/endpoint.ts'
import { ADD_CHECKPOINT_BYTES_MAX, SIZE_TYPE } from '#core/add-checkpoint.ts'
import { Fault } from '#core/fault.ts'
import { closed, text } from '#core/schema.ts'

/**
 * C2SP tlog-witness: submission and monitoring of this node's witness. Statuses, types and bodies are that document's.
 * Who asks is not asked: the signature on the checkpoint is the credential.
 */
const common = {
  domain: 'network-governance',
  tier: 'computation',
  access: { credential: 'none' },
} as const

const TEXT = 'text/plain; charset=utf-8'

/** Requests of one address bucket in a minute: each that holds costs two signatures and a write. */
const CALLS_PER_MINUTE = 240

/** Characters of a hash; whatever is none is the hash of no log. */
const HASH_CHARS_MAX = 1_024

const add = endpoint({
  ...common,
  id: 'network.witness-add',
  route: 'POST /witness/add-checkpoint',
  summary: 'C2SP tlog-witness add-checkpoint: a log shows its newest checkpoint, and this witness cosigns it.',
  takes: 'bytes',
  limits: { callsPerMinute: CALLS_PER_MINUTE, bodyBytes: ADD_CHECKPOINT_BYTES_MAX },
  input: closed({}),
  result: Type.String({ description: 'The cosignature line; for 409 the size that was cosigned last.' }),
  faults: [],
  example: {},
  produces: [TEXT, SIZE_TYPE],
  async handle({ witness }, { body = new Uint8Array() }) {
    return answer(await witness.admission.add(body))
  },
})

const checkpoint = endpoint({
  ...common,
  id: 'network.witness-checkpoint',
  route: 'GET /witness/{origin_hash}/checkpoint',
  summary: 'The checkpoint of a log that this witness cosigned last, with both signatures.',
  limits: { callsPerMinute: CALLS_PER_MINUTE },
  input: closed({ origin_hash: text(HASH_CHARS_MAX, { description: 'SHA-256 of the origin, hex.' }) }),
  result: Type.String({ description: 'A C2SP signed note.' }),
  faults: ['NOT_FOUND'],
  example: { origin_hash: '0'.repeat(64) },
  produces: [TEXT],
  handle({ witness }, { input }) {
    const note = witness.admission.checkpoint(input.origin_hash)
    if (note === undefined) throw new Fault('NOT_FOUND', 'No checkpoint of that log was cosigned here.')
    return answer({ body: note, type: TEXT })
  },
})

export const witnessEndpoints = [add, checkpoint] as const
