import { utf8 } from '#core/bytes.ts'
import type { Log, Meter } from '#core/telemetry.ts'
import type { NodeKeys } from '#domain/identity/node-keys.ts'
import type { Network } from '#domain/network/types.ts'
import { createWitness } from '#domain/network/witness/service.ts'
import type { Witness } from '#domain/network/witness/witness.ts'
import type { Mesh } from '#mesh/host.ts'
import { witnessExchange } from '#mesh/protocols/witness.ts'
import { witnessedExchange } from '#mesh/protocols/witnessed.ts'
import type { Store } from '#store/store.ts'
import type { MeshPolicy } from './policy.ts'
import { witnessHttp } from './witness-http.ts'

interface Parts {
  readonly policy: MeshPolicy
  /** Whether libp2p is on. */
  readonly p2p: boolean
  readonly keys: NodeKeys
  readonly store: Store
  readonly network: Network
  readonly onConfirmed: () => void
  /** Whether the data were put back, and nobody has been asked since. */
  readonly restored: boolean
  readonly log: Log
  readonly meter: Meter
}

/** The node's witness, before it has a way to others. */
export const witnessOf = ({ policy: { name, policy }, p2p, keys, ...parts }: Parts): Promise<Witness> =>
  createWitness({
    ...parts,
    signer: keys.signer,
    key: keys.witness,
    policy,
    policyName: name,
    reaches: p2p || (policy !== undefined && policy.urls.size > 0),
  })

/** Lets the witness ask others: peers over libp2p where it is on, and whoever the policy gives an address of. */
export const joinWitness = (witness: Witness, mesh: Mesh | undefined): void => {
  const ask: Mesh['ask'] = (it, asking) =>
    mesh === undefined ? Promise.reject(new Error('libp2p is off')) : mesh.ask(it, asking)
  witness.join({
    ...witnessHttp,
    push: (node, body, signal) => ask(witnessExchange, { node, question: utf8(body), signal }),
    state: (node, origin, signal) => ask(witnessedExchange, { node, question: utf8(origin), signal }),
  })
}
