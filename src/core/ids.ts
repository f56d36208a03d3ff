import { assert } from './assert.ts'
import { digest, purposes } from './digest.ts'
import { slugPattern } from './slug.ts'

/** Patterns of the names that cross the wire, as JSON Schema and RegExp share them. */
export const patterns = {
  zid: '^zid1[a-z2-7]{32}$',
  nodeId: '^12D3KooW[1-9A-HJ-NP-Za-km-z]{44}$',
  tokenId: '^[0-9a-f]{32}$',
  slug: slugPattern,
  hex64: '^[0-9a-f]{64}$',
  signature: '^[0-9a-f]{128}$',
  publicKey: '^[0-9a-f]{64}$',
  digest: '^sha256:[0-9a-f]{64}$',
  symbol: '^[A-Za-z][A-Za-z0-9_]{0,31}$',
  solverName: '^[a-z][a-z0-9-]{0,63}$',
  kernelName: '^[a-z][a-z0-9_-]{0,63}$',
  fieldName: '^[a-z][a-z0-9_]{0,63}$',
  solver: '^[a-z][a-z0-9-]{0,63}@[1-9][0-9]{0,8}$',
  logName: '^tickmesh\\.log/12D3KooW[1-9A-HJ-NP-Za-km-z]{44}/(0|[1-9][0-9]{0,15})$',
  eventsLogName: '^tickmesh\\.events/12D3KooW[1-9A-HJ-NP-Za-km-z]{44}/(0|[1-9][0-9]{0,15})$',
  witnessName: '^tickmesh\\.witness/12D3KooW[1-9A-HJ-NP-Za-km-z]{44}$',
  apiKey: '^(svc_demo_|svc_ak_|zsm_|sck_|zpk_)[0-9A-Za-z]{43}$',
} as const

const zid = new RegExp(patterns.zid)
const nodeId = new RegExp(patterns.nodeId)
const tokenId = new RegExp(patterns.tokenId)
const hex64 = new RegExp(patterns.hex64)

/** Whether a text has the form of a ZID; says nothing about its existence. */
export const isZid = (text: string): boolean => zid.test(text)
/** Whether a text has the form of a node id; {@link publicKeyOf} of keys.ts decides. */
export const isNodeId = (text: string): boolean => nodeId.test(text)
/** Whether a text has the form of a token id. */
export const isTokenId = (text: string): boolean => tokenId.test(text)
/** 64 lower-case hex digits: a SHA-256 or a raw public key. */
export const isHex64 = (text: string): boolean => hex64.test(text)

/** The account that anonymous and demo callers mint to. It has no key, and its coins never move. */
export const HOUSE = 'house'

/** Name, and checkpoint origin, of a node's seal log. */
export const logName = (node: string, genesisMeshTick: number): string => `tickmesh.log/${node}/${genesisMeshTick}`
/** Name, and checkpoint origin, of a node's event log. */
export const eventsLogName = (node: string, genesisMeshTick: number): string =>
  `tickmesh.events/${node}/${genesisMeshTick}`
/** Key name of a node's witness cosignatures. */
export const witnessName = (node: string): string => `tickmesh.witness/${node}`

/** A token's id: the first 32 digits of digest(`tickmesh/token/1`, {log, index}). */
export const tokenIdOf = (log: string, index: number): string => {
  assert(Number.isSafeInteger(index) && index >= 0, 'a leaf index')
  return digest(purposes.token, { index, log }).slice(0, 32)
}

/** What an API key opens, by its prefix. */
export const apiKeyPrefixes = {
  demo: 'svc_demo_',
  account: 'svc_ak_',
  machine: 'zsm_',
  channel: 'sck_',
  publish: 'zpk_',
} as const
export type ApiKeyKind = keyof typeof apiKeyPrefixes

/** Random bytes in an API key, and the base62 digits that hold 256 bits: 62⁴³ > 2²⁵⁶. */
export const API_KEY_BYTES = 32
const API_KEY_DIGITS = 43
const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** An API key: prefix and 43 base62 digits, most significant first, of 32 random bytes read big-endian. */
export const apiKey = (kind: ApiKeyKind, bytes: Uint8Array): string => {
  assert(bytes.length === API_KEY_BYTES, 'an API key holds 32 bytes')
  let value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  let digits = ''
  for (let i = 0; i < API_KEY_DIGITS; i++) {
    digits = base62Digits.charAt(Number(value % 62n)) + digits
    value /= 62n
  }
  return apiKeyPrefixes[kind] + digits
}

const apiKeyForm = new RegExp(patterns.apiKey)

/** What kind of key a text has the form of, or undefined. */
export const apiKeyKindOf = (text: string): ApiKeyKind | undefined => {
  if (!apiKeyForm.test(text)) return undefined
  const kinds = Object.keys(apiKeyPrefixes) as ApiKeyKind[]
  return kinds.find((kind) => text.startsWith(apiKeyPrefixes[kind]))
}

/** The node id in the name of a log. */
export const nodeOfLog = (origin: string): string => origin.split('/').at(1) ?? ''
