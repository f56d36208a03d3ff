import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePath } from '#api/told-routes.ts'
import { sleep } from '#core/wait.ts'
import { createAnswers } from '#domain/compute/answers.ts'
import { createBundles } from '#domain/compute/bundles.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { createOperatorOrders } from '#domain/compute/operator-orders.ts'
import { createPool } from '#domain/compute/pool.ts'
import { createSealer } from '#domain/compute/seal.ts'
import { KERNEL_VERSION } from '#domain/compute/service.ts'
import { openTally } from '#domain/compute/tally.ts'
import type { Checked } from '#domain/compute/task.ts'
import { createEconomy } from '#domain/economy/service.ts'
import { createCustody } from '#domain/identity/custody.ts'
import { openNodeKeys } from '#domain/identity/node-keys.ts'
import { openIdentity } from '#domain/identity/service.ts'
import { createRecorder } from '#domain/network/recorder.ts'
import { nodeClock } from '#node/clock.ts'
import { silentLog } from '#node/log.ts'
import { constantsDigest } from '#numerics/operators/constants.ts'
import { kernelDigest, release } from '#numerics/runtime/kernel.ts'
import { kernelDigests } from '#numerics/runtime/replay.ts'
import { openStore } from '#store/open.ts'

/** Distinct computations; each of their envelopes has a claim, a nonce and a receipt of its own. */
const DISTINCT = 4_096
/** Seals under way at once: twice what one write takes. */
const WINDOW = 512
const GRANT = 1_000_000_000

const now = (): number => performance.now()

/** Store, economy, owner and the gate's last step, as a node has them, without the interface. */
export const openParts = async (directory: string) => {
  const keys = openNodeKeys(directory)
  const from = now()
  const store = await openStore({ directory, clock: nodeClock(), signer: keys.signer })
  const openMs = now() - from
  const keyless = { workMax: 1, workPerDay: 1, bucketsMax: 1 }
  const workSecret = keys.secret('proof-of-work')
  const economy = createEconomy({
    store,
    signer: keys.signer,
    workSecret,
    custody: createCustody(keys),
    keyless,
    bundlePath,
  })
  const recorder = createRecorder(store, keys.signer)
  const identity = await openIdentity({ directory, store, economy, keys, recorder } as never)
  const owner = identity.callerOf({
    authorization: `Bearer ${readFileSync(join(directory, 'owner.key'), 'utf8').trim()}`,
    bucket: '127.0.0.1',
  })
  const node = { id: keys.nodeId, genesisMeshTick: store.genesisMeshTick }
  const ports = {
    store,
    economy,
    signer: keys.signer,
    node,
    pulseSecret: keys.secret('pulse'),
    log: silentLog,
    tally: await openTally(store),
  }
  const registry = loadRegistry()
  const code = { release, registry: registry.version, constants: constantsDigest, math: kernelDigest('math') }
  const codeFor = (solver: string, kernels: readonly string[]) => ({ ...code, kernels: kernelDigests(kernels), solver })
  const { seal } = createSealer(ports, codeFor, { registry: registry.version, kernel: KERNEL_VERSION })
  const bundle = createBundles(ports, createAnswers(ports as never))
  const order = createOperatorOrders(registry, createPool({ threads: 1, queueMax: 1, sleep }))
  return { keys, store, economy, identity, owner, seal, bundle, order, openMs }
}
export type Parts = Awaited<ReturnType<typeof openParts>>

/** Some computations, each checked. */
export const computed = async ({ order }: Parts): Promise<readonly Checked[]> => {
  const all: Checked[] = []
  const signal = new AbortController().signal
  for (let i = 0; i < DISTINCT; i++) {
    const prepared = order('compute', { operators: ['KO42', 'GR37'], inputs: { mass: 1e30 + i * 1e26 } } as never)
    const found = await prepared.execute({ signal, onReport: () => undefined, keep: () => undefined })
    if (found.reality === null) throw new Error('the computation of the bench is checked')
    all.push(found)
  }
  return all
}

/** Seals one of them for the owner, or another caller. */
export const sealOne = async ({ economy, owner, seal }: Parts, checked: Checked): Promise<string> => {
  const hold = economy.hold(owner, 3)
  try {
    const outcome = await seal({ checked, hold, published: true, also: () => undefined })
    if (outcome.kind === 'failed') throw new Error(outcome.reason)
    return outcome.minted.row.token_id
  } finally {
    hold.release()
  }
}

/** Seals until the store holds so many envelopes; as many at once as two writes take. */
export const fill = async (parts: Parts, envelopes: number) => {
  const { economy, owner, store } = parts
  if (owner.kind === 'anonymous') throw new Error('the owner has an account')
  await economy.grant(owner, { zid: owner.zid, credits: GRANT })
  const all = await computed(parts)
  const from = now()
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < envelopes) {
      next += 1
      await sealOne(parts, all[next % DISTINCT] as Checked)
    }
  }
  await Promise.all(Array.from({ length: WINDOW }, worker))
  const seconds = (now() - from) / 1000
  return { seconds, perSecond: envelopes / seconds, leaves: store.log.size }
}
