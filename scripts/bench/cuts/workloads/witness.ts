import { join } from 'node:path'
import { toHex } from '#core/bytes.ts'
import { noMeter } from '#core/telemetry.ts'
import { witnessVerifier } from '#core/witness-key.ts'
import { openNodeKeys } from '#domain/identity/node-keys.ts'
import { createAdmission } from '#domain/network/witness/admission.ts'
import { silentLog } from '#node/log.ts'
import { openStore } from '#store/open.ts'
import { makeLog } from '../../../../test/domain/network/log-kit.ts'
import { fixedClock } from '../../../../test/kit/clock.ts'
import { seeded } from '../../../../test/kit/random.ts'
import { tell } from '../notes.ts'
import type { Workload } from '../workload.ts'

const SEED = 4
const LOGS = 2

/** Cosigns logs that grow: what the witness key signed once it may never forget. */
export const witness: Workload = {
  name: 'cosignatures',
  cuts: 100,
  size: 60,
  async run(below, size) {
    const random = seeded(SEED)
    const directory = join(below, 'data')
    const keys = openNodeKeys(directory)
    const clock = fixedClock()
    await using store = await openStore({ directory, clock, signer: keys.signer })
    tell({ is: 'directory', path: 'data' })
    const logs = Array.from({ length: LOGS }, () => makeLog(random, 1))
    const nodes = new Set(logs.map((it) => it.node))
    const verifier = witnessVerifier(keys.nodeId, keys.witness.publicKey)
    const admission = createAdmission({
      ...{ store, node: keys.nodeId, policy: undefined, isPeer: (it) => nodes.has(it), accuse: () => undefined },
      ...{ key: { verifier, seed: keys.witness.seed }, log: silentLog, meter: noMeter },
    })
    const known = new Map<string, number>()
    for (let round = 0; round < size; round++) {
      const log = random.pick(logs)
      log.grow(random.integer(1, 5))
      const { status, body } = await admission.add(log.push(known.get(log.origin) ?? 0))
      if (status !== 200) throw new Error(`the witness answered ${status}: ${body}`)
      known.set(log.origin, log.size)
      tell({ is: 'cosigned', origin: log.origin, size: log.size, root: toHex(log.root()) })
      clock.advanceTicks(1)
    }
  },
}
