import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * The edge cases of Ed25519 verification that C2SP publishes as CCTV ed25519, made anew from their published
 * description: every low-order or mixed public key A against every low-order or mixed R, in every encoding of each,
 * with and without a low-order residue. It runs in browsers too, so both ports can be asked the same questions.
 */
export interface EdgeCase {
  readonly number: number
  readonly key: string
  readonly sig: string
  readonly msg: string
  readonly flags: readonly string[] | null
}

const { Point } = ed25519
type EdwardsPoint = InstanceType<typeof Point>
const ORDER = Point.Fn.ORDER
const FIELD = Point.Fp.ORDER

const littleEndian = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
const toLittleEndian = (value: bigint): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn))

/** A multiple of the order-8 point, with the encodings of it that a strict decoder refuses. */
interface Torsion {
  /** Which multiple: the discrete logarithm in the group of 8. */
  readonly multiple: number
  readonly point: EdwardsPoint
  readonly encoded: Uint8Array
  readonly aliases: readonly Uint8Array[]
}

/** x = 0 may carry a sign bit that says nothing; y below 19 has room for one more field order in 255 bits. */
const aliasesOf = (encoded: Uint8Array): Uint8Array[] => {
  const bits = littleEndian(encoded)
  const sign = bits >> 255n
  const y = bits - (sign << 255n)
  const xIsZero = y === 1n || y === FIELD - 1n
  const higher = y + FIELD < 1n << 255n ? [y + FIELD] : []
  const values = xIsZero
    ? [y + (1n << 255n), ...higher, ...higher.map((it) => it + (1n << 255n))]
    : higher.map((it) => it + (sign << 255n))
  return values.map(toLittleEndian)
}

/** An encoding of a point of order 8, from the description's table; its multiples are the other seven. */
const ORDER_8 = '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'

const torsionPoints = (): Torsion[] => {
  const generator = Point.fromBytes(hexToBytes(ORDER_8))
  const points: Torsion[] = []
  for (let multiple = 0, point = Point.ZERO; multiple < 8; multiple++, point = point.add(generator)) {
    const encoded = point.toBytes()
    points.push({ multiple, point, encoded, aliases: aliasesOf(encoded) })
  }
  return points.sort((a, b) => (bytesToHex(a.encoded) < bytesToHex(b.encoded) ? -1 : 1))
}

/** The published choice of private scalar and nonce: arbitrary, fixed. */
const clamped = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 0x40 : 0x42))
const secretScalar = littleEndian(clamped) % ORDER
const nonceScalar = littleEndian(Uint8Array.from({ length: 64 }, (_, i) => (i % 2 === 0 ? 0x13 : 0x37))) % ORDER

/** One half of a case, the key or R: what is sent, its torsion, and the scalar of its prime-order part (0 without). */
interface Half {
  readonly encoded: Uint8Array
  readonly canonical: Uint8Array
  readonly torsion: Torsion
  readonly scalar: bigint
}

const low = (torsion: Torsion, encoded = torsion.encoded): Half => ({
  encoded,
  canonical: torsion.encoded,
  torsion,
  scalar: 0n,
})
const mixed = (torsion: Torsion, base: EdwardsPoint, scalar: bigint): Half => {
  const encoded = base.add(torsion.point).toBytes()
  return { encoded, canonical: encoded, torsion, scalar }
}

const challenge = (r: Uint8Array, a: Uint8Array, message: string): bigint =>
  littleEndian(sha512(concatBytes(r, a, utf8ToBytes(message)))) % ORDER

/** Whether the low-order parts of R + kA fail to cancel. */
const leavesResidue = (a: Half, r: Half, k: bigint): boolean =>
  (Number(k % 8n) * a.torsion.multiple + r.torsion.multiple) % 8 !== 0

