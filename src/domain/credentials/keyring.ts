import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { apiKeyKindOf, HOUSE } from '#core/ids.ts'
import { keyOf } from '#store/layout.ts'
import type { KeyRow } from '#store/rows/account.ts'
import type { Store } from '#store/store.ts'
import { assertOpensChannel, callerOfChannelKey } from './channel-keys.ts'
import { demoAccount, hashOfKey, idOfHash } from './keys.ts'
import { assertValid, callerOfMachineKey } from './machine-keys.ts'
import { callerOfPublishKey } from './publish-keys.ts'

const refuse = (why: string): never => {
  throw new Fault('UNAUTHENTICATED', why)
}

/**
 * Looks a presented key up by its hash, so that no secret is ever compared.
 *
 * @throws Fault UNAUTHENTICATED for a key that is malformed, unknown, revoked or over.
 */
export const createKeyring = (store: Store, sharedDemoKey: string) => {
  const sharedHash = hashOfKey(sharedDemoKey)
  const sharedId = idOfHash(sharedHash)

  const callerOfRow = ({ kind, zid, id }: KeyRow, bucket: string): Caller => {
    const account = kind === 'demo' ? demoAccount(id) : zid
    return { kind, bucket, zid, keyId: id, account, shared: false }
  }

  const callerOf = (authorization: string, bucket: string): Caller => {
    const [, key = ''] = /^Bearer +(\S+) *$/i.exec(authorization) ?? []
    if (key === '') return refuse('Send Authorization: Bearer <API key>.')
    const kind = apiKeyKindOf(key)
    if (kind === undefined) return refuse('This is not an API key.')
    const hash = hashOfKey(key)
    if (kind === 'machine') return callerOfMachineKey(store, hash, bucket)
    if (kind === 'publish') return callerOfPublishKey({ get: store.peek }, hash, bucket)
    if (kind === 'channel') return callerOfChannelKey(store, hash, bucket)
    if (hash === sharedHash) {
      return { kind: 'demo', bucket, zid: HOUSE, keyId: sharedId, account: demoAccount(sharedId), shared: true }
    }
    const row = store.peek('key', hash)
    if (row === undefined || row.revoked_tick !== null) return refuse('No such API key, or it was revoked.')
    if (row.expires_mesh_tick !== null && row.expires_mesh_tick <= store.now().meshTick)
      return refuse('The API key is over.')
    return callerOfRow(row, bucket)
  }

  return { callerOf }
}

/**
 * Looks again at a key: a stream that it opened may outlive it.
 *
 * @throws Fault UNAUTHENTICATED for a key that was revoked or is over.
 */
export const assertStillGood = (store: Store, caller: Caller): void => {
  if (caller.kind === 'anonymous' || caller.shared) return
  if (caller.kind === 'machine') {
    const row = store.peek('machineKey', caller.keyHash)
    return row === undefined ? refuse('No such API key.') : assertValid(store, row)
  }
  if (caller.kind === 'channel') return assertOpensChannel(store, caller)
  const hash = store.peek('keyByAccount', keyOf(caller.zid, caller.keyId))
  const row = hash === undefined ? undefined : store.peek('key', hash)
  if (row === undefined) return
  const over = row.expires_mesh_tick !== null && row.expires_mesh_tick <= store.now().meshTick
  if (row.revoked_tick !== null || over) refuse('The API key was revoked or is over.')
}
