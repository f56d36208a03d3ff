import { seqKey, under } from '#store/layout.ts'
import type { Ground } from './ground.ts'

/** The checkpoints that machines' heads stand under, newest first. */
export const createProof = ({ store }: Ground) => ({
  seals: async (limit: number) => {
    const { log } = store
    const range = { gte: `${log.name}/${seqKey(0)}`, lt: under(log.name).lt, reverse: true, limit }
    const seals: { size: number; root: string; tick: number; late: boolean; note: string }[] = []
    for await (const [, { size, root, tick, late, note }] of store.range('checkpoint', range)) {
      seals.push({ size, root, tick, late, note })
    }
    return { origin: log.origin, seals }
  },
})
