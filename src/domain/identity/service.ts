import { fromBase64, toHex, utf8 } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { accountCaller, assertOwner } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { HOUSE } from '#core/ids.ts'
import { encodeVkey, verifierOf } from '#core/note.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import { meshTickStart } from '#core/tick.ts'
import { witnessVerifier } from '#core/witness-key.ts'
import { assertStillGood, createKeyring } from '#domain/credentials/keyring.ts'
import { demoAccount, sharedDemoKeyOf, storeKey } from '#domain/credentials/keys.ts'
import { createMakeKeyOnce, type MakeKeyOnce } from '#domain/credentials/shown-once.ts'
import { dayPeriod } from '#domain/economy/calendar.ts'
import type { Economy } from '#domain/economy/economy.ts'
import { SHARED_DEMO_CALLS_PER_DAY } from '#domain/economy/holds.ts'
import { countOne, quotaKey } from '#domain/economy/quota.ts'
import type { EventRecorder } from '#domain/network/recorder.ts'
import { nodeOfZid } from '#domain/network/succession.ts'
import { supersessionsOf } from '#store/eras.ts'
import { keyOf } from '#store/layout.ts'
import type { AccountRow } from '#store/rows/account.ts'
import type { Store } from '#store/store.ts'
import { KEYS_MAX, keyItem, keysOf } from './api-keys.ts'
import type { Identity } from './identity.ts'
import type { NodeKeys } from './node-keys.ts'
import { createOwnerWord, ensureOwner } from './owner.ts'
import { createProofOfWork } from './proof-of-work.ts'
import { createSessions, isSessionId } from './sessions.ts'
import { createSignUp } from './sign-up.ts'
import { ownerKeyOf } from './succession.ts'
import type { MintedDemoKey, NodeDescription, ZidPlace } from './views.ts'
import { jwkOf, webhookSigner } from './webhook-key.ts'

/** Credits of a minted demo key. */
export const DEMO_KEY_CREDITS = 100
/** Demo keys that one address bucket may mint in a UTC day. */
export const DEMO_KEYS_PER_DAY = 10

export interface IdentityOptions {
  /** The data directory, for `owner.key`. */
  readonly directory: string
  readonly store: Store
  readonly economy: Pick<Economy, 'issue' | 'idempotent'>
  readonly keys: NodeKeys
  /** Tells the mesh which node a key named. Without it nobody is told. */
  readonly recorder?: Pick<EventRecorder, 'in'> | undefined
}

const describer =
  ({ store, keys }: IdentityOptions) =>
  (): NodeDescription => {
    const vkey = (name: string): string => encodeVkey(verifierOf(name, keys.publicKey))
    const witness = encodeVkey(witnessVerifier(keys.nodeId, keys.witness.publicKey))
    return {
      node: keys.nodeId,
      public_key: toHex(keys.publicKey),
      zid: ownerKeyOf(store, keys.publicKey).zid,
      vkeys: { log: vkey(store.log.origin), events: vkey(store.events.origin), witness },
      genesisTick: store.genesisMeshTick,
      genesis_ns: String(meshTickStart(store.genesisMeshTick)),
      key_supersessions: supersessionsOf(store),
      tick: store.now().tick,
    }
  }

const placer =
  ({ store, keys }: IdentityOptions) =>
  (zid: string): ZidPlace => {
    const named = nodeOfZid({ get: store.peek }, zid)
    const node = named ?? (store.peek('account', zid) === undefined ? null : keys.nodeId)
    return { zid, known: node !== null, node, here: node === keys.nodeId }
  }

const createDemoKeys = ({ store, economy }: IdentityOptions, makeKeyOnce: MakeKeyOnce) => ({
  mintDemoKey: async (bucket: string, repeat?: Repeat): Promise<WithReplayed<MintedDemoKey>> => {
    const call = { caller: { kind: 'anonymous', bucket }, kind: 'demo', repeat } as const
    const { answer, key, replayed } = await makeKeyOnce(call, ({ hash, id }) => (tx) => {
      const day = dayPeriod(store.now().instant)
      if (countOne(tx, quotaKey('demo-key', day, bucket)) >= DEMO_KEYS_PER_DAY) {
        const detail = `One address may mint ${DEMO_KEYS_PER_DAY} demo keys a day.`
        throw new Fault('RATE_LIMITED', detail, { limit: DEMO_KEYS_PER_DAY, retry_after_seconds: day.secondsLeft })
      }
      storeKey(tx, hash, {
        id,
        kind: 'demo',
        zid: HOUSE,
        name: 'demo',
        created_tick: tx.tick,
        expires_mesh_tick: null,
        revoked_tick: null,
      })
      economy.issue(tx, { kind: 'demo', asset: 'free', to: demoAccount(id), amount: DEMO_KEY_CREDITS, ref: id })
      return { key_id: id, credits: DEMO_KEY_CREDITS }
    })
    const { key_id, credits } = answer
    return { key, key_id, plan: 'demo', computeBudget: credits, replayed }
  },
})

