import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { createClient } from '#gateway/client.ts'
import { bareKoa } from './bare-koa.ts'
import { bench, wholeOr } from './bench.ts'
import { type ChildNode, startChildNode } from './child-node.ts'

const CONNECTIONS = 50
/** Seconds before the first round. */
const WARM_SECONDS = 8
const GRANT = 1_000_000_000
/** The call that is measured. */
const BODY = JSON.stringify({ operators: ['KO42', 'GR37'], inputs: { mass: 1.98892e30 } })

interface Load {
  readonly title: string
  readonly url: string
  readonly key?: string
  readonly connections?: number
  /** Of each call; that of the sealed computation unless given. */
  readonly body?: () => string
}

/** Settings without which the limits would be measured. */
export const UNLIMITED = { TICKMESH_LIMITS_KEY_CALLS_PER_MINUTE: String(GRANT) } as const

/** Gives the owner of a node credits for as long as a measurement may last. */
export const grantOwner = async ({ url, ownerKey }: ChildNode): Promise<void> => {
  const client = createClient({ url, key: ownerKey })
  const { zid } = await client.call('economy.credits', {})
  await client.call('economy.grant', { zid, credits: GRANT, reason: 'bench' })
}

/** Seconds of processor time, user and system, that a node has used. */
export const cpuSecondsOf = async ({ url }: { readonly url: string }): Promise<number> => {
  const text = await (await fetch(new URL('/metrics', url))).text()
  return Number(/^tickmesh_process_cpu_seconds_total (\S+)$/m.exec(text)?.[1])
}

/** Calls as fast as they are answered, for some seconds, and one line about them. @returns calls answered. */
export const load = async (
  { title, url, key, connections = CONNECTIONS, body = () => BODY }: Load,
  seconds: number,
): Promise<number> => {
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) }
  const found = await autocannon({
    url,
    method: 'POST',
    requests: [{ setupRequest: (request) => ({ ...request, body: body() }) }],
    headers,
    connections,
    duration: seconds,
  })
  const { average } = found.requests
  const { p50, p99 } = found.latency
  const good = `${found['2xx']} answered, ${found.non2xx + found.errors} refused or broken`
  console.log(`${title.padEnd(28)} ${average.toFixed(0).padStart(7)} calls/s   p50 ${p50} ms   p99 ${p99} ms   ${good}`)
  return found['2xx']
}

/** Sealed calls beside a Koa that does nothing but answer as many bytes, in one run, turn and turn about. */
export const sealed = bench({
  name: 'sealed',
  summary: `sealed computations per second at ${CONNECTIONS} connections beside bare Koa [seconds, rounds]`,
  async run([seconds, rounds]) {
    const directory = mkdtempSync(join(tmpdir(), 'tickmesh-bench-'))
    const node = await startChildNode(directory, UNLIMITED)
    try {
      const client = createClient({ url: node.url, key: node.ownerKey })
      await grantOwner(node)
      const { body } = await client.send('POST', '/api/svc/compute', JSON.parse(BODY))
      const answerBytes = JSON.stringify(body).length
      await using koa = await bareKoa(answerBytes)
      console.log(`${CONNECTIONS} connections, answers of ${answerBytes} bytes`)
      const target = { url: `${node.url}/api/svc/compute`, key: node.ownerKey }
      // A node that runs for days is compiled; one that has just begun costs twice as much a call.
      await load({ title: 'warming up', ...target }, WARM_SECONDS)
      for (let round = 0; round < wholeOr(rounds, 3); round++) {
        const time = wholeOr(seconds, 8)
        const bare = await load({ title: 'bare Koa', url: koa.url }, time)
        const before = await cpuSecondsOf(node)
        const calls = await load({ title: 'sealed compute (fsynced)', ...target }, time)
        const spent = (await cpuSecondsOf(node)) - before
        // What a call costs is the same on a busy machine, where calls a second are not.
        const us = ((spent / calls) * 1e6).toFixed(0)
        const ratio = (calls / bare).toFixed(3)
        console.log(`${' '.repeat(28)} ${us} us of processor time a call; ${ratio} of bare Koa`)
      }
    } finally {
      await node.end('SIGTERM')
      rmSync(directory, { recursive: true, force: true })
    }
  },
})
