import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import type { Store } from '#store/store.ts'

const refuse = (): never => {
  throw new Fault('UNAUTHENTICATED', 'No such API key, or its channel has another one.')
}

/** @throws Fault UNAUTHENTICATED for a key whose channel has another one since. */
export const assertOpensChannel = (store: Store, { channel, keyHash }: { channel: string; keyHash: string }): void => {
  const row = store.peek('channel', channel)
  if (row?.key_hash !== keyHash) refuse()
}

/** The caller of a channel's key, by the key's hash. @throws Fault UNAUTHENTICATED */
export const callerOfChannelKey = (store: Store, keyHash: string, bucket: string): Caller => {
  const channel = store.peek('channelKey', keyHash)
  const row = channel === undefined ? undefined : store.peek('channel', channel)
  if (channel === undefined || row === undefined) return refuse()
  assertOpensChannel(store, { channel, keyHash })
  const { owner: zid, key_id: keyId } = row
  return { kind: 'channel', bucket, zid, account: zid, keyId, keyHash, shared: false, channel }
}
