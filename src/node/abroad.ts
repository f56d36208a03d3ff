import type { Json } from '#core/canonical.ts'
import type { Policy } from '#core/policy.ts'
import type { Log } from '#core/telemetry.ts'
import type { Compute } from '#domain/compute/service.ts'
import type { Abroad } from '#domain/economy/abroad/types.ts'
import type { Network } from '#domain/network/types.ts'
import type { Witness } from '#domain/network/witness/witness.ts'
import type { Mesh } from '#mesh/host.ts'
import { tokenDialogue } from '#mesh/protocols/token.ts'

interface Parts {
  readonly mesh: Mesh | undefined
  readonly witness: Pick<Witness, 'standingOf'>
  readonly network: Pick<Network, 'record'>
  readonly compute: Pick<Compute, 'bundle'>
  readonly policy: Policy | undefined
  readonly log: Log
  /** Does something with every tick. */
  readonly each: (work: () => void) => void
}

/** Gives tokens the way to other nodes, where libp2p is on, and what this node goes by. */
export const joinAbroad = (
  abroad: Abroad,
  { mesh, witness, network, compute, policy, log, each }: Parts,
): AsyncDisposable => {
  abroad.join({
    peers: () => mesh?.peers() ?? [],
    reach: (node) => mesh?.reach(node) ?? Promise.resolve('off'),
    talk: (node, talk, signal) =>
      mesh === undefined
        ? Promise.reject(new Error('libp2p is off'))
        : mesh.talk(tokenDialogue, { node, signal, talk }),
    accuse: (proof) => network.record('evidence', { kind: 'receipt', ...proof } as unknown as Json),
    standingOf: witness.standingOf,
    policy,
    bundle: compute.bundle,
    log,
  })
  each(abroad.beat)
  return abroad
}
