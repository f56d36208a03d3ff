import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '#gateway/client.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { bench, wholeOr } from './bench.ts'
import { type ChildNode, startChildNode } from './child-node.ts'

const CALLERS = 16
/** How long a round runs before the kill: at random in this range. */
const MS_MIN = 150
const MS_SPAN = 700
const GRANT = 100_000_000

interface Round {
  readonly acknowledged: readonly string[]
}

const clientOf = ({ url, ownerKey }: ChildNode): Client => createClient({ url, key: ownerKey, retriesMax: 0 })

/** Seals from many callers at once until the node is gone; a token counts when its answer arrived whole. */
const sealUntilKilled = async (node: ChildNode): Promise<Round> => {
  const client = clientOf(node)
  const acknowledged: string[] = []
  const caller = async (seed: number): Promise<void> => {
    for (let i = 0; ; i++) {
      const input = { operators: ['GR37'], inputs: { mass: 1e30 + seed * 1e26 + i } }
      const { body } = await client.send('POST', '/api/svc/compute', input)
      acknowledged.push((body as { envelope: { token_id: string } }).envelope.token_id)
    }
  }
  const callers = Promise.allSettled(Array.from({ length: CALLERS }, (_, i) => caller(i + 1)))
  await new Promise((resolve) => setTimeout(resolve, MS_MIN + randomInt(MS_SPAN)))
  await node.end('SIGKILL')
  await callers
  return { acknowledged }
}

const lostOf = async (node: ChildNode, tokens: readonly string[]): Promise<readonly string[]> => {
  const client = clientOf(node)
  const found = await Promise.allSettled(tokens.map((token_id) => client.call('economy.envelope', { token_id })))
  return tokens.filter((_, i) => found[i]?.status === 'rejected')
}

/** Kills a node under load again and again; every envelope it acknowledged must be there, and fsck clean. */
export const crash = bench({
  name: 'crash',
  summary: 'rounds of kill -9 under load: no acknowledged envelope may be lost, fsck must be clean [rounds]',
  async run([rounds]) {
    const directory = mkdtempSync(join(tmpdir(), 'tickmesh-crash-'))
    let [total, lost] = [0, 0]
    const count = wholeOr(rounds, 50)
    for (let round = 1; round <= count; round++) {
      const node = await startChildNode(directory)
      const client = clientOf(node)
      if (round === 1) {
        const { zid } = await client.call('economy.credits', {})
        await client.call('economy.grant', { zid, credits: GRANT })
      }
      const { acknowledged } = await sealUntilKilled(node)
      const { ok, bad } = await fsck({ directory })
      const verdict = ok ? 'clean' : `names ${bad?.table} ${bad?.key}: ${bad?.what}`
      const again = await startChildNode(directory)
      const missing = await lostOf(again, acknowledged)
      await again.end('SIGKILL')
      total += acknowledged.length
      lost += missing.length
      console.log(`round ${round}: ${acknowledged.length} acknowledged, ${missing.length} lost, fsck ${verdict}`)
      if (missing.length > 0 || !ok) process.exitCode = 1
    }
    console.log(`${count} rounds, ${total} envelopes acknowledged, ${lost} lost`)
    rmSync(directory, { recursive: true, force: true })
  },
})
