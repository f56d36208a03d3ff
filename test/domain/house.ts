import { bundlePath } from '#api/told-routes.ts'
import { fromHex, toHex } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import type { Claim, Question } from '#core/claim.ts'
import type { Clock } from '#core/clock.ts'
import { digest, purposes } from '#core/digest.ts'
import { equationsDigest, receiptDigest, resultDigest, signClaimLeafWith } from '#core/envelope.ts'
import { tokenIdOf } from '#core/ids.ts'
import { signValue } from '#core/keys.ts'
import { askedDigest } from '#core/question.ts'
import { packSorted, placesOf, tokensRoot } from '#core/token/list.ts'
import type { TokenOp } from '#core/token/op.ts'
import { randomBytes } from '#crypto'
import type { Economy } from '#domain/economy/economy.ts'
import { createEconomy } from '#domain/economy/service.ts'
import { createCustody } from '#domain/identity/custody.ts'
import type { Identity } from '#domain/identity/identity.ts'
import { type NodeKeys, openNodeKeys } from '#domain/identity/node-keys.ts'
import { openIdentity } from '#domain/identity/service.ts'
import { SIGN_UP_CREDITS } from '#domain/identity/sign-up.ts'
import { createMachines, type Machines } from '#domain/machines/service.ts'
import { putKept, type Stamp } from '#store/kept.ts'
import { openStore } from '#store/open.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import { type FixedClock, fixedClock } from '../kit/clock.ts'

/** Store, economy, identity and machines as a node has them, on a directory of the test. */
export interface Rooms extends AsyncDisposable {
  readonly keys: NodeKeys
  readonly store: Store
  readonly economy: Economy
  readonly identity: Identity
  readonly machines: Machines
}

/** The same on a clock that the test moves. */
export interface House extends Rooms {
  readonly clock: FixedClock
}

export const KEYLESS = { workMax: 10, workPerDay: 25, bucketsMax: 2 }

