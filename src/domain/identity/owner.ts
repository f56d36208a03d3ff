import { join } from 'node:path'
import { equalBytes, toHex } from '#core/bytes.ts'
import { purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { signValueWith } from '#core/keys.ts'
import { freshKey, hashOfKey, storeKey } from '#domain/credentials/keys.ts'
import type { Economy } from '#domain/economy/economy.ts'
import type { EventRecorder } from '#domain/network/recorder.ts'
import type { Store } from '#store/store.ts'
import { keyFiles, type NodeKeys, readSecretFile, writeSecretFile } from './node-keys.ts'
import { createAccount } from './sign-up.ts'
import { ownerKeyOf } from './succession.ts'

/**
 * Makes sure that the node's owner has an account (under the first identity key) and a key file for the command line. A
 * lost or foreign file is replaced, and the key of the old one revoked.
 */
export const ensureOwner = async (
  directory: string,
  {
    store,
    economy,
    keys,
  }: { readonly store: Store; readonly economy: Pick<Economy, 'issue'>; readonly keys: NodeKeys },
): Promise<void> => {
  const { zid, publicKey } = ownerKeyOf(store, keys.publicKey)
  const path = join(directory, keyFiles.owner)
  const given = readSecretFile(path)
  const row = given === undefined ? undefined : await store.get('key', hashOfKey(given))
  const good = row?.kind === 'owner' && row.zid === zid && row.revoked_tick === null
  if (good && (await store.get('account', zid)) !== undefined) return

  const old: string[] = []
  for await (const [hash, it] of store.range('key')) {
    if (it.kind === 'owner' && it.revoked_tick === null) old.push(hash)
  }
  const { key, hash, id } = freshKey('account')
  // Written first: a key that is not in the database opens nothing, and the next start replaces it.
  writeSecretFile(path, key)
  await store.commit((tx) => {
    for (const name of old) {
      const it = tx.get('key', name)
      if (it !== undefined) tx.put('key', name, { ...it, revoked_tick: tx.tick })
    }
    if (tx.get('account', zid) === undefined) {
      const public_key = toHex(publicKey)
      createAccount(tx, economy, { zid, public_key, custody: 'node', sealed_seed: null, owner: true })
    }
    storeKey(tx, hash, {
      id,
      kind: 'owner',
      zid,
      name: keyFiles.owner,
      created_tick: tx.tick,
      expires_mesh_tick: null,
      revoked_tick: null,
    })
  })
}

/**
 * Tells the mesh at which node the owner's ZID is at home, as a sign-up does of any other, unless that was told. Only
 * the first identity key can say so: where another took its place, the succession leads from the node it named to this
 * one.
 *
 * @returns what tries once. To be called again with the ticks: a log that waits for its witnesses takes nothing.
 */
export const createOwnerWord = (
  store: Store,
  keys: Pick<NodeKeys, 'nodeId' | 'publicKey' | 'signer'>,
  recorder: Pick<EventRecorder, 'in'>,
): (() => Promise<void>) => {
  const { zid, publicKey } = ownerKeyOf(store, keys.publicKey)
  const { nodeId: node, signer } = keys
  /** Under way, or done: where others have taken all places of the table, no row says so. */
  let told = !equalBytes(publicKey, keys.publicKey)
  return async () => {
    if (told || store.held !== undefined || store.clockBehind) return
    told = true
    if (store.peek('assertion', zid)?.node === node) return
    const { meshTick: mesh_tick } = store.now()
    const statement = { node, public_key: toHex(publicKey), mesh_tick }
    const signature = await signValueWith(signer, purposes.signUp, statement)
    try {
      await store.commit((tx) => void recorder.in(tx, 'identity.assert', { ...statement, signature }))
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      told = false
    }
  }
}
