import type { Clock } from '#core/clock.ts'
import type { EquivocationProof } from '#core/equivocation.ts'
import { nodeIdOf, publicKeyOfSeed } from '#core/keys.ts'
import type { Policy } from '#core/policy.ts'
import { noMeter } from '#core/telemetry.ts'
import { witnessVerifier } from '#core/witness-key.ts'
import { createAdmission, type WitnessAdmission } from '#domain/network/witness/admission.ts'
import { silentLog } from '#node/log.ts'
import { createSigner } from '#ports/signer.node.ts'
import { openStore } from '#store/open.ts'
import type { Store } from '#store/store.ts'

const IDENTITY = new Uint8Array(32).fill(11)
const WITNESS = new Uint8Array(32).fill(12)
/** The node whose witness the tests ask. */
export const witnessNode = nodeIdOf(publicKeyOfSeed(IDENTITY))
/** Its witness key. */
export const witnessKey = witnessVerifier(witnessNode, publicKeyOfSeed(WITNESS))

/** A store of its own and the witness's admission before it. */
export interface DoorHouse extends AsyncDisposable {
  readonly store: Store
  readonly admission: WitnessAdmission
  readonly accused: readonly EquivocationProof[]
  /** Nodes that are connected. */
  readonly peers: Set<string>
}

/** Opens them in a directory, which outlives them. */
export const openAdmission = async (directory: string, clock: Clock, policy?: Policy): Promise<DoorHouse> => {
  const store = await openStore({ directory, clock, signer: createSigner(IDENTITY) })
  const accused: EquivocationProof[] = []
  const peers = new Set<string>()
  const admission = createAdmission({
    store,
    key: { verifier: witnessKey, seed: WITNESS },
    node: witnessNode,
    policy,
    isPeer: (node) => peers.has(node),
    accuse: (proof) => void accused.push(proof),
    log: silentLog,
    meter: noMeter,
  })
  return { store, admission, accused, peers, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}
