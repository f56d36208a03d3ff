import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TICK_NS } from '#core/tick.ts'
import { START } from '../../../../test/kit/clock.ts'
import { testNode } from '../../../../test/kit/node.ts'
import { tell } from '../notes.ts'
import { tellHeads, type Workload } from '../workload.ts'

const CREDITS = 10_000
/** Between two starts. */
const TICKS_APART = 1_000

/** A whole node by its interface, from its first start on: sign-up, envelopes, machines, a job; stopped and started. */
export const node: Workload = {
  name: 'node',
  cuts: 60,
  size: 3,
  async run(below, size) {
    const directory = join(below, 'data')
    for (let round = 0; round < size; round++) {
      await using it = await testNode({ directory, start: START + BigInt(round * TICKS_APART) * TICK_NS })
      tell({ is: 'directory', path: 'data' })
      const owner = it.as(readFileSync(join(directory, 'owner.key'), 'utf8').trim())
      const { zid, api_key } = await it.client.call('identity.sign-up', {})
      tell({ is: 'account', zid })
      const user = it.as(api_key)
      await owner.call('economy.grant', { zid, credits: CREDITS })
      const slug = `pump-${round}`
      await user.call('machines.create', { slug, is_public: true })
      for (let i = 0; i < 3; i++) {
        const { envelope } = await user.call('compute.compute', {
          operators: ['KO42', 'GR37'],
          inputs: { mass: 1e30 * (1 + i + 10 * round) },
        })
        if (envelope === null) throw new Error('the node has sealed nothing')
        tell({ is: 'envelope', token: envelope.token_id, index: envelope.index })
        const { seq, hash } = await user.call('machines.event', { slug, type: 'reading', payload: i })
        tell({ is: 'entry', slug, seq, hash })
        await it.advanceTicks(1)
        tellHeads(it.node.store)
      }
      const job = await user.send('POST', '/api/svc/heat', { nx: 32, ny: 32, steps: 8 }, { prefer: 'respond-async' })
      tell({ is: 'job', id: (job.body as { readonly id: string }).id })
    }
  },
}
