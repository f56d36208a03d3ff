/*
 * Goal: what counts is decided by when a stake happened, by the policy and by evidence, whenever that came to be known;
 * what this node cannot sign or count is refused before anything is locked. Method: a house on a clock of the test,
 * with the answers of time and standing in the test's hand.
 */
import assert from 'node:assert/strict'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import { purposes } from '#core/digest.ts'
import { logVerifierOf } from '#core/equivocation.ts'
import { nodeIdOf, publicKeyOfSeed, signValue } from '#core/keys.ts'
import { encodeVkey } from '#core/note.ts'
import { parsePolicy, policyOfLog } from '#core/policy.ts'
import { type HeldReceipt, tokenEvidenceOf } from '#core/token/evidence.ts'
import { packList } from '#core/token/list.ts'
import type { TokenOp } from '#core/token/op.ts'
import { signOp } from '#core/token/order.ts'
import { receiptOf, signReceipt } from '#core/token/receipt.ts'
import { WINDOW_TICKS_MIN } from '#core/vote/documents.ts'
import { witnessVerifier } from '#core/witness-key.ts'
import { keepTokenProof } from '#domain/network/token-evidence.ts'
import type { StakeTime, Votes } from '#domain/network/votes/types.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { callerOf, type House, newAccount, openHouse, refusal, wealthy } from '../house.ts'
import { leadOn, openVote, type Rich, votesIn } from './votes-kit.ts'

const test = suite('domain/network: votes')
const MS = 60_000
/** A policy that names the house's own log, and has a witness. */
const witnessedPolicy = ({ store }: House, quorum: 'w' | 'none') => {
  const key = publicKeyOfSeed(new Uint8Array(32).fill(5))
  const log = encodeVkey(logVerifierOf(store.log.origin))
  const witness = encodeVkey(witnessVerifier(nodeIdOf(key), key))
  return parsePolicy(utf8(`log ${log}\nwitness w ${witness}\nquorum ${quorum}\n`))
}

/** Evidence that the house, as a home, applied another op to the tokens of a lock. */
const twice = async (house: House, { caller, op_digest }: { caller: Rich['caller']; op_digest: string }) => {
  const { receipt: file } = await house.economy.moves.move(caller, op_digest)
  const { op, public_key, signature, receipt, receipt_signature, list = [] } = file
  const packed = packList(list)
  const { seed } = await house.identity.exportKey(caller)
  const again = signOp(fromHex(seed), { ...op, ref: 'vote:other' } as TokenOp)
  const { log, index, weight, mesh_tick: meshTick } = receipt
  const told = receiptOf(again.op, { log, index: index + 1, weight, meshTick })
  const held = { op, public_key, signature, receipt, receipt_signature, list: packed } as HeldReceipt
  const other = { ...again, receipt: told, receipt_signature: signReceipt(house.keys.seed, told), list: packed }
  const evidence = tokenEvidenceOf(held, other)
  assert(evidence !== undefined, 'two ops at one count of changes')
  return { ...evidence, successions: [] }
}

const first = async (votes: Votes, id: string) => {
  const { stakes, tally } = await votes.get(id)
  return { counting: stakes[0]?.counting, why: stakes[0]?.why, yes: tally.yes }
}

test(
  'pending, in time, too late by its tick and too late by its cosignature: as it becomes known',
  async (signal) => {
    using dir = tempDir()
    await using house = await openHouse(dir.path)
    let time: StakeTime | 'pending' = 'pending'
    await using votes = await votesIn(house, {
      policy: witnessedPolicy(house, 'none'),
      timeOf: () => time,
    })
    const rich = await wealthy(house, 2)
    const { id, closes } = await openVote(votes, rich)
    await votes.stake(rich.caller, { id, side: 'yes', token_ids: rich.tokens })
    await leadOn({ house, votes, id }, (it) => it.stakes[0]?.why === 'not_cosigned', signal)
    assert.deepEqual(await first(votes, id), { counting: 'pending', why: 'not_cosigned', yes: 0 })
    const inTime: StakeTime = { at: closes, cosigned: closes, mark: null }
    for (const [said, counting, why, yes] of [
      [inTime, 'yes', null, 10],
      [{ ...inTime, cosigned: closes + 1 }, 'no', 'too_late', 0],
      [{ ...inTime, at: closes + 1, mark: 'late' }, 'no', 'too_late', 0],
      [{ ...inTime, cosigned: null, mark: 'unwitnessed' }, 'unwitnessed', null, 10],
    ] as const) {
      time = said
      assert.deepEqual(await first(votes, id), { counting, why, yes })
    }
  },
  MS,
)

