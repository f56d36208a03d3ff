import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { fromHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { type Purpose, signedBytes } from '#core/digest.ts'
import { verifyValue } from '#core/keys.ts'

/** Signatures that may wait for a thread. */
const WAITING_MAX = 256
/** A raw Ed25519 key as SubjectPublicKeyInfo (RFC 8410). */
const SPKI_HEADER = fromHex('302a300506032b6570032100')

/** A signature over (purpose, value), and what is thrown when it does not fit. */
export interface Signed {
  readonly publicKey: Uint8Array
  readonly purpose: Purpose
  readonly value: Json
  readonly signature: string
  readonly refuse: () => never
}

/** Verifies beside what goes on: half of the work of a large log is its signatures. */
export interface Signatures {
  add(signed: Signed): void
  /** Something to wait for while too many are under way. */
  full(): Promise<void> | undefined
  /** Waits for all. @throws what the first one that does not fit is refused with */
  done(): Promise<void>
}

const keyOf = (publicKey: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI_HEADER, publicKey]), format: 'der', type: 'spki' })

/** On a thread by OpenSSL; whatever that refuses is checked again by the one rule, which has the last word. */
const holds = async (key: KeyObject, { publicKey, purpose, value, signature }: Signed): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const again = (): boolean => verifyValue(publicKey, purpose, value, signature)
  if (!/^[0-9a-f]{128}$/.test(signature)) return again()
  verify(null, signedBytes(purpose, value), key, fromHex(signature), (error, fits) => {
    resolve(error === null && fits ? true : again())
  })
  return promise
}

/** Nothing is under way yet. */
export const createSignatures = (): Signatures => {
  const keys = new Map<string, KeyObject>()
  const waiting = new Set<Promise<void>>()
  /** In the order in which they were given. */
  const bad: { readonly place: number; readonly refuse: () => never }[] = []
  let places = 0
  const keyFor = (publicKey: Uint8Array): KeyObject => {
    const name = publicKey.join()
    const key = keys.get(name) ?? keyOf(publicKey)
    keys.set(name, key)
    return key
  }
  const check = async (signed: Signed, place: number): Promise<void> => {
    const fits = await holds(keyFor(signed.publicKey), signed).catch(() => false)
    if (!fits) bad.push({ place, refuse: signed.refuse })
  }
  const settled = async (): Promise<void> => {
    await Promise.all(waiting)
    bad.sort((a, b) => a.place - b.place)[0]?.refuse()
  }
  return {
    add: (signed) => {
      const work = check(signed, places++).finally(() => waiting.delete(work))
      waiting.add(work)
    },
    full: () => (waiting.size >= WAITING_MAX || bad.length > 0 ? settled() : undefined),
    done: settled,
  }
}
