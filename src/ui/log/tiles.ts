import { type NodeReader, nodesRead } from '#core/merkle.ts'
import { type Tile, tileOf, tilePath, tileReader } from '#core/tiles.ts'
import { request } from '#ui/server/api.ts'

const HASH_BYTES = 32
/** Tiles fetched at one time: browsers open six connections. */
const AT_ONCE = 6

/** What was made of a tree's tiles, and which they were. */
export interface FromTiles<T> {
  readonly value: T
  /** Paths behind `tile/`, each once. */
  readonly tiles: readonly string[]
}

/** How a log is read: its name on the read paths, and whether what the browser keeps of it is believed. */
export interface TileReading {
  readonly log: string
  readonly signal: AbortSignal
  /** Past the browser's store: a node with new data has other tiles at the same addresses. */
  readonly anew?: boolean
}

const read = async ({ log, signal, anew }: TileReading, path: string): Promise<Response> =>
  request(
    { method: 'GET', path: `/log/${log}/${path}`, body: undefined },
    { signal, ...(anew === true && { cache: 'reload' as const }) },
  )

/** The newest checkpoint, as any tool reads it. @throws ApiProblem, NodeGone, the signal's reason */
export const readCheckpoint = async (reading: TileReading): Promise<string> =>
  (await read(reading, 'checkpoint')).text()

/** The bytes of a tile or bundle. @throws ApiProblem, NodeGone, the signal's reason */
export const readTile = async (reading: TileReading, tile: Tile): Promise<Uint8Array> =>
  new Uint8Array(await (await read(reading, `tile/${tilePath(tile)}`)).arrayBuffer())

/** The tiles that hold the nodes which `make` reads of a tree of `size` leaves. */
export const tilesFor = (size: number, make: (read: NodeReader) => unknown): readonly Tile[] => {
  const tiles = nodesRead(make).map(({ level, index }) => tileOf(level, index, size).tile)
  return [...new Map(tiles.map((it) => [tilePath(it), it])).values()]
}

/**
 * Makes a proof or root of a tree from its tiles alone.
 *
 * @throws Error for a tile of another width, ApiProblem, NodeGone, the signal's reason
 */
export const makeFromTiles = async <T>(
  reading: TileReading,
  size: number,
  make: (read: NodeReader) => T,
): Promise<FromTiles<T>> => {
  const wanted = tilesFor(size, make)
  const bytes = new Map<string, Uint8Array>()
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    await Promise.all(
      wanted.slice(at, at + AT_ONCE).map(async (tile) => {
        const found = await readTile(reading, tile)
        if (found.length !== tile.width * HASH_BYTES) throw new Error(`The tile ${tilePath(tile)} has another length.`)
        bytes.set(tilePath(tile), found)
      }),
    )
  }
  const value = make(tileReader(size, (tile) => bytes.get(tilePath(tile)) ?? new Uint8Array(0)))
  return { value, tiles: [...bytes.keys()] }
}
