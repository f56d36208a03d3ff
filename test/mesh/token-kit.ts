import assert from 'node:assert/strict'
import { fromHex, toHex } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { purposes } from '#core/digest.ts'
import { publicKeyOfSeed, signValue, zidOf } from '#core/keys.ts'
import { packSorted, placesOf, type TokenPlace, tokensRoot } from '#core/token/list.ts'
import { opPurpose, type TokenOp } from '#core/token/op.ts'
import type { Client } from '#gateway/client.ts'
import { fsck } from '#store/fsck/fsck.ts'
import type { TestNode } from '../kit/node.ts'
import { until } from '../kit/until.ts'
import { isJoined } from './witness-kit.ts'

/** Somebody with an account at a node. */
export interface Member {
  readonly zid: string
  readonly client: Client
  readonly caller: Caller
  readonly key: string
  /** Of one who keeps the key, hex. */
  readonly seed: string
}

const callerAt = ({ node }: TestNode, key: string): Caller =>
  node.services.identity.callerOf({ authorization: `Bearer ${key}`, bucket: '192.0.2.1' })

/** Signs up; with a seed the key stays with its owner. */
export const member = async (it: TestNode, seed?: Uint8Array): Promise<Member> => {
  const publicKey = seed === undefined ? undefined : publicKeyOfSeed(seed)
  const mesh_tick = it.node.store.now().meshTick
  const input =
    seed === undefined || publicKey === undefined
      ? {}
      : {
          public_key: toHex(publicKey),
          mesh_tick,
          signature: signValue(seed, purposes.signUp, {
            ...{ node: it.node.nodeId, public_key: toHex(publicKey), mesh_tick },
          }),
        }
  const { zid, api_key: key } = await it.client.call('identity.sign-up', input)
  if (publicKey !== undefined) assert.equal(zid, zidOf(publicKey))
  return { zid, key, client: it.as(key), caller: callerAt(it, key), seed: seed === undefined ? '' : toHex(seed) }
}

/** A member at a node that was started again. */
export const again = (it: TestNode, who: Member): Member => ({
  ...who,
  client: it.as(who.key),
  caller: callerAt(it, who.key),
})

/** Gives a member envelopes that may move. @returns their token ids */
export const enrich = async (it: TestNode, { zid, caller, client }: Member, count: number): Promise<string[]> => {
  const { economy, identity } = it.node.services
  const owner = identity.callerOf({ session: identity.openSession(identity.ownerLink()).token, bucket: '127.0.0.1' })
  await economy.grant(owner, { zid, credits: 10 * count })
  // Free credits would go first, and what they pay for is soulbound.
  const { free } = await economy.credits(caller)
  const hold = economy.hold(caller, free)
  const tokens: string[] = []
  for (let i = 0; i < count; i += 1) {
    const answer = await client.call('compute.compute', { operators: ['GR37'], inputs: { mass: i + 1 } })
    tokens.push(answer.envelope?.token_id ?? '')
  }
  hold.release()
  return tokens
}

export const listOf = async ({ zid, client }: Member) =>
  (await client.call('economy.envelopes', { zid, limit: 1_000, offset: 0 })).envelopes

/** Whether nodes are connected both ways and know the accounts of each other. */
export const acquainted = async (nodes: readonly TestNode[], members: readonly Member[], signal: AbortSignal) => {
  for (const one of nodes) for (const other of nodes) if (one !== other) await until(() => isJoined(one, other), signal)
  await until(async () => {
    for (const it of nodes) await it.advanceTicks(1)
    return nodes.every(({ node }) => members.every(({ zid }) => node.store.peek('assertion', zid) !== undefined))
  }, signal)
}

/** Lets ticks pass until something holds; what the nodes do beside them has its turn. */
export const passing = <T>(
  nodes: readonly TestNode[],
  probe: () => Promise<T | undefined | false>,
  signal: AbortSignal,
) =>
  until(async () => {
    for (const it of nodes) await it.advanceTicks(1)
    return probe()
  }, signal)

/** An op as whoever has the key signs it, with its list. */
export const orderOf = (seed: string, places: readonly TokenPlace[], part: Partial<Record<string, unknown>>) => {
  const list = packSorted(places)
  const op = { tokens_root: tokensRoot(list), count: places.length, until: null, ...part } as unknown as TokenOp
  const raw = fromHex(seed)
  const signature = signValue(raw, opPurpose(op), op as never)
  return { op, list: [...placesOf(list)], signature, public_key: toHex(publicKeyOfSeed(raw)) }
}

/** A data directory in which nothing is wrong. */
export const sound = async (directory: string): Promise<void> => {
  assert.deepEqual((await fsck({ directory })).bad, null)
}
