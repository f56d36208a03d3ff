import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { createClient } from '#gateway/client.ts'
import { bareKoa } from './bare-koa.ts'
import { bench, wholeOr } from './bench.ts'
import { startChildNode } from './child-node.ts'
import { cpuSecondsOf, grantOwner, UNLIMITED } from './sealed.ts'

const CONNECTIONS = 50
/** Seconds before each is measured. */
const WARM_SECONDS = 3
/** Some of it is read without a key, which counts by address. */
const OPEN = { TICKMESH_LIMITS_ANONYMOUS_CALLS_PER_MINUTE: '1000000000' } as const
/** What the lists are read of. */
const ENVELOPES = 64
const MACHINES = 8
const COMPUTED = { operators: ['KO42', 'GR37'], inputs: { mass: 1.98892e30 } }

/** Reads as fast as they are answered. @returns answered in a second */
const readsAt = async (url: string, key: string, seconds: number): Promise<number> => {
  const headers = { authorization: `Bearer ${key}` }
  const found = await autocannon({ url, headers, connections: CONNECTIONS, duration: seconds })
  if (found.non2xx + found.errors > 0) throw new Error(`${url}: ${found.non2xx + found.errors} refused or broken`)
  return found['2xx'] / seconds
}

/** Reads beside a Koa that does nothing but answer as many bytes, in one run, turn and turn about. */
export const reads = bench({
  name: 'reads',
  summary: `envelopes, machines and operators read per second at ${CONNECTIONS} connections beside bare Koa [seconds]`,
  async run([seconds]) {
    const directory = mkdtempSync(join(tmpdir(), 'tickmesh-bench-'))
    const node = await startChildNode(directory, { ...UNLIMITED, ...OPEN })
    try {
      const { url, ownerKey: key } = node
      const client = createClient({ url, key })
      await grantOwner(node)
      for (let i = 0; i < ENVELOPES; i++) await client.call('compute.compute', COMPUTED)
      for (let i = 0; i < MACHINES; i++) await client.call('machines.create', { slug: `bench-${i}`, is_public: true })
      const { zid } = await client.call('economy.credits', {})
      const { envelopes } = (await client.send('GET', `/api/tally/envelopes/${zid}?limit=20`)).body as {
        readonly envelopes: readonly { readonly token_id: string }[]
      }
      const paths = [
        `/api/envelopes/${envelopes[0]?.token_id}`,
        `/api/tally/envelopes/${zid}?limit=20`,
        '/api/chain/bench-0/state',
        '/api/chain/state-machines',
        '/api/operators/GR37',
        '/api/operators?limit=20',
      ]
      const time = wholeOr(seconds, 5)
      for (const path of paths) {
        const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
        const bytes = (await answer.arrayBuffer()).byteLength
        await using koa = await bareKoa(bytes)
        // The first thousands of any path are not compiled yet.
        await readsAt(`${url}${path}`, key, WARM_SECONDS)
        const bare = await readsAt(koa.url, key, time)
        const before = await cpuSecondsOf(node)
        const own = await readsAt(`${url}${path}`, key, time)
        const us = (((await cpuSecondsOf(node)) - before) / (own * time)) * 1e6
        const shown = path.replace(zid, '{zid}').replace(/[0-9a-f]{32}/, '{token_id}')
        const rates = `${own.toFixed(0).padStart(6)} beside ${bare.toFixed(0).padStart(6)} a second`
        const costs = `${us.toFixed(0).padStart(5)} us of processor  ${String(bytes).padStart(6)} bytes`
        console.log(`${(own / bare).toFixed(2)} of bare Koa  ${rates}  ${costs}  ${shown}`)
      }
    } finally {
      await node.end('SIGTERM')
      rmSync(directory, { recursive: true, force: true })
    }
  },
})
