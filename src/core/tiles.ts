import { assert } from './assert.ts'
import { type NodeReader, nodeHash } from './merkle.ts'

/**
 * C2SP tlog-tiles: a tree as files of 256 hashes, which anyone may fetch and keep. Tile (L, N) holds the roots of the
 * complete subtrees of 256^L leaves from N · 256 on; it is partial, of width W, at the right edge of a tree.
 */

/** Hashes of a full tile, and entries of a full bundle. */
export const TILE_WIDTH = 256
/** Levels of the tree that one level of tiles spans. */
export const TILE_HEIGHT = 8
/** Highest level of a tile in a tree of at most 2^53 leaves. */
const LEVEL_MAX = 6
const HASH_BYTES = 32
/** Bytes of an entry in a bundle: its length is a uint16. */
export const ENTRY_BYTES_MAX = 65_535
const LENGTH_BYTES = 2
/** Characters of a path behind `tile/`: more name no tile. */
const PATH_CHARS_MAX = 48

/** A tile of hashes, or a bundle of the entries that level 0 hashes. */
export interface Tile {
  readonly level: number | 'entries'
  readonly index: number
  /** Hashes or entries, 1 to 256. */
  readonly width: number
}

const PATH = /^(entries|[0-6])\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/(\d{1,3}))?$/

/** 256^level, exact for the levels that tiles have. */
const spanOf = (level: number): number => {
  let span = 1
  for (let i = 0; i < level; i++) span *= TILE_WIDTH
  return span
}

/** The path of a tile behind `tile/`: 1234067 at level 0 is `0/x001/x234/067`. */
export const tilePath = ({ level, index, width }: Tile): string => {
  const digits = String(index)
  const whole = digits.padStart(Math.ceil(digits.length / 3) * 3, '0')
  const groups = whole.match(/\d{3}/g) ?? []
  const place = groups.map((it, i) => (i === groups.length - 1 ? it : `x${it}`)).join('/')
  return `${level}/${place}${width === TILE_WIDTH ? '' : `.p/${width}`}`
}

/** Reads the path of a tile; undefined for whatever is not spelled as {@link tilePath} spells it. */
export const parseTilePath = (path: string): Tile | undefined => {
  if (path.length > PATH_CHARS_MAX) return undefined
  const [, level = '', place = '', partial] = PATH.exec(path) ?? []
  const index = Number(place.replace(/[x/]/g, ''))
  const width = partial === undefined ? TILE_WIDTH : Number(partial)
  if (level === '' || !Number.isSafeInteger(index) || width < 1 || width > TILE_WIDTH) return undefined
  const tile: Tile = { level: level === 'entries' ? level : Number(level), index, width }
  return tilePath(tile) === path ? tile : undefined
}

/** Leaves that a tree has at least when it has all of a tile. */
export const leavesUnder = ({ level, index, width }: Tile): number =>
  (index * TILE_WIDTH + width) * spanOf(level === 'entries' ? 0 : level)

/** The tile at a place as a tree of `size` leaves has it; undefined where it has none of it. */
export const tileAt = (level: number, index: number, size: number): Tile | undefined => {
  if (level > LEVEL_MAX) return undefined
  const width = Math.min(TILE_WIDTH, Math.floor(size / spanOf(level)) - index * TILE_WIDTH)
  return width > 0 ? { level, index, width } : undefined
}

/** Where the hash of a complete subtree is found: the tile, and the hashes of it that the subtree spans. */
export const tileOf = (level: number, index: number, size: number): { tile: Tile; from: number; count: number } => {
  const at = Math.floor(level / TILE_HEIGHT)
  let count = 1
  for (let i = at * TILE_HEIGHT; i < level; i++) count *= 2
  const first = index * count
  const tile = tileAt(at, Math.floor(first / TILE_WIDTH), size)
  const from = first % TILE_WIDTH
  assert(tile !== undefined && from + count <= tile.width, 'the subtree is complete in that tree')
  return { tile, from, count }
}

const subtree = (tile: Uint8Array, from: number, count: number): Uint8Array =>
  count === 1
    ? tile.subarray(from * HASH_BYTES, (from + 1) * HASH_BYTES)
    : nodeHash(subtree(tile, from, count / 2), subtree(tile, from + count / 2, count / 2))

/** Reads the nodes of a tree of `size` leaves out of tiles, which `bytesOf` has of its proof or root already. */
export const tileReader =
  (size: number, bytesOf: (tile: Tile) => Uint8Array): NodeReader =>
  (level, index) => {
    const { tile, from, count } = tileOf(level, index, size)
    const bytes = bytesOf(tile)
    assert(bytes.length === tile.width * HASH_BYTES, 'a tile has its width')
    return subtree(bytes, from, count)
  }

/** The bytes of a bundle of entries; undefined when one is longer than a bundle can say. */
export const entryBundle = (entries: readonly Uint8Array[]): Uint8Array | undefined => {
  if (entries.some((it) => it.length > ENTRY_BYTES_MAX)) return undefined
  const bundle = new Uint8Array(entries.reduce((sum, it) => sum + LENGTH_BYTES + it.length, 0))
  const view = new DataView(bundle.buffer)
  let at = 0
  for (const entry of entries) {
    view.setUint16(at, entry.length)
    bundle.set(entry, at + LENGTH_BYTES)
    at += LENGTH_BYTES + entry.length
  }
  return bundle
}

/** The entries of a bundle; undefined for bytes that are none. */
export const entriesOf = (bundle: Uint8Array): readonly Uint8Array[] | undefined => {
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.byteLength)
  const entries: Uint8Array[] = []
  for (let at = 0; at < bundle.length; ) {
    if (at + LENGTH_BYTES > bundle.length || entries.length === TILE_WIDTH) return undefined
    const end = at + LENGTH_BYTES + view.getUint16(at)
    if (end > bundle.length) return undefined
    entries.push(bundle.subarray(at + LENGTH_BYTES, end))
    at = end
  }
  return entries
}
