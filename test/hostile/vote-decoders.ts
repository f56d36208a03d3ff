import assert from 'node:assert/strict'
import { canonical, canonicalBytes, type Json } from '#core/canonical.ts'
import { parseJson } from '#core/json.ts'
import { parseNote } from '#core/note.ts'
import { fitting } from '#core/schema.ts'
import { parseTlogProof } from '#core/tlog-proof.ts'
import { openedSchema, type Proposal, proposalId, type SignedStake, signedStakeSchema } from '#core/vote/documents.ts'
import { stakeFault } from '#core/vote/stake.ts'
import { altered, leavesOf, replaced } from '../kit/alterations.ts'
import type { Random } from '../kit/random.ts'
import type { Decoder } from './fuzz.ts'
import { readVector } from './vectors.ts'

/** Decoders of what votes are made of: proposals and stakes, as events bring them. */

const DOCUMENT_BYTES_MAX = 65_535
/** One shaped input in so many, where each costs signatures. */
const SHAPED_SELDOM = 40

const vectors = readVector<{
  readonly proposal: { readonly proposal: Proposal; readonly id: string; readonly closes: number }
  readonly stakes: readonly { readonly signed: SignedStake }[]
}>('vote')

const leafChanged =
  (documents: readonly Json[]) =>
  (random: Random): Uint8Array => {
    const document = random.pick(documents)
    const [path, old] = random.pick(leavesOf(document))
    return canonicalBytes(replaced(document, path, altered(old)) as Json)
  }

const { proposal, id, closes } = vectors.proposal
const opened = { proposal, closes } as unknown as Json
const known = canonical(proposal as unknown as Json)

const openedVote: Decoder = {
  name: 'proposal',
  corpus: [canonicalBytes(opened)],
  words: ['"cases":[', '"window_ticks":', '"policy":"open"', '"row":{', '"variables":{', '"closes":0'],
  shaped: leafChanged([opened]),
  decode(input) {
    const read = fitting(openedSchema, parseJson(input, DOCUMENT_BYTES_MAX))
    const same = canonical(read.proposal as unknown as Json) === known
    assert.equal(proposalId(read.proposal) === id, same, 'two proposals of one id')
    return true
  },
}

/** What a stake that holds binds: all of it but lines of keys that nobody knows, below its checkpoint. */
const boundOf = ({ stake, ...rest }: SignedStake): string => {
  const { proof, ...lock } = stake.lock
  const { index, path, checkpoint } = parseTlogProof(proof)
  const text = parseNote(checkpoint).text
  return canonical({ ...rest, stake: { ...stake, lock }, index, path: path.map(String), text } as unknown as Json)
}
const stakes = vectors.stakes.map((it) => it.signed)
const bound = new Set(stakes.map(boundOf))

const signedStake: Decoder = {
  name: 'stake',
  corpus: stakes.map((it) => canonicalBytes(it as unknown as Json)),
  words: ['"side":"no"', '"weight":', '"lock":{', '"proof":"', '"ref":"vote:', '"until":null', `01${'00'.repeat(31)}`],
  shaped: leafChanged(stakes as unknown as readonly Json[]),
  shapedEvery: SHAPED_SELDOM,
  decode(input) {
    const signed = fitting(signedStakeSchema, parseJson(input, DOCUMENT_BYTES_MAX)) as SignedStake
    if (stakeFault(signed) !== undefined) return false
    assert(bound.has(boundOf(signed)), 'a forged stake')
    return true
  },
}

/** All of them, each to be fuzzed. */
export const voteDecoders: readonly Decoder[] = [openedVote, signedStake]
