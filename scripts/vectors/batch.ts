import {
  type BatchCall,
  type BatchClosing,
  type BatchOpening,
  type BatchOutcome,
  callLeaf,
  callsRoot,
  closeLeaf,
  countsOf,
  openLeaf,
  outcomeLeaf,
  outcomesRoot,
} from '#core/batch/forms.ts'
import { toHex } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { tokenIdOf } from '#core/ids.ts'
import { signValue } from '#core/keys.ts'
import { leafHash } from '#core/merkle.ts'
import { ofBatches } from './core.ts'
import { node, sealLog, user } from './sample.ts'

const calls: readonly BatchCall[] = [32, 152, 272].map((nx) => ({
  route: 'POST /api/svc/heat',
  input: { nx },
  inputs_digest: digest(purposes.inputs, { nx, steps: 200 }),
}))
const BATCH = '000102030405060708090a0b0c0d0e0f'
const [OPENED, CLOSED] = [7, 10]

const outcomes: readonly BatchOutcome[] = [
  { outcome: 'sealed', token_id: tokenIdOf(sealLog, OPENED + 1) },
  { outcome: 'refused', code: 'PRECISION_NOT_MET' },
  { outcome: 'failed', code: 'WORKER_LOST' },
]

const opening: BatchOpening = {
  ...{ v: 1, node: node.node, log: sealLog, index: OPENED, batch: BATCH, zid: user.zid },
  ...{ calls: calls.length, root: callsRoot(calls), price: 9, tick: 41 },
}
const signed = (purpose: typeof purposes.batchOpening | typeof purposes.batchClosing, value: object): string =>
  signValue(node.seed, purpose, value as Json)
const signedOpening = { opening, signature: signed(purposes.batchOpening, opening) }

const closing: BatchClosing = {
  ...{ v: 1, node: node.node, log: sealLog, index: CLOSED, batch: BATCH },
  ...{ opening: toHex(leafHash(openLeaf(signedOpening))), calls: calls.length, ...countsOf(outcomes) },
  ...{ outcomes: outcomesRoot(outcomes), tick: 42 },
}
const signedClosing = { closing, signature: signed(purposes.batchClosing, closing) }

const leafOf = (bytes: Uint8Array) => ({ bytes: toHex(bytes), hash: toHex(leafHash(bytes)) })

/** Byte forms of a batch: its calls, what opens it, what came of them, what closes it. */
export const batchVectors = () => ({
  about:
    'A batch of three calls: leaves of both trees with their hashes, the two signed documents and their leaves in ' +
    'the seal log: wire/batch.md.',
  digests: ofBatches.map((purpose) => {
    const value = { purpose, n: 1 }
    return { purpose, value, digest: digest(purpose, value) }
  }),
  seed: toHex(node.seed),
  calls: calls.map((call) => ({ call, ...leafOf(callLeaf(call)) })),
  opening: { ...signedOpening, text: canonical(opening as unknown as Json), ...leafOf(openLeaf(signedOpening)) },
  outcomes: outcomes.map((outcome) => ({ outcome, ...leafOf(outcomeLeaf(outcome)) })),
  closing: { ...signedClosing, text: canonical(closing as unknown as Json), ...leafOf(closeLeaf(signedClosing)) },
})
