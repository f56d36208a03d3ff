import { cpuUsage } from 'node:process'
import type { Caller } from '#core/caller.ts'
import { TICK_NS } from '#core/tick.ts'
import { START } from '../../test/kit/clock.ts'
import { testNode } from '../../test/kit/node.ts'
import { bench, wholeOr } from './bench.ts'
import { jobsDue } from './jobs-due.ts'

/** Contracts that are due in one tick, and the machines that they are on. */
const [CONTRACTS, MACHINES] = [10_000, 100]
/** Ticks until they are due: longer than it takes to make them. */
const AHEAD = 50_000
/** Contracts that are made at a time. */
const AT_ONCE = 200
/** Ticks that go by while a machine takes as many entries as it does in a minute. */
const MINUTE_TICKS = 80

type Node = Awaited<ReturnType<typeof testNode>>

const once = { scope: 'bench', key: undefined, input: {} }

/** It counts once, in a tick of its own. */
const counting = (at_tick: number, i: number) => ({
  v: 1,
  name: `Count ${i}`,
  context: { n: { type: 'integer', initial: 0 } },
  states: { on: { initial: true } },
  transitions: [
    {
      ...{ id: 'count', from: 'on', to: 'on', trigger: { kind: 'one_shot', at_tick } },
      actions: [{ kind: 'set', n: { $: 'context.n + 1' } }],
    },
  ],
})

const make = async (it: Node, caller: Caller, counts: { contracts: number; machines: number; at: number }) => {
  const { contracts, machines } = it.node.services
  for (let i = 0; i < counts.machines; i++) await machines.create(caller, { slug: `bench-${i}`, is_public: true })
  for (let i = 0; i < counts.contracts; i += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, counts.contracts - i) }, (_, k) => i + k)
    await Promise.all(
      some.map((k) =>
        contracts.create(
          { caller, slug: `bench-${k % counts.machines}` },
          { definition: counting(counts.at, k), start: true },
          once,
        ),
      ),
    )
  }
  await it.advanceTicks(MINUTE_TICKS)
  await contracts.idle()
}

const fired = async ({ node: { store } }: Node): Promise<number> => {
  let found = 0
  for await (const [, { fire_count }] of store.range('contract')) found += fire_count
  return found
}

export const contractsDue = bench({
  name: 'contracts-due',
  summary:
    'contracts that set a member, due in one tick, until the last is durable; beside BullMQ [contracts machines]',
  async run([some, over]) {
    const [contracts, machines] = [wholeOr(some, CONTRACTS), wholeOr(over, MACHINES)]
    await using it = await testNode({ start: START })
    const account = await it.client.call('identity.sign-up', {})
    const caller: Caller = {
      ...{ kind: 'account', bucket: '127.0.0.1', zid: account.zid, account: account.zid },
      ...{ keyId: 'bench', shared: false },
    }
    const at = it.node.store.now().meshTick + AHEAD
    await make(it, caller, { contracts, machines, at })
    it.passTicks(at - it.node.store.now().meshTick)
    const [start, before] = [performance.now(), cpuUsage()]
    await it.node.beat()
    await it.node.services.contracts.idle()
    const [seconds, { user, system }] = [(performance.now() - start) / 1e3, cpuUsage(before)]
    const count = await fired(it)
    if (count !== contracts) throw new Error(`${count} of ${contracts} have fired`)
    const [rate, cpu] = [contracts / seconds, (user + system) / 1e6]
    console.log(`${contracts} contracts over ${machines} machines, tick of ${Number(TICK_NS) / 1e9} s`)
    const theirs = (await jobsDue(contracts)) / 1e3
    console.log(
      `last durable after ${seconds.toFixed(2)} s, ${cpu.toFixed(2)} s of processor: ${rate.toFixed(0)} a second`,
    )
    console.log(`delayed jobs of BullMQ: ${theirs.toFixed(2)} s; ratio ${(seconds / theirs).toFixed(2)}`)
  },
})
