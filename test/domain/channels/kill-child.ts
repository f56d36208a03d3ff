import { writeSync } from 'node:fs'
import { testNode } from '../../kit/node.ts'
import { RADIUS } from './channel-kit.ts'

/**
 * Lets channels tick by themselves on the machine's own clock until it is killed: `node kill-child.ts <data
 * directory>`. The first of these makes them. Writes a line for each tick that is durable:
 * `<channel> <epoch> <count> <token>`.
 */
const CHANNELS = 12

const [directory = ''] = process.argv.slice(2)
const it = await testNode({ directory, realTime: true })
const { channels } = it.node.services
channels.feed.listen((told) => {
  if (told.kind === 'tick') writeSync(1, `${told.channel} ${told.epoch} ${told.count} ${told.token_id}\n`)
})
if (channels.size === 0) {
  const { api_key } = await it.client.call('identity.sign-up', {})
  for (let i = 0; i < CHANNELS; i++) {
    await it.as(api_key).call('compute.stream-create', { ...RADIUS, autotick: true })
  }
}
