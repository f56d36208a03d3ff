import { cpuUsage } from 'node:process'
import { TICK_NS } from '#core/tick.ts'
import { START } from '../../test/kit/clock.ts'
import { testNode } from '../../test/kit/node.ts'
import { bench, wholeOr } from './bench.ts'
import { makeContracts } from './contracts-made.ts'
import { contractsWaiting } from './contracts-waiting.ts'
import { jobsDue } from './jobs-due.ts'

/** Contracts that are due in one tick, and the machines that they are on. */
const [CONTRACTS, MACHINES] = [10_000, 100]
/** Contracts that wait while a node starts and is at rest. */
const WAITING = 100_000
/** Ticks until they are due: longer than it takes to make them. */
const AHEAD = 50_000

type Node = Awaited<ReturnType<typeof testNode>>

const fired = async ({ node: { store } }: Node): Promise<number> => {
  let found = 0
  for await (const [, { fire_count }] of store.range('contract')) found += fire_count
  return found
}

/** Seconds until the last is durable, and of processor. */
const dueAtOnce = async (contracts: number, machines: number) => {
  await using it = await testNode({ start: START })
  const at = it.node.store.now().meshTick + AHEAD
  await makeContracts(it, { contracts, machines, at })
  it.passTicks(at - it.node.store.now().meshTick)
  const [start, before, ownBefore] = [performance.now(), cpuUsage(), process.threadCpuUsage()]
  await it.node.beat()
  await it.node.services.contracts.idle()
  const seconds = (performance.now() - start) / 1e3
  const [all, own] = [cpuUsage(before), process.threadCpuUsage(ownBefore)]
  const count = await fired(it)
  if (count !== contracts) throw new Error(`${count} of ${contracts} have fired`)
  return { seconds, cpu: (all.user + all.system) / 1e6, ownCpu: (own.user + own.system) / 1e6 }
}

export const contractsDue = bench({
  name: 'contracts-due',
  summary:
    'contracts due in one tick, until the last is durable, beside BullMQ; those that wait [contracts machines waiting]',
  async run([some, over, waits]) {
    const [contracts, machines] = [wholeOr(some, CONTRACTS), wholeOr(over, MACHINES)]
    console.log(`${contracts} contracts over ${machines} machines, tick of ${Number(TICK_NS) / 1e9} s`)
    const { seconds, cpu, ownCpu } = await dueAtOnce(contracts, machines)
    const [rate, each] = [contracts / seconds, (cpu / contracts) * 1e3]
    console.log(`last durable after ${seconds.toFixed(2)} s: ${rate.toFixed(0)} a second`)
    console.log(
      `${cpu.toFixed(2)} s of processor, ${ownCpu.toFixed(2)} s of it in the main thread: ${each.toFixed(3)} ms a fire`,
    )
    const theirs = (await jobsDue(contracts)) / 1e3
    console.log(`delayed jobs of BullMQ: ${theirs.toFixed(2)} s; ratio ${(seconds / theirs).toFixed(2)}`)
    await contractsWaiting(wholeOr(waits, WAITING))
  },
})