const flagsOf = (a: Half, r: Half, about: { message: string; reencoded: boolean }): string[] => {
  const plainK = challenge(r.encoded, a.encoded, about.message)
  const flags: readonly (readonly [string, boolean])[] = [
    ['low_order_R', r.scalar === 0n],
    ['low_order_A', a.scalar === 0n],
    ['low_order_component_R', r.torsion.multiple !== 0],
    ['low_order_component_A', a.torsion.multiple !== 0],
    ['low_order_residue', leavesResidue(a, r, plainK)],
    ['non_canonical_A', a.encoded !== a.canonical],
    ['non_canonical_R', r.encoded !== r.canonical],
    ['reencoded_k', about.reencoded],
  ]
  return flags.filter(([, holds]) => holds).map(([name]) => name)
}

/** One case per residue that can be had, found by trying messages until k takes each value modulo 8 in turn. */
const casesOf = (a: Half, r: Half, reencoded: boolean): Omit<EdgeCase, 'number'>[] => {
  const found = new Map<boolean, Omit<EdgeCase, 'number'>>()
  const kOf = (message: string): bigint =>
    reencoded ? challenge(r.canonical, a.canonical, message) : challenge(r.encoded, a.encoded, message)
  for (let remainder = 0n; remainder < 8n; remainder++) {
    let message = 'ed25519vectors'
    for (let attempt = 1; kOf(message) % 8n !== remainder; attempt++) message = `ed25519vectors ${attempt}`
    const k = kOf(message)
    const residue = leavesResidue(a, r, k)
    if (found.has(residue)) continue
    const s = (k * a.scalar + r.scalar) % ORDER
    const flags = flagsOf(a, r, { message, reencoded })
    found.set(residue, {
      key: bytesToHex(a.encoded),
      sig: bytesToHex(concatBytes(r.encoded, toLittleEndian(s))),
      msg: message,
      flags: flags.length === 0 ? null : flags,
    })
  }
  return [...found.values()]
}

/** All 914, in the published order. */
export const edgeCases = (): EdgeCase[] => {
  const points = torsionPoints()
  const keyPoint = Point.BASE.multiply(secretScalar)
  const noncePoint = Point.BASE.multiply(nonceScalar)
  const cases: Omit<EdgeCase, 'number'>[] = []
  const add = (a: Half, r: Half, reencoded = false): number => cases.push(...casesOf(a, r, reencoded))
  for (const keyTorsion of points) {
    for (const nonceTorsion of points) {
      const mixedA = mixed(keyTorsion, keyPoint, secretScalar)
      const mixedR = mixed(nonceTorsion, noncePoint, nonceScalar)
      add(low(keyTorsion), low(nonceTorsion))
      add(low(keyTorsion), mixedR)
      add(mixedA, low(nonceTorsion))
      add(mixedA, mixedR)
      for (const alias of keyTorsion.aliases) {
        add(low(keyTorsion, alias), low(nonceTorsion))
        add(low(keyTorsion, alias), mixedR)
        add(low(keyTorsion, alias), mixedR, true)
      }
      for (const alias of nonceTorsion.aliases) {
        add(low(keyTorsion), low(nonceTorsion, alias))
        add(mixedA, low(nonceTorsion, alias))
        add(mixedA, low(nonceTorsion, alias), true)
      }
      for (const aliasA of keyTorsion.aliases) {
        for (const aliasR of nonceTorsion.aliases) add(low(keyTorsion, aliasA), low(nonceTorsion, aliasR))
      }
    }
  }
  return cases.map((it, number) => ({ number, ...it }))
}

/** The list as the published file spells it: tab-indented JSON, a newline at the end. */
export const edgeCasesText = (cases: readonly EdgeCase[]): string => `${JSON.stringify(cases, undefined, '\t')}\n`

/** SHA-256 of the published file: equality proves that these are the very vectors. */
export const EDGE_CASES_SHA256 = 'b38e84caf3e7e89170ff520292dbeae421b0a794c27408ce5ce973018fe3d7f9'
