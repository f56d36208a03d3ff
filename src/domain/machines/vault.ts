import { createCipheriv, createDecipheriv } from 'node:crypto'
import { assert } from '#core/assert.ts'
import { concat, fromBase64, fromHex, toBase64, toHex, utf8 } from '#core/bytes.ts'
import { canonicalBytes, type Json, parseCanonical } from '#core/canonical.ts'
import { randomBytes } from '#crypto'
import type { SecretSealer } from '#ports/sealing.node.ts'
import { keyOf, type Row } from '#store/layout.ts'
import type { MachineRow } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'

/** Values sealed under one data key: random nonces of 96 bits stay apart well below 2^32. */
export const USES_MAX = 4_294_967_295

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KID_BYTES = 8

/** Sensitive members of an entry: AES-256-GCM under a data key of the machine; `ct` ends with the tag. */
export interface SealedMembers {
  readonly kid: string
  /** Hex. */
  readonly nonce: string
  /** Base64. */
  readonly ct: string
}

/** What a sealed value belongs to; nothing else opens it. */
export interface SealPlace {
  readonly id_hash: string
  readonly seq: number
  readonly type: string
}

const contextOf = (kid: string) => utf8(`tickmesh machine data key ${kid}`)
const aad = ({ id_hash, seq, type }: SealPlace, kid: string): Uint8Array => canonicalBytes({ id_hash, seq, type, kid })

/** A new data key, sealed by the vault key. */
export const freshDataKey = (vault: SecretSealer, tick: number): { kid: string; row: Row<'machineDataKey'> } => {
  const kid = toHex(randomBytes(KID_BYTES))
  const sealed = toBase64(vault.seal(randomBytes(KEY_BYTES), contextOf(kid)))
  return { kid, row: { sealed, created_tick: tick, uses: 0 } }
}

/** Bytes of what is sealed to a place, as they go to whoever keeps them. */
interface SealedBytes {
  readonly kid: string
  readonly nonce: Uint8Array
  /** The tag behind. */
  readonly ct: Uint8Array
}

/** Seals under the machine's data key, and takes a new key before the present one is worn. */
const sealUnder = (
  tx: Transaction,
  vault: SecretSealer,
  order: { readonly machine: MachineRow; readonly place: SealPlace; readonly bytes: Uint8Array },
): SealedBytes => {
  const { machine, place, bytes } = order
  const present = tx.get('machineDataKey', keyOf(machine.slug, machine.kid))
  const worn = present === undefined || present.uses >= USES_MAX
  const { kid, row } = worn ? freshDataKey(vault, tx.tick) : { kid: machine.kid, row: present }
  tx.put('machineDataKey', keyOf(machine.slug, kid), { ...row, uses: row.uses + 1 })
  const nonce = randomBytes(NONCE_BYTES)
  const key = vault.open(fromBase64(row.sealed), contextOf(kid))
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aad(place, kid))
  const ct = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  return { kid, nonce, ct: new Uint8Array(ct) }
}

const openUnder = (
  vault: SecretSealer,
  dataKey: Row<'machineDataKey'>,
  { sealed: { kid, nonce, ct }, place }: { readonly sealed: SealedBytes; readonly place: SealPlace },
): Uint8Array => {
  assert(ct.length >= TAG_BYTES, 'a sealed value ends with its tag')
  const key = vault.open(fromBase64(dataKey.sealed), contextOf(kid))
  const end = ct.length - TAG_BYTES
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(aad(place, kid))
  decipher.setAuthTag(ct.subarray(end))
  return new Uint8Array(Buffer.concat([decipher.update(ct.subarray(0, end)), decipher.final()]))
}

/**
 * Seals members of an entry under the machine's data key, and takes a new key before the present one is worn.
 *
 * @returns the sealed value, and the key it is under: the machine's from now on.
 */
export const sealMembers = (
  tx: Transaction,
  vault: SecretSealer,
  order: { readonly machine: MachineRow; readonly place: SealPlace; readonly members: Json },
): { readonly sealed: SealedMembers; readonly kid: string } => {
  const { machine, place, members } = order
  const { kid, nonce, ct } = sealUnder(tx, vault, { machine, place, bytes: canonicalBytes(members) })
  return { sealed: { kid, nonce: toHex(nonce), ct: toBase64(ct) }, kid }
}

/** The members, or undefined when their key was destroyed. @throws Error when the bytes were sealed for elsewhere. */
export const openMembers = (
  vault: SecretSealer,
  dataKey: Row<'machineDataKey'> | undefined,
  { sealed, place }: { readonly sealed: SealedMembers; readonly place: SealPlace },
): Json | undefined => {
  if (dataKey === undefined) return undefined
  const { kid, nonce, ct } = sealed
  const bytes = { kid, nonce: fromHex(nonce), ct: fromBase64(ct) }
  return parseCanonical(openUnder(vault, dataKey, { sealed: bytes, place }))
}

/** Seals bytes that belong to an entry. @returns the nonce with the sealed bytes behind it, and the key. */
export const sealBytes = (
  tx: Transaction,
  vault: SecretSealer,
  order: { readonly machine: MachineRow; readonly place: SealPlace; readonly bytes: Uint8Array },
): { readonly sealed: Uint8Array; readonly kid: string } => {
  const { kid, nonce, ct } = sealUnder(tx, vault, order)
  return { sealed: concat(nonce, ct), kid }
}

/** The bytes, or undefined when their key was destroyed. @throws Error when they were sealed for elsewhere. */
export const openBytes = (
  vault: SecretSealer,
  dataKey: Row<'machineDataKey'> | undefined,
  { sealed, kid, place }: { readonly sealed: Uint8Array; readonly kid: string; readonly place: SealPlace },
): Uint8Array | undefined => {
  if (dataKey === undefined) return undefined
  const [nonce, ct] = [sealed.subarray(0, NONCE_BYTES), sealed.subarray(NONCE_BYTES)]
  return openUnder(vault, dataKey, { sealed: { kid, nonce, ct }, place })
}

/** The sealed value of an entry's body, if it has one. */
export const sealedOf = (body: Json): SealedMembers | undefined => {
  const sealed = (body as { readonly sealed?: SealedMembers } | null)?.sealed
  return sealed === undefined || sealed === null ? undefined : sealed
}