const createAccounts = ({ store, keys }: IdentityOptions) => {
  const rowOf = async (caller: Caller): Promise<AccountRow> => {
    const row = await store.get('account', accountCaller(caller).zid)
    if (row === undefined) throw new Fault('NOT_FOUND')
    return row
  }
  return {
    account: async (caller: Caller) => {
      const { zid, public_key, custody, created_tick, owner } = await rowOf(caller)
      return { zid, public_key, custody, created_tick, owner }
    },
    exportKey: async (caller: Caller) => {
      const { zid, sealed_seed: sealed } = await rowOf(caller)
      if (sealed === null) throw new Fault('NOT_FOUND', 'The node keeps no key of this account that it could hand out.')
      return { zid, seed: toHex(keys.vault.open(fromBase64(sealed), utf8(zid))) }
    },
  }
}

const createKeys = ({ store }: IdentityOptions, makeKeyOnce: MakeKeyOnce) => ({
  keys: async (caller: Caller) => keysOf(store, accountCaller(caller).zid),
  createKey: async (
    caller: Caller,
    { name, expiresMeshTick }: { readonly name: string; readonly expiresMeshTick?: number | undefined },
    repeat?: Repeat,
  ) => {
    const { zid } = accountCaller(caller)
    const { answer, key, replayed } = await makeKeyOnce({ caller, kind: 'account', repeat }, async ({ hash, id }) => {
      if ((await keysOf(store, zid)).length >= KEYS_MAX) {
        throw new Fault('RATE_LIMITED', `An account has at most ${KEYS_MAX} keys.`)
      }
      return (tx) => {
        const row = {
          id,
          kind: 'account',
          zid,
          name,
          created_tick: tx.tick,
          expires_mesh_tick: expiresMeshTick ?? null,
          revoked_tick: null,
        } as const
        storeKey(tx, hash, row)
        return { ...keyItem(row) }
      }
    })
    return { ...answer, api_key: key, replayed }
  },
  revokeKey: async (caller: Caller, id: string) => {
    const { zid } = accountCaller(caller)
    await store.commit((tx) => {
      const hash = tx.get('keyByAccount', keyOf(zid, id))
      const row = hash === undefined ? undefined : tx.get('key', hash)
      if (hash === undefined || row === undefined) throw new Fault('NOT_FOUND')
      if (row.revoked_tick === null) tx.put('key', hash, { ...row, revoked_tick: tx.tick })
    })
  },
})

/** Opens identity: makes the owner's account and key file at the first start. */
export const openIdentity = async (options: IdentityOptions): Promise<Identity> => {
  const { directory, store, economy, keys, recorder } = options
  await ensureOwner(directory, { store, economy, keys })
  const demoKey = sharedDemoKeyOf(keys.secret('demo'))
  const keyring = createKeyring(store, demoKey)
  const { zid: ownerZid } = ownerKeyOf(store, keys.publicKey)
  const sessions = createSessions(ownerZid, () => store.now().instant)
  const work = createProofOfWork(keys.secret('proof-of-work'))
  const makeKeyOnce = createMakeKeyOnce({ store, economy }, keys.secret('repeat'))
  const jwks = [jwkOf(webhookSigner(keys).publicKey)]

  return {
    nodeId: keys.nodeId,
    publicKey: toHex(keys.publicKey),
    ownerZid,
    describe: describer(options),
    jwks: () => jwks,
    placeOf: placer(options),
    callerOf: ({ authorization, session, bucket }) => {
      if (authorization !== undefined) return keyring.callerOf(authorization, bucket)
      return session === undefined ? { kind: 'anonymous', bucket } : sessions.callerOf(session, bucket)
    },
    assertStillGood: (caller) => {
      if (caller.kind === 'owner' && isSessionId(caller.keyId)) sessions.assertOpen(caller)
      else assertStillGood(store, caller)
    },
    tellOwner: recorder === undefined ? () => Promise.resolve() : createOwnerWord(store, keys, recorder),
    signUp: createSignUp({ store, economy, keys, work, recorder, makeKeyOnce }),
    sharedDemoKey: () => ({ key: demoKey, plan: 'demo', dailyLimit: SHARED_DEMO_CALLS_PER_DAY }),
    ...createDemoKeys(options, makeKeyOnce),
    ...createAccounts(options),
    ...createKeys(options, makeKeyOnce),
    ownerLink: (caller) => {
      if (caller !== undefined) assertOwner(caller, 'Only the owner of the node makes a link of its own.')
      return sessions.ownerLink()
    },
    openSession: sessions.open,
    isPerson: (caller) => caller.kind === 'owner' && isSessionId(caller.keyId) && sessions.isPerson(caller),
    closeSession: (caller) => {
      if (caller.kind === 'owner') sessions.close(caller)
    },
  }
}
