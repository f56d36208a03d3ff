import { toHex, utf8 } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { API_KEY_BYTES, type ApiKeyKind, apiKey } from '#core/ids.ts'
import type { Repeat } from '#core/once.ts'
import { hmacSha256, randomBytes, sha256 } from '#crypto'
import type { Economy } from '#domain/economy/economy.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'

const NONCE_BYTES = 16
const ID_DIGITS = 16
/** Characters of an Idempotency-Key from which on nobody behind the same address guesses it. */
const UNGUESSED_CHARS_MIN = 16

/** A key that is shown once, and what is kept of it. */
export interface FreshKey {
  readonly key: string
  /** SHA-256 of the key, hex. */
  readonly hash: string
  /** The first digits of its hash. */
  readonly id: string
}

/** What a call that made a key is answered, and whether it is the answer of an earlier one. */
export interface ShownOnce<T> {
  readonly answer: T
  readonly key: string
  readonly replayed: boolean
}

/** Makes keys, each once for an Idempotency-Key. */
export type MakeKeyOnce = <T extends Json>(
  call: { readonly caller: Caller; readonly kind: ApiKeyKind; readonly repeat: Repeat | undefined },
  /** Checks the call and gives what stores the key; called only where the call is no repeat. */
  make: (fresh: FreshKey) => Promise<(tx: Transaction) => T> | ((tx: Transaction) => T),
) => Promise<ShownOnce<T>>

/** What is stored of an answer: never the key, only what it is made of again for who has the Idempotency-Key. */
interface Stored {
  readonly nonce: string
  readonly id: string
  readonly answer: Json
}

const keyOf = (kind: ApiKeyKind, bytes: Uint8Array): FreshKey => {
  const key = apiKey(kind, bytes)
  const hash = toHex(sha256(utf8(key)))
  return { key, hash, id: hash.slice(0, ID_DIGITS) }
}

/**
 * Makes keys that are shown once. Under an Idempotency-Key a key is derived by HMAC from a secret of the node, a stored
 * nonce and the Idempotency-Key itself, which is nowhere stored: so a repeat can be shown it again, and neither the
 * database nor the node's files hold it.
 *
 * Callers without a credential share an address. To one of them a repeat shows the key only under an Idempotency-Key
 * that nobody guesses; under a shorter one nothing happens twice, but nothing secret is shown twice either.
 *
 * @param secret 32 bytes of the node's.
 * @throws Fault IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, and what the plan throws.
 */
export const createMakeKeyOnce = (
  { store, economy }: { readonly store: Store; readonly economy: Pick<Economy, 'idempotent'> },
  secret: Uint8Array,
): MakeKeyOnce => {
  const derived = (kind: ApiKeyKind, { scope, key }: Repeat, nonce: string): FreshKey =>
    keyOf(kind, hmacSha256(secret, utf8(`${scope}\n${nonce}\n${key}`)))

  const shownAgain = <T>(kind: ApiKeyKind, { caller, repeat }: { caller: Caller; repeat: Repeat }, stored: Stored) => {
    if (caller.kind === 'anonymous' && (repeat.key ?? '').length < UNGUESSED_CHARS_MIN) {
      const detail = `Without a credential a secret is shown again under ${UNGUESSED_CHARS_MIN} characters or more.`
      throw new Fault('IDEMPOTENCY_KEY_REUSED', detail)
    }
    const { key, id } = derived(kind, repeat, stored.nonce)
    if (id !== stored.id) throw new Fault('IDEMPOTENCY_KEY_REUSED', 'What that call was shown can be shown no more.')
    return { answer: stored.answer as T, key, replayed: true }
  }

  return async <T extends Json>(
    { caller, kind, repeat }: Parameters<MakeKeyOnce>[0],
    make: (fresh: FreshKey) => Promise<(tx: Transaction) => T> | ((tx: Transaction) => T),
  ): Promise<ShownOnce<T>> => {
    if (repeat?.key === undefined) {
      const fresh = keyOf(kind, randomBytes(API_KEY_BYTES))
      const plan = await make(fresh)
      return { answer: await store.commit(plan), key: fresh.key, replayed: false }
    }
    const input = digest(purposes.request, JSON.parse(JSON.stringify(repeat.input)) as Json)
    const it = await economy.idempotent(caller, repeat.scope, repeat.key, input)
    if (it.kind === 'replay') return shownAgain(kind, { caller, repeat }, it.answer as unknown as Stored)
    try {
      const nonce = toHex(randomBytes(NONCE_BYTES))
      const fresh = derived(kind, repeat, nonce)
      const plan = await make(fresh)
      const answer = await store.commit((tx) => {
        const made = plan(tx)
        it.keep(tx, () => ({ nonce, id: fresh.id, answer: made }) satisfies Stored)
        return made
      })
      return { answer, key: fresh.key, replayed: false }
    } finally {
      it.release()
    }
  }
}
