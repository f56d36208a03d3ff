import { TICK_SECONDS } from '#core/tick.ts'
import { createHeard, HEARD_TICKS, headEveryTicks, presenceEveryTicks } from '#domain/network/pace.ts'
import { bench } from './bench.ts'

const SIZES = [12, 50, 128, 400]
/** Nodes that are compared, and nodes that they are compared with. */
const [FEW, MANY] = [50, 400]
/** Ticks until every node has heard of every other. */
const WARM_TICKS = 64

/** One node: whom it heard of, and when it spoke last. */
const simulated = (nodesMax: number) => ({
  heard: createHeard(nodesMax),
  head: Number.NEGATIVE_INFINITY,
  presence: Number.NEGATIVE_INFINITY,
})

/** Head and presence messages that a node sends, and that reach it, in a second: every log grows with every tick. */
const messagesPerSecond = (nodes: number): { readonly sent: number; readonly heard: number } => {
  const mesh = Array.from({ length: nodes }, () => simulated(nodes))
  let messages = 0
  for (let tick = 0; tick < WARM_TICKS + HEARD_TICKS; tick++) {
    const speaking: number[] = []
    for (const [id, it] of mesh.entries()) {
      const n = it.heard.count(tick)
      const isHead = tick - it.head >= headEveryTicks(n)
      const isPresence = tick - it.presence >= presenceEveryTicks(n)
      if (isHead) it.head = tick
      if (isPresence) it.presence = tick
      if (isHead || isPresence) speaking.push(id)
      if (tick >= WARM_TICKS) messages += Number(isHead) + Number(isPresence)
    }
    for (const id of speaking)
      for (const [other, { heard }] of mesh.entries()) if (other !== id) heard.note(`${id}`, tick)
  }
  const sent = messages / (nodes * HEARD_TICKS * TICK_SECONDS)
  return { sent, heard: sent * (nodes - 1) }
}

/** What heads and presence come to in meshes of several sizes, in virtual ticks. */
export const heads = bench({
  name: 'heads',
  summary: 'heads and presence a node sends and hears in a second, in simulated meshes of 12 to 400 nodes',
  async run() {
    const found = new Map(SIZES.map((nodes) => [nodes, messagesPerSecond(nodes)]))
    console.log('nodes   sent/s   heard/s')
    for (const [nodes, { sent, heard }] of found) {
      console.log(`${`${nodes}`.padStart(5)} ${sent.toFixed(3).padStart(8)} ${heard.toFixed(1).padStart(9)}`)
    }
    const [few, many] = [found.get(FEW), found.get(MANY)]
    if (few === undefined || many === undefined) return
    const ratioOf = (a: number, b: number): string => (a / b).toFixed(2)
    console.log(
      `${MANY} nodes against ${FEW}: a node sends ${ratioOf(many.sent, few.sent)} times as much ` +
        `and hears ${ratioOf(many.heard, few.heard)} times as much`,
    )
  },
})
