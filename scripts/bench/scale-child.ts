import { randomInt } from 'node:crypto'
import { openCheckpoint } from '#core/checkpoint.ts'
import { leafHash, verifyInclusion } from '#core/merkle.ts'
import { verifierOf } from '#core/note.ts'
import type { Checked } from '#domain/compute/task.ts'
import { median } from './bench.ts'
import { computed, fill, openParts, type Parts, sealOne } from './parts.ts'

/*
 * One phase of the scale bench, in a process of its own so that its memory is its own: `fill` and `probe`, over the
 * parts of a node that seal and prove, without the interface. Prints one line of JSON.
 */

const PROBES = 400

const now = (): number => performance.now()

/** The middle time of something done many times, in microseconds. */
const timed = async (count: number, work: (i: number) => Promise<unknown>): Promise<number> => {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const from = now()
    await work(i)
    times.push((now() - from) * 1000)
  }
  return median(times)
}

const probe = async (parts: Parts) => {
  const { store, owner, bundle, keys, openMs } = parts
  const { checkpoint } = store.log
  if (checkpoint === undefined) throw new Error('a store that was filled has a checkpoint')
  const places = Array.from({ length: PROBES }, () => randomInt(checkpoint.size))
  const proofUs = await timed(PROBES, async (i) => {
    const index = places[i] as number
    const under = await store.log.checkpointFor(index)
    if (under === undefined) throw new Error('a leaf below a checkpoint is under one')
    const path = await store.log.inclusion(index, under.size)
    const leaf = await store.log.leaf(index)
    const { checkpoint: signed } = openCheckpoint(under.note, verifierOf(store.log.origin, keys.publicKey))
    const shown = {
      index,
      size: under.size,
      leafHash: leafHash(leaf as Uint8Array),
      path: [...path],
      root: signed.root,
    }
    if (!verifyInclusion(shown)) throw new Error('a proof of the log is good')
  })
  const tokens: string[] = []
  for (const index of places) {
    for await (const [, token] of store.range('envelopePublished', {
      gte: index.toString(16).padStart(14, '0'),
      limit: 1,
    }))
      tokens.push(token)
  }
  const bundleUs = await timed(tokens.length, (i) => bundle(tokens[i] as string, owner))
  const [checked] = await computed(parts)
  const appendUs = await timed(PROBES, () => sealOne(parts, checked as Checked))
  return { openMs, proofUs, bundleUs, appendUs }
}

const [phase = '', directory = '', count = '0'] = process.argv.slice(2)
const parts = await openParts(directory)
const found = phase === 'fill' ? await fill(parts, Number(count)) : await probe(parts)
await new Promise((resolve) => setTimeout(resolve, 1_600)) // The last tick ends and is signed.
await parts.store.closeTick()
await parts.store[Symbol.asyncDispose]()
console.log(JSON.stringify(found))
