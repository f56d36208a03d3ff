import { writeSync } from 'node:fs'
import { TICK_NS } from '#core/tick.ts'
import { testNode } from '../../test/kit/node.ts'

/*
 * A node whose channels are measured from within: `node channels-child.ts <data directory>`. Prints `ready <url>
 * <milliseconds that channels took to open>`, then each mesh tick a line of JSON: ticks, their lateness in parts of a
 * tick, and due ticks that were missed.
 */
const [directory = ''] = process.argv.slice(2)
const it = await testNode({
  ...{ directory, realTime: true },
  settings: { 'limits.keyCallsPerMinute': 1_000_000_000, 'compute.queueMax': 1_024 },
})
const { store, services } = it.node
let lateness: number[] = []
let missed = 0
services.channels.feed.listen((told) => {
  if (told.kind === 'gap') missed += 1
  if (told.kind !== 'tick') return
  const head = services.channels.peek(told.channel)?.head.head
  if (head == null) return
  // From the beginning of the tick that it stands for until it is durable: every channel here is due each tick.
  lateness.push(Number(store.now().instant - BigInt(head.mesh_tick) * TICK_NS) / Number(TICK_NS))
})
writeSync(1, `ready ${it.url}\n`)
const tell = (): void => {
  const { rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  writeSync(1, `${JSON.stringify({ lateness, missed, rss, cpuUs: user + system })}\n`)
  ;[lateness, missed] = [[], 0]
}
setInterval(tell, Number(TICK_NS) / 1e6)
process.once('SIGTERM', () => {
  void it[Symbol.asyncDispose]().then(() => process.exit(0))
})
