import { seqKey, under } from '#store/layout.ts'
import type { MachineContext } from './context.ts'
import type { Seals } from './views.ts'

/** The checkpoints that machines' heads stand under, newest first. */
export const createProof = ({ store }: MachineContext) => ({
  seals: async (limit: number): Promise<Seals> => {
    const { log } = store
    const range = { gte: `${log.name}/${seqKey(0)}`, lt: under(log.name).lt, reverse: true, limit }
    const seals: Seals['seals'][number][] = []
    for await (const [, { size, root, tick, late, note }] of store.range('checkpoint', range)) {
      seals.push({ size, root, tick, late, note })
    }
    return { origin: log.origin, seals }
  },
})
