import { createInterface } from 'node:readline'
import { tickBy } from '../../domain/channels/channel-kit.ts'
import { testNode } from '../../kit/node.ts'

/**
 * A node whose clock another process moves: `node followed-child.ts <data directory> <instant> <host>`. Each line that
 * it reads is a number of mesh ticks that pass, one by one. Each line that it writes is JSON: where it is, its instant,
 * and all that its chains say of channels. SIGTERM ends it in order.
 */
const [directory = '', start = '', host = ''] = process.argv.slice(2)
const settings = { 'http.hosts': [host], 'sse.retryMs': 50 }
const it = await testNode({ directory, start: BigInt(start), settings })
const { store } = it.node

const say = async (): Promise<void> => {
  const chain: object[] = []
  for await (const [, { entry }] of store.range('machineEntry')) {
    const { type, tick, body } = entry
    if (type.startsWith('stream_')) chain.push({ type, meshTick: store.genesisMeshTick + tick, body })
  }
  process.stdout.write(`${JSON.stringify({ url: it.url, instant: String(store.now().instant), chain })}\n`)
}

process.once('SIGTERM', () => {
  void it[Symbol.asyncDispose]().then(() => process.exit(0))
})
await say()
for await (const line of createInterface({ input: process.stdin })) {
  await tickBy(it, Number(line))
  await say()
}
