import { createHash, createPublicKey, verify } from 'node:crypto'

/**
 * A reader of tlog-tiles that shares nothing with the node: RFC 6962 by recursion over leaf hashes, tiles by the words
 * of the C2SP document, notes by node:crypto.
 */

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** MTH of RFC 6962, 2.1, over hashes of leaves. */
export const treeHash = (hashes: readonly Uint8Array[]): Buffer => {
  if (hashes.length === 0) return sha256()
  if (hashes.length === 1) return Buffer.from(hashes[0]!)
  let k = 1
  while (2 * k < hashes.length) k *= 2
  return sha256(Uint8Array.of(1), treeHash(hashes.slice(0, k)), treeHash(hashes.slice(k)))
}

/** Hash of an entry. */
export const entryHash = (data: Uint8Array): Buffer => sha256(Uint8Array.of(0), data)

/** `1234067` is `x001/x234/067`. */
export const placeOf = (index: number): string => {
  let text = String(index % 1_000).padStart(3, '0')
  for (let rest = Math.floor(index / 1_000); rest > 0; rest = Math.floor(rest / 1_000)) {
    text = `x${String(rest % 1_000).padStart(3, '0')}/${text}`
  }
  return text
}

export interface Head {
  readonly origin: string
  readonly size: number
  readonly root: string
}

/** Reads a note and checks the signature of the log under a vkey. @throws Error */
export const openNote = (note: string, vkey: string): Head => {
  // The base64 of a key may hold plus signs of its own.
  const [name = '', id = '', ...material] = vkey.split('+')
  const key = Buffer.from(material.join('+'), 'base64')
  if (key[0] !== 1 || key.length !== 33) throw new Error('no Ed25519 vkey')
  const expected = sha256(Buffer.from(`${name}\n`), key).subarray(0, 4)
  if (expected.toString('hex') !== id) throw new Error('the key id is another one')
  const end = note.lastIndexOf('\n\n')
  const text = note.slice(0, end + 1)
  const line = note
    .slice(end + 2)
    .split('\n')
    .find((it) => it.startsWith(`— ${name} `))
  const signature = Buffer.from(line?.split(' ')[2] ?? '', 'base64')
  if (!signature.subarray(0, 4).equals(expected)) throw new Error('the signature is of another key')
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key.subarray(1)])
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  if (!verify(null, Buffer.from(text), publicKey, signature.subarray(4))) throw new Error('the signature is wrong')
  const [origin = '', size = '', root = ''] = text.split('\n')
  if (origin !== name) throw new Error('the origin is another one')
  return { origin, size: Number(size), root }
}

/** Bytes of a path under the prefix of a log. */
export type Fetch = (path: string) => Promise<Buffer>

/** All leaf hashes of a tree, from its tiles of level 0. */
export const leafHashes = async (get: Fetch, size: number): Promise<readonly Buffer[]> => {
  const hashes: Buffer[] = []
  for (let index = 0; index * 256 < size; index++) {
    const width = Math.min(256, size - index * 256)
    const tile = await get(`tile/0/${placeOf(index)}${width === 256 ? '' : `.p/${width}`}`)
    if (tile.length !== width * 32) throw new Error(`tile ${index} has ${tile.length} bytes`)
    for (let at = 0; at < width; at++) hashes.push(tile.subarray(at * 32, at * 32 + 32))
  }
  return hashes
}

/** The tiles above level 0 are what the document says: hashes of full tiles below. @returns how many there were */
export const checkUpper = async (get: Fetch, leaves: readonly Buffer[]): Promise<number> => {
  let below = leaves
  let tiles = 0
  for (let level = 1; below.length >= 256; level++) {
    const full = Math.floor(below.length / 256)
    const hashes = Array.from({ length: full }, (_, i) => treeHash(below.slice(i * 256, (i + 1) * 256)))
    for (let index = 0; index * 256 < full; index++) {
      const some = hashes.slice(index * 256, (index + 1) * 256)
      const tile = await get(`tile/${level}/${placeOf(index)}${some.length === 256 ? '' : `.p/${some.length}`}`)
      if (!tile.equals(Buffer.concat(some))) throw new Error(`tile ${index} of level ${level} is another one`)
      tiles += 1
    }
    below = hashes
  }
  return tiles
}

/** Entries of all bundles of a log. */
export const entries = async (get: Fetch, size: number): Promise<readonly Buffer[]> => {
  const all: Buffer[] = []
  for (let index = 0; index * 256 < size; index++) {
    const width = Math.min(256, size - index * 256)
    const bundle = await get(`tile/entries/${placeOf(index)}${width === 256 ? '' : `.p/${width}`}`)
    for (let at = 0; at < bundle.length; ) {
      const length = bundle.readUInt16BE(at)
      all.push(bundle.subarray(at + 2, at + 2 + length))
      at += 2 + length
    }
  }
  return all
}
