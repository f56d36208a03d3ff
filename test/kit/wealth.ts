import type { Caller } from '#core/caller.ts'
import { openNodeKeys } from '#domain/identity/node-keys.ts'
import { callerOf, ownerCaller, type Rooms, sealOne } from '../domain/house.ts'
import type { TestNode } from './node.ts'

/** Faces of the envelopes that are made here. */
export const FACE = 5
/** Envelopes that are sealed at once. */
const AT_ONCE = 200

/** The rooms of a node of a test. */
export const roomsOf = ({ node, directory }: TestNode): Rooms => {
  const { economy, identity, machines } = node.services
  const keys = openNodeKeys(directory)
  return { keys, store: node.store, economy, identity, machines, [Symbol.asyncDispose]: async () => undefined }
}

const sealMany = async (rooms: Rooms, caller: Caller, count: number): Promise<string[]> => {
  const tokens: string[] = []
  while (tokens.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - tokens.length) })
    const rows = await Promise.all(some.map(() => sealOne(rooms, { caller, credits: FACE })))
    tokens.push(...rows.map((it) => it.token_id))
  }
  return tokens
}

/** A new account of a node with envelopes that stay and envelopes that may move, as runs would have sealed them. */
export const wealthyAccount = async (
  it: TestNode,
  counts: { readonly soulbound?: number; readonly movable: number },
) => {
  const account = await it.client.call('identity.sign-up', {})
  const rooms = roomsOf(it)
  const caller = callerOf(rooms, account.api_key)
  const { soulbound = 0, movable } = counts
  const bound = await sealMany(rooms, caller, soulbound)
  // Paid credits pay only where free ones do not cover the price.
  const { free } = await it.as(account.api_key).call('economy.credits', {})
  await sealOne(rooms, { caller, credits: free - 1 })
  await rooms.economy.grant(ownerCaller(rooms), { zid: account.zid, credits: FACE * movable })
  return { ...account, client: it.as(account.api_key), bound, movable: await sealMany(rooms, caller, movable) }
}

/** One more that may move, for an account that has some. */
export const sealAnother = async (
  it: TestNode,
  { api_key, zid }: { readonly api_key: string; readonly zid: string },
) => {
  const rooms = roomsOf(it)
  await rooms.economy.grant(ownerCaller(rooms), { zid, credits: FACE })
  await sealOne(rooms, { caller: callerOf(rooms, api_key), credits: FACE })
}
