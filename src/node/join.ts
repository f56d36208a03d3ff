import type { Policy } from '#core/policy.ts'
import type { Log } from '#core/telemetry.ts'
import type { Services } from '#domain/services.ts'
import type { Mesh } from '#mesh/host.ts'
import { lookupExchange } from '#mesh/protocols/lookup.ts'
import { joinAbroad } from './abroad.ts'
import { joinReactors } from './reactor.ts'
import { joinWitness } from './witness.ts'
import { joinWorks } from './works.ts'

/** Lets events of logs that are not kept here be found, where libp2p is on. */
const joinLookup = ({ lookup }: Services['network'], mesh: Mesh | undefined): void => {
  if (mesh === undefined) return
  lookup?.join({
    connected: mesh.peers,
    ask: (node, question, signal) => mesh.ask(lookupExchange, { node, question, signal }),
  })
}

interface Joined {
  readonly mesh: Mesh | undefined
  readonly policy: Policy | undefined
  readonly log: Log
  /** Does something with every tick. */
  readonly each: (work: () => void) => void
}

/** Gives the domains their way to other nodes, where there is one, and what comes round with the ticks. */
export const joinMesh = (
  { compute, contribution, disputes, economy, network, witness, works }: Services,
  { mesh, policy, log, each }: Joined,
): AsyncDisposable => {
  joinWitness(witness, mesh)
  joinReactors(compute.reactors, mesh)
  joinWorks(works, { compute, mesh })
  const abroad = joinAbroad(economy.abroad, { mesh, witness, network, compute, policy, log, each })
  network.sync?.onFork(witness.accuse)
  joinLookup(network, mesh)
  if (mesh !== undefined) each(mesh.beat)
  each(witness.beat)
  each(compute.reactors.beat)
  each(contribution.beat)
  each(works.beat)
  each(disputes.beat)
  return abroad
}
