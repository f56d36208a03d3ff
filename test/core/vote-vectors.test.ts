// Goal: the byte forms of votes stay, what the vectors refuse is refused, and a policy takes only what its quorum saw.
// Method: the golden file, read as another implementation would read it; and stakes altered member by member.
import assert from 'node:assert/strict'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { purposes } from '#core/digest.ts'
import { logVerifierOf } from '#core/equivocation.ts'
import { nodeIdOf, publicKeyOfSeed, signValue, verifyValue } from '#core/keys.ts'
import { encodeVkey } from '#core/note.ts'
import { parsePolicy, policyOfLog } from '#core/policy.ts'
import { type Proposal, proposalId, SETTLE_TICKS, type SignedStake, stakeId } from '#core/vote/documents.ts'
import { stakeFault, stakeStanding } from '#core/vote/stake.ts'
import { type CountedStake, sortStakes, tallyOf, voteLeaf } from '#core/vote/tally.ts'
import { witnessVerifier } from '#core/witness-key.ts'
import { readVector } from '../hostile/vectors.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/vote vectors')

const vectors = readVector<{
  readonly seeds: Readonly<Record<'user' | 'taker', string>>
  readonly proposal: {
    readonly proposal: Proposal
    readonly text: string
    readonly id: string
    readonly closes: number
  }
  readonly stakes: readonly { readonly signed: SignedStake; readonly id: string }[]
  readonly refused: readonly { readonly why: string; readonly signed: SignedStake }[]
  readonly leaves: readonly { readonly stake: CountedStake; readonly leaf: string }[]
  readonly counts: readonly {
    readonly why: string
    readonly rules: { readonly closes: number; readonly logs: number | null; readonly voided: readonly string[] }
    readonly stakes: readonly CountedStake[]
    readonly left_out: Readonly<Record<string, string>>
    readonly tally: object
  }[]
}>('vote')
const { closes } = vectors.proposal
const [{ signed: good }] = vectors.stakes as [(typeof vectors.stakes)[0]]

test('a proposal is named by its bytes', () => {
  const { proposal, text, id } = vectors.proposal
  assert.equal(canonical(proposal as unknown as Json), text)
  assert.equal(proposalId(proposal), id)
  assert.notEqual(proposalId({ ...proposal, window_ticks: proposal.window_ticks + 1 }), id)
})

test('stakes hold, and are signed as anybody would sign them', () => {
  for (const { signed, id } of vectors.stakes) {
    assert.equal(stakeFault(signed), undefined)
    assert.equal(stakeId(signed), id)
    const seed = fromHex(vectors.seeds[signed.stake.side === 'yes' ? 'user' : 'taker'])
    assert.equal(toHex(publicKeyOfSeed(seed)), signed.public_key)
    assert.equal(signValue(seed, purposes.stake, signed.stake as unknown as Json), signed.signature)
    const other = verifyValue(
      fromHex(signed.public_key),
      purposes.proposal,
      signed.stake as unknown as Json,
      signed.signature,
    )
    assert.equal(other, false, 'one purpose, one meaning')
  }
})

test('stakes that do not hold are refused', () => {
  for (const { why, signed } of vectors.refused) assert.notEqual(stakeFault(signed), undefined, why)
})

test('no member of a stake can be another one', () => {
  const alter = (value: Json): Json => {
    if (typeof value === 'string') return value.startsWith('0') ? `1${value.slice(1)}` : `0${value.slice(1)}`
    return typeof value === 'number' ? value + 1 : value
  }
  const paths = (value: Json, at: readonly string[] = []): readonly (readonly string[])[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, it]) => paths(it as Json, [...at, name]))
      : [at]
  for (const path of paths(good as unknown as Json)) {
    const copy = structuredClone(good) as unknown as Record<string, Json>
    const parent = path.slice(0, -1).reduce((it, name) => it[name] as Record<string, Json>, copy)
    const name = path.at(-1) as string
    parent[name] = alter(parent[name] as Json)
    if (path.join('.') === 'stake.lock.v' || path.join('.') === 'stake.lock.kind') continue // The form has one value.
    assert.notEqual(stakeFault(copy as unknown as SignedStake), undefined, path.join('.'))
  }
})

test('a lock that ends too early or too late, another home, or no quorum: it counts for nothing', () => {
  const { home } = good.stake.lock.receipt
  const vkey = encodeVkey(logVerifierOf(home))
  const standing = (over: object) => stakeStanding(good, { closes, policy: undefined, successions: [], ...over })
  assert.equal(standing({}), undefined)
  assert.equal(standing({ closes: closes - 1 }), 'lock_ends')
  assert.equal(standing({ closes: closes + SETTLE_TICKS }), undefined)
  assert.equal(standing({ closes: closes + SETTLE_TICKS + 1 }), 'lock_ends')
  assert.equal(standing({ policy: policyOfLog(vkey) }), undefined)
  const other = encodeVkey(logVerifierOf(home.replace(/\d+$/, '1')))
  assert.equal(standing({ policy: policyOfLog(other) }), 'home')
  const key = publicKeyOfSeed(fromHex(vectors.seeds.taker))
  const witness = encodeVkey(witnessVerifier(nodeIdOf(key), key))
  const policy = parsePolicy(utf8(`log ${vkey}\nwitness w ${witness}\nquorum w\n`))
  assert.equal(standing({ policy }), 'quorum')
})

test('leaves and counts are what they are said to be', () => {
  for (const { stake, leaf } of vectors.leaves) assert.equal(toHex(voteLeaf(stake)), leaf)
  for (const { why, rules, stakes, left_out, tally } of vectors.counts) {
    const by = { closes: rules.closes, logs: rules.logs ?? undefined, voided: new Set(rules.voided) }
    const sorted = sortStakes(stakes.toReversed(), by)
    assert.deepEqual(Object.fromEntries(sorted.out), left_out, why)
    assert.deepEqual(tallyOf(sorted, by), tally, why)
  }
})

test.run()
