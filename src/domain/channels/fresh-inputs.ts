import type { Json } from '#core/canonical.ts'
import { createLocalReadings } from '#domain/contracts/engine/readings.ts'
import type { ChannelHead, ChannelRow } from '#store/rows/channel.ts'
import type { ChannelContext } from './context.ts'
import type { ChannelProgram } from './inputs.ts'

/** Creates what works the inputs of a tick out as of now: what oracles give its owner, and where the channel stands. */
export const createFreshInputs = (context: Pick<ChannelContext, 'store' | 'vault'>) => {
  const { store } = context
  const { here } = createLocalReadings(context)
  return (
    { owner }: Pick<ChannelRow, 'owner'>,
    program: ChannelProgram,
    { count, head }: { readonly count: number; readonly head: ChannelHead | null },
  ): Readonly<Record<string, Json>> => {
    const now = store.now().meshTick
    const read = here({ get: store.peek }, owner, { oracles: program.oracles, now })
    const oracle = Object.fromEntries(read.map(({ oracle: name, value }) => [name, value]))
    return program.inputs({ tick: now, count, head, oracle })
  }
}