/** @param onWritten called after each durable write. */
export const openRooms = async (
  directory: string,
  clock: Clock,
  onWritten: () => void = () => undefined,
): Promise<Rooms> => {
  const keys = openNodeKeys(directory)
  const store = await openStore({ directory, clock, signer: keys.signer, onWritten })
  const workSecret = keys.secret('proof-of-work')
  const economy = createEconomy({
    store,
    signer: keys.signer,
    workSecret,
    custody: createCustody(keys),
    keyless: KEYLESS,
    bundlePath,
  })
  const identity = await openIdentity({ directory, store, economy, keys })
  const machines = createMachines({
    store,
    economy,
    nodeId: keys.nodeId,
    vault: keys.vault,
    repeatSecret: keys.secret('repeat'),
  })
  return { keys, store, economy, identity, machines, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

export const openHouse = async (directory: string, clock: FixedClock = fixedClock()): Promise<House> => ({
  ...(await openRooms(directory, clock)),
  clock,
})

const ZERO = '0'.repeat(64)

const STAMP: Stamp = {
  tick_receipt: {
    pulse: 1,
    tick: 0,
    phase: 0,
    R_t: '1',
    hmac: ZERO,
    tick_averaged: { value: 1, unit: 'K' },
    fields: {},
  },
  ...{ equations: {}, evidence_digest: null, figures: {}, extras: {} },
}

/** A claim as the compute domain would make it, of a computation that nobody ran. */
const claimOf = (
  { store, keys }: Rooms,
  index: number,
  part: Pick<Claim, 'zid' | 'price' | 'funding' | 'tick' | 'phase'>,
  question?: Question,
  nonce = toHex(randomBytes(16)),
): Claim => ({
  ...(question === undefined ? { v: 1 } : { v: 2, asked: { reading: askedDigest(nonce, question), confirmed: true } }),
  node: keys.nodeId,
  log: store.log.origin,
  index,
  token_id: tokenIdOf(store.log.origin, index),
  nonce,
  kind: 'heat',
  operators: ['KO42', 'TH15'],
  worker: null,
  code: { release: ZERO, registry: ZERO, constants: ZERO, math: ZERO, kernels: {}, solver: 'heat@1' },
  registry_version: `sha256:${ZERO}`,
  kernel_version: '1',
  inputs_digest: digest(purposes.inputs, { index }),
  result_digest: resultDigest({}, { index }, { inputs: { index }, evidence: null }),
  steps: null,
  value: 1,
  unit: 'K',
  precisionActual: 0.01,
  check: { against: 'test', measured: 0.01, bound: 0.1 },
  receipt_digest: receiptDigest(STAMP.tick_receipt),
  equations_digest: equationsDigest(STAMP.equations),
  ...part,
})

/** A question in words that the computation of every claim here answers. */
export const QUESTION: Question = {
  query: 'how warm does it get',
  constants: {},
  reading: {
    ...{ kind: 'solver', route: 'POST /api/svc/heat', solver: 'heat', operators: ['KO42', 'TH15'] },
    ...{ bound: [], settings: [], defaults: {}, corrections: [], input: {} },
  },
}

/** For whom an envelope is sealed, and how. */
export interface Sealing {
  readonly caller: Caller
  readonly credits?: number
  readonly published?: boolean
  /** Bytes of its inputs at least: with many what is kept of it stands in blobs. */
  readonly inputsBytes?: number
  /** Of a question in words: then its claim has version 2. */
  readonly question?: Question
}

/** Seals an envelope for a caller: hold, leaf, burn, coin, record, as the gate does after a passed check. */
export const sealOne = async (
  house: Rooms,
  { caller, credits = 3, published, question, inputsBytes = 0 }: Sealing,
): Promise<EnvelopeRow> => {
  const { economy, store, keys } = house
  const hold = economy.hold(caller, credits)
  const plan = (tx: Transaction): EnvelopeRow => {
    const index = tx.append(purposes.envelope, async (at) => {
      const { zid, credits: price, funding } = hold
      const claim = claimOf(house, at, { zid, price, funding, tick: tx.tick, phase: tx.phase }, question)
      return (await signClaimLeafWith(keys.signer, claim)).leaf
    })
    return economy.settle(tx, hold, {
      tokenId: tokenIdOf(store.log.origin, index),
      index,
      kind: 'heat',
      operators: ['KO42', 'TH15'],
      precisionActual: 0.01,
      value: 1,
      unit: 'K',
      kept: putKept(tx.put, store.log.base + index, {
        stamp: JSON.stringify({ ...STAMP, ...(question !== undefined && { question }) }),
        // Blank space belongs to no digest.
        inputs: `{"index":${index}}`.padEnd(inputsBytes),
        output: `{"index":${index}}`,
      }),
      ...(published === undefined ? {} : { published }),
    })
  }
  try {
    return await store.commit(plan)
  } finally {
    hold.release()
  }
}

/** The caller of an API key. */
export const callerOf = ({ identity }: Rooms, key: string, bucket = '192.0.2.1'): Caller =>
  identity.callerOf({ authorization: `Bearer ${key}`, bucket })

/** A new account and its caller. */
export const newAccount = async (house: Rooms, bucket = '192.0.2.1') => {
  const made = await house.identity.signUp({ bucket })
  return { ...made, caller: callerOf(house, made.api_key, bucket) }
}

/** The owner's caller, by the one-time link. */
export const ownerCaller = ({ identity }: Rooms): Caller =>
  identity.callerOf({ session: identity.openSession(identity.ownerLink()).token, bucket: '127.0.0.1' })

/** How a repeat of a grant is known. */
export const grantOnce = (key: string) => ({ scope: 'economy.grant', key })

/** Runs work that must be refused, and gives the fault's code and details. */
export const refusal = async (
  work: () => unknown,
): Promise<{ code: string; details: Readonly<Record<string, unknown>> }> => {
  try {
    await work()
  } catch (cause) {
    const { code, details } = cause as { code: string; details: Readonly<Record<string, unknown>> }
    if (code === undefined) throw cause
    return { code, details }
  }
  throw new Error('it was not refused')
}

/** An account with so many envelopes that may move: its free credits are spent first, which binds one to it. */
export const wealthy = async (house: Rooms, count: number) => {
  const account = await newAccount(house)
  await house.economy.grant(ownerCaller(house), { zid: account.zid, credits: 5 * count })
  await sealOne(house, { caller: account.caller, credits: SIGN_UP_CREDITS })
  const seal = () => sealOne(house, { caller: account.caller, credits: 5 })
  const rows = await Promise.all(Array.from({ length: count }, seal))
  return { ...account, tokens: rows.map((it) => it.token_id) }
}

/** A lock op on one envelope of an account, signed by the key that the node hands out. */
export const lockOp = async (
  house: Rooms,
  caller: Caller,
  { token_id, until }: { token_id: string; until: number },
) => {
  const list = packSorted([{ token_id, spend_seq: house.store.peek('envelope', token_id)?.spend_seq ?? 0 }])
  const { meshTick } = house.store.now()
  const op: TokenOp = {
    ...{ home: house.store.log.origin, op: 'lock', ref: 'vote:test', until, tokens_root: tokensRoot(list), count: 1 },
    ...{ mesh_tick: meshTick, valid_to: meshTick + 100 },
  }
  const { seed } = await house.identity.exportKey(caller)
  const signature = signValue(fromHex(seed), purposes.tokenOp, op as unknown as Json)
  return { op, list: [...placesOf(list)], signature }
}
