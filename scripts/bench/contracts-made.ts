import type { Caller } from '#core/caller.ts'
import type { testNode } from '../../test/kit/node.ts'

/** Contracts that are made at a time. */
const AT_ONCE = 200
/** Ticks that go by while a machine takes as many entries as it does in a minute. */
const MINUTE_TICKS = 80
/** Contracts of one machine that are made in a minute of ticks: it takes 600 entries in it. */
const EACH_MAX = 500

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

/** Makes contracts that count once, all in the tick `at`, over machines of one account. */
export const makeContracts = async (
  it: Node,
  counts: { readonly contracts: number; readonly machines: number; readonly at: number },
): Promise<void> => {
  const { contracts, machines } = it.node.services
  const { zid } = await it.client.call('identity.sign-up', {})
  const caller: Caller = {
    ...{ kind: 'account', bucket: '127.0.0.1', zid, account: zid },
    ...{ keyId: 'bench', shared: false },
  }
  for (let i = 0; i < counts.machines; i++) await machines.create(caller, { slug: `bench-${i}`, is_public: true })
  const perMinute = EACH_MAX * counts.machines
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
    if (Math.floor((i + AT_ONCE) / perMinute) > Math.floor(i / perMinute)) await it.advanceTicks(MINUTE_TICKS)
  }
  await it.advanceTicks(MINUTE_TICKS)
  await contracts.idle()
}
