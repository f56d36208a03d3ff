import { writeSync } from 'node:fs'
import { createMesh } from '#mesh/host.ts'
import { silentLog } from '#node/log.ts'
import { keeper } from '../domain/network/keeper.ts'
import { seeded } from '../kit/random.ts'

/**
 * Syncs from one peer until it is killed: `node sync-child.ts <data directory> <seed, hex> <multiaddr>`. Writes one
 * line for each range that is durable, with its leaves, straight to the pipe, so that it is known whatever happens.
 */
const [directory = '', seed = '', address = ''] = process.argv.slice(2)
const told = (name: string, leaves: number): void => {
  if (name === 'sync_leaves_total') writeSync(1, `${leaves}\n`)
}
const it = await keeper(seeded(1), { directory, seed: Buffer.from(seed, 'hex'), told })
const config = { host: '127.0.0.1', port: 0, bootstrap: [], announce: [] }
const mesh = await createMesh({ seed: it.seed, config, network: it.network, clock: it.clock, log: silentLog })
await mesh.dial(address, AbortSignal.timeout(60_000))
