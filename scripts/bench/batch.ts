import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '#core/canonical.ts'
import { createClient } from '#gateway/client.ts'
import { bench, median, wholeOr } from './bench.ts'
import { type ChildNode, startChildNode } from './child-node.ts'
import { bytesIn, sealFloor } from './floor.ts'
import { cpuSecondsOf, grantOwner, UNLIMITED } from './sealed.ts'

const CALLS = 10_000
const BATCH_CALLS = 1_000
/** Batches that are under way at once: a caller may have four. */
const AT_ONCE = [1, 4] as const
const MB = 1e6

/** Megabytes that a process holds, without the pages of files that it has mapped. */
const ownMegabytes = ({ process: { pid } }: ChildNode): number =>
  Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_000

/** Masses that no call of this process has had: nothing that is computed is answered from anywhere. */
let mass = 1e20
const calls = (count: number) =>
  Array.from({ length: count }, () => {
    mass += 1e15
    return { route: 'compute', input: { operators: ['GR37'], inputs: { mass } } }
  })

/** Has a batch sealed and reads all of it. */
const sealBatch = async (node: ChildNode, count: number): Promise<void> => {
  const client = createClient({ url: node.url, key: node.ownerKey })
  let last = ''
  const idempotencyKey = crypto.randomUUID()
  for await (const line of client.lines('compute.batch', { calls: calls(count) }, { idempotencyKey })) last = line
  const { sealed } = JSON.parse(last) as { readonly sealed?: number }
  if (sealed !== count) throw new Error(`${sealed} of ${count} were sealed`)
}

/** Seals so many calls, some batches at once. @returns seals a second */
const batches = async (node: ChildNode, count: number, atOnce: number): Promise<number> => {
  let left = Math.ceil(count / BATCH_CALLS)
  const from = performance.now()
  const line = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await sealBatch(node, BATCH_CALLS)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, line))
  return (Math.ceil(count / BATCH_CALLS) * BATCH_CALLS) / ((performance.now() - from) / 1_000)
}

const shown = (rate: number): string => `${rate.toFixed(0).padStart(7)} /s`

/** Closed forms in batches beside the floor, in one run, turn and turn about. */
export const batch = bench({
  name: 'batch',
  summary: 'closed forms sealed in batches of 1,000 beside the floor of a seal [calls, rounds, options of its Node …]',
  async run([words, rounds, ...nodeArgs]) {
    const count = wholeOr(words, CALLS)
    const directory = mkdtempSync(join(tmpdir(), 'tickmesh-bench-'))
    const node = await startChildNode(directory, { ...UNLIMITED, TICKMESH_P2P_ENABLED: 'false' }, nodeArgs)
    try {
      await grantOwner(node)
      const client = createClient({ url: node.url, key: node.ownerKey })
      const one = await client.call('compute.compute', { operators: ['GR37'], inputs: { mass: 1e30 } })
      const claim = one.claim as unknown as Readonly<Record<string, Json>>
      await batches(node, BATCH_CALLS, 1)
      const [bytes, cpu] = [bytesIn(directory), await cpuSecondsOf(node)]
      const ratios = new Map<number, number[]>(AT_ONCE.map((it) => [it, []]))
      let [seals, peak] = [0, 0]
      const looking = setInterval(() => {
        peak = Math.max(peak, ownMegabytes(node))
      }, 100)
      for (let round = 0; round < wholeOr(rounds, 3); round++) {
        const bare = await sealFloor(claim, Math.min(count, CALLS))
        console.log(`floor: text, signature, hash, write${shown(bare)}`)
        for (const atOnce of AT_ONCE) {
          const rate = await batches(node, count, atOnce)
          seals += Math.ceil(count / BATCH_CALLS) * BATCH_CALLS
          ratios.get(atOnce)?.push(rate / bare)
          const beside = `${(rate / bare).toFixed(3)} of the floor   ${ownMegabytes(node).toFixed(0)} MB`
          console.log(`${atOnce} x ${BATCH_CALLS} calls at once        ${shown(rate)}   ${beside}`)
        }
      }
      clearInterval(looking)
      const spent = (await cpuSecondsOf(node)) - cpu
      for (const [atOnce, found] of ratios) console.log(`${atOnce} at once: ${median(found).toFixed(3)} of the floor`)
      console.log(`${seals} seals: ${((spent / seals) * 1e6).toFixed(0)} us of processor time a seal`)
      const each = ((bytesIn(directory) - bytes) / seals).toFixed(0)
      const data = `${(bytesIn(directory) / MB).toFixed(0)} MB of data`
      console.log(`${each} bytes on disk a seal, ${data}, ${peak.toFixed(0)} MB of memory at most`)
    } finally {
      await node.end('SIGTERM')
      rmSync(directory, { recursive: true, force: true })
    }
  },
})