test(
  'where witnesses are asked a stake is refused earlier, and one whose lock no quorum saw is never published',
  async (signal) => {
    using dir = tempDir()
    await using house = await openHouse(dir.path)
    await using votes = await votesIn(house, { policy: witnessedPolicy(house, 'w') })
    const rich = await wealthy(house, 2)
    const { id, closes } = await openVote(votes, rich)
    const [one = '', two = ''] = rich.tokens
    const { op_digest } = await votes.stake(rich.caller, { id, side: 'yes', token_ids: [one] })
    house.clock.advanceTicks(1)
    await house.store.closeTick()
    votes.beat()
    assert.deepEqual(await first(votes, id), { counting: 'pending', why: 'lock_pending', yes: 0 })
    house.clock.advanceTicks(closes - 8 - house.store.now().meshTick)
    const { last_tick } = await votes.get(id)
    assert.equal(last_tick, closes - 8)
    house.clock.advanceTicks(1)
    const late = await refusal(() => votes.stake(rich.caller, { id, side: 'yes', token_ids: [two] }))
    assert.deepEqual([late.code, late.details['last_tick']], ['TOO_LATE', closes - 8])
    assert.equal(house.store.peek('envelope', two)?.lock, null)
    house.clock.advanceTicks(8)
    await leadOn({ house, votes, id }, () => house.store.peek('stakeOp', op_digest)?.state === 'late', signal)
    assert.equal(house.store.peek('voteCount', `stakes/${id}`), undefined)
    await votes.resolve(id)
    assert.equal(house.store.peek('envelope', one)?.lock, null, 'it comes back all the same')
  },
  MS,
)

test(
  'what evidence voids counts no more, and a home that does not count makes its stakes count for nothing',
  async (signal) => {
    using dir = tempDir()
    await using house = await openHouse(dir.path)
    let counts = true
    await using votes = await votesIn(house, {
      standingOf: () => (counts ? { counts, up_to: null, because: 'open' } : { counts, up_to: 0, because: 'evidence' }),
    })
    const rich = await wealthy(house, 2)
    const { id } = await openVote(votes, rich)
    const { op_digest } = await votes.stake(rich.caller, { id, side: 'yes', token_ids: rich.tokens })
    await leadOn({ house, votes, id }, (it) => it.stakes[0]?.counting === 'unwitnessed', signal)
    counts = false
    assert.deepEqual(await first(votes, id), { counting: 'no', why: 'evidence', yes: 0 })
    counts = true
    const proof = await twice(house, { caller: rich.caller, op_digest })
    await house.store.commit((tx) => keepTokenProof(tx, proof))
    assert.deepEqual(await first(votes, id), { counting: 'no', why: 'voided', yes: 0 })
  },
  MS,
)

test(
  'a proposal of another policy is shown and not counted; who keeps the key does not stake by this node',
  async () => {
    using dir = tempDir()
    await using house = await openHouse(dir.path)
    const rich = await wealthy(house, 1)
    let id = ''
    {
      await using votes = await votesIn(house)
      id = (await openVote(votes, rich)).id
      const seed = new Uint8Array(32).fill(9)
      const publicKey = toHex(publicKeyOfSeed(seed))
      const { meshTick: mesh_tick } = house.store.now()
      const signed = { node: house.keys.nodeId, public_key: publicKey, mesh_tick }
      const signature = signValue(seed, purposes.signUp, signed)
      const own = await house.identity.signUp({ publicKey, signature, meshTick: mesh_tick, bucket: 'own' })
      const refused = await refusal(() => votes.stake(callerOf(house, own.api_key), { id, side: 'yes', count: 1 }))
      assert.deepEqual([refused.code, refused.details['scope']], ['SCOPE_REQUIRED', 'zid-key'])
    }
    await using votes = await votesIn(house, {
      policyName: 'f'.repeat(64),
      policy: policyOfLog(encodeVkey(logVerifierOf(house.store.log.origin))),
    })
    assert.equal((await votes.get(id)).counts_here, false)
    const refused = await refusal(() => votes.stake(rich.caller, { id, side: 'yes', token_ids: rich.tokens }))
    assert.deepEqual([refused.code, refused.details['state']], ['VOTE_CLOSED', 'other_policy'])
    house.clock.advanceTicks(WINDOW_TICKS_MIN + 1)
    const counted = await refusal(() => votes.resolve(id))
    assert.deepEqual([counted.code, counted.details['state']], ['VOTE_CLOSED', 'other_policy'])
  },
  MS,
)

test(
  'two stakes at once cannot take both sides, and a stop in the middle is taken up by the next start',
  async (signal) => {
    using dir = tempDir()
    await using house = await openHouse(dir.path)
    const [rich, other] = [await wealthy(house, 2), await newAccount(house, 'other')]
    let id = ''
    let closes = 0
    {
      await using votes = await votesIn(house)
      ;({ id, closes } = await openVote(votes, rich))
      const [one = '', two = ''] = rich.tokens
      const both = await Promise.allSettled([
        votes.stake(rich.caller, { id, side: 'yes', token_ids: [one] }),
        votes.stake(rich.caller, { id, side: 'no', token_ids: [two] }),
      ])
      assert.deepEqual(
        both.map((it) => (it.status === 'rejected' ? (it.reason as { code: string }).code : it.status)),
        ['fulfilled', 'SIDE_FIXED'],
      )
      const few = await refusal(() => votes.stake(other.caller, { id, side: 'no', count: 1 }))
      assert.equal(few.code, 'TOO_FEW')
    }
    await using votes = await votesIn(house)
    await leadOn({ house, votes, id }, (it) => it.stakes[0]?.counting === 'unwitnessed', signal)
    house.clock.advanceTicks(closes + 1 - house.store.now().meshTick)
    const { returned, tally } = await votes.resolve(id)
    assert.deepEqual([returned, tally.yes, tally.no], [1, 5, 0])
  },
  MS,
)

test.run()
