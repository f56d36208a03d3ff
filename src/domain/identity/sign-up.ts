import { fromHex, toBase64, toHex, utf8 } from '#core/bytes.ts'
import { purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { isHex64 } from '#core/ids.ts'
import { assertSoundKey, publicKeyOfSeed, signValue, verifyValue, zidOf } from '#core/keys.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import { randomBytes } from '#crypto'
import { storeKey } from '#domain/credentials/keys.ts'
import type { FreshKey, MakeKeyOnce } from '#domain/credentials/shown-once.ts'
import { dayOf, hourPeriod } from '#domain/economy/calendar.ts'
import type { Economy } from '#domain/economy/economy.ts'
import { countOne, quotaKey } from '#domain/economy/quota.ts'
import type { EventRecorder } from '#domain/network/recorder.ts'
import type { AccountRow } from '#store/rows/account.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import type { SignUp } from './identity.ts'
import type { NodeKeys } from './node-keys.ts'
import { bitsAfter, type ProofOfWork } from './proof-of-work.ts'
import type { SignedUp } from './views.ts'

/** Free credits of a new account. */
export const SIGN_UP_CREDITS = 1_287
/** Sign-ups of one bucket in an hour that cost nothing. */
export const SIGN_UPS_FREE = 3
/** Mesh ticks that a signed sign-up may be old, or ahead. */
export const SIGN_UP_TICKS = 120

export interface SignUpOptions {
  readonly store: Store
  readonly economy: Pick<Economy, 'issue'>
  readonly keys: NodeKeys
  readonly work: ProofOfWork
  readonly makeKeyOnce: MakeKeyOnce
  /** Tells the mesh which node a key named. Without it nobody is told. */
  readonly recorder?: Pick<EventRecorder, 'in'> | undefined
}

/** What an order proves: whose key it is, and whether the node keeps it. */
type Proven = Pick<AccountRow, 'zid' | 'public_key' | 'custody' | 'sealed_seed'> & {
  /** Under its own custody: the mesh tick that was signed. */
  readonly proofTick: number | undefined
  /** The key's signature over (`tickmesh/sign-up/1`, {node, public_key, mesh_tick}), which `identity.assert` tells. */
  readonly assertion: { readonly mesh_tick: number; readonly signature: string }
}

/** The sealed form of an account's seed, bound to its ZID. */
export const sealSeed = ({ vault }: NodeKeys, zid: string, seed: Uint8Array): string =>
  toBase64(vault.seal(seed, utf8(zid)))

const makeKey = (keys: NodeKeys, meshTick: number): Proven => {
  const seed = randomBytes(32)
  const publicKey = publicKeyOfSeed(seed)
  const zid = zidOf(publicKey)
  const public_key = toHex(publicKey)
  const sealed_seed = sealSeed(keys, zid, seed)
  const signature = signValue(seed, purposes.signUp, { node: keys.nodeId, public_key, mesh_tick: meshTick })
  const assertion = { mesh_tick: meshTick, signature }
  return { zid, public_key, custody: 'node', sealed_seed, proofTick: undefined, assertion }
}

/** @throws Fault INVALID_INPUT, BAD_PUBLIC_KEY, BAD_SIGNATURE */
const proveKey = (node: string, order: SignUp, meshTick: number): Proven => {
  const { publicKey = '', signature, meshTick: signedTick } = order
  if (signature === undefined || signedTick === undefined) {
    throw new Fault('INVALID_INPUT', 'A public key comes with the signature and the mesh tick that it signed.')
  }
  if (!isHex64(publicKey)) throw new Fault('INVALID_INPUT', 'A public key is 64 lower-case hex digits.')
  if (Math.abs(signedTick - meshTick) > SIGN_UP_TICKS) {
    const detail = `The signed mesh tick is more than ${SIGN_UP_TICKS} ticks from ${meshTick}, the present one.`
    throw new Fault('INVALID_INPUT', detail, { mesh_tick: meshTick })
  }
  const raw = fromHex(publicKey)
  assertSoundKey(raw)
  const signed = { node, public_key: publicKey, mesh_tick: signedTick }
  if (!verifyValue(raw, purposes.signUp, signed, signature)) throw new Fault('BAD_SIGNATURE')
  const assertion = { mesh_tick: signedTick, signature }
  const zid = zidOf(raw)
  return { zid, public_key: publicKey, custody: 'self', sealed_seed: null, proofTick: signedTick, assertion }
}

/** Writes a new account with its credits. */
export const createAccount = (
  tx: Transaction,
  economy: Pick<Economy, 'issue'>,
  account: Pick<AccountRow, 'zid' | 'public_key' | 'custody' | 'sealed_seed' | 'owner'>,
): void => {
  tx.put('account', account.zid, { ...account, created_tick: tx.tick, publish_default: false })
  economy.issue(tx, { kind: 'sign-up', asset: 'free', to: account.zid, amount: SIGN_UP_CREDITS, ref: account.zid })
}

/**
 * Sign-up: a ZID belongs for ever to the public key that proved it. Proving it again gives that account a new API
 * key and no credits. The first three sign-ups of an address and hour are free, further ones are paid in work.
 */
export const createSignUp = ({ store, economy, keys, work, recorder, makeKeyOnce }: SignUpOptions) => {
  /** Counts the sign-up, and asks for work from the fourth on. @throws Fault RATE_LIMITED, INVALID_INPUT */
  const admit = (tx: Transaction, { bucket, work: answer }: SignUp): void => {
    const { instant } = store.now()
    const hour = hourPeriod(instant)
    const before = countOne(tx, quotaKey('sign-up', hour, bucket))
    if (before < SIGN_UPS_FREE) return
    const asked = { account: 'sign-up', bucket, day: dayOf(instant) }
    if (answer === undefined) {
      const bits = bitsAfter(before)
      const terms = bits === undefined ? undefined : work.challenge(asked, bits, tx.meshTick)
      const detail =
        terms === undefined
          ? 'This address has signed up too often in this hour.'
          : `The first ${SIGN_UPS_FREE} sign-ups of an address and hour are free; this one costs ${bits} bits of work.`
      throw new Fault('RATE_LIMITED', detail, {
        retry_after_seconds: hour.secondsLeft,
        ...(terms === undefined ? {} : { work: terms }),
      })
    }
    const { random, expires } = work.check(answer, asked, tx.meshTick)
    const spent = countOne(tx, quotaKey('work', { endMeshTick: expires + 1 }, random))
    if (spent > 0) throw new Fault('INVALID_INPUT', 'This challenge was answered before.')
  }

  const assertFirstUse = (tx: Transaction, { proofTick, public_key: key }: Proven): void => {
    if (proofTick === undefined) return
    const used = countOne(tx, quotaKey('proof', { endMeshTick: proofTick + SIGN_UP_TICKS + 1 }, `${key} ${proofTick}`))
    if (used > 0) throw new Fault('INVALID_INPUT', 'This signature was used before; sign a later mesh tick.')
  }

  const make =
    (order: SignUp) =>
    ({ hash, id }: FreshKey) => {
      const { meshTick } = store.now()
      const proven = order.publicKey === undefined ? makeKey(keys, meshTick) : proveKey(keys.nodeId, order, meshTick)
      return (tx: Transaction) => {
        assertFirstUse(tx, proven)
        admit(tx, order)
        const { proofTick: _, assertion, ...account } = proven
        const { zid, public_key } = account
        const known = tx.get('account', zid)
        if (known !== undefined && known.public_key !== public_key) {
          throw new Fault('BAD_PUBLIC_KEY', 'This ZID belongs to another key.')
        }
        if (known === undefined) createAccount(tx, economy, { ...account, owner: false })
        storeKey(tx, hash, {
          id,
          kind: 'account',
          zid,
          name: 'sign-up',
          created_tick: tx.tick,
          expires_mesh_tick: null,
          revoked_tick: null,
        })
        recorder?.in(tx, 'identity.assert', { node: keys.nodeId, public_key, ...assertion })
        const credits = known === undefined ? SIGN_UP_CREDITS : 0
        return { zid, custody: known?.custody ?? account.custody, public_key, key_id: id, credits }
      }
    }

  return async (order: SignUp, repeat?: Repeat): Promise<WithReplayed<SignedUp>> => {
    const call = { caller: { kind: 'anonymous', bucket: order.bucket }, kind: 'account', repeat } as const
    const { answer, key, replayed } = await makeKeyOnce(call, make(order))
    return { ...answer, api_key: key, replayed }
  }
}
