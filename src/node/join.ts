import type { Policy } from '#core/policy.ts'
import type { Log } from '#core/telemetry.ts'
import type { Services } from '#domain/services.ts'
import type { Mesh } from '#mesh/host.ts'
import { lookupExchange } from '#mesh/protocols/lookup.ts'
import { joinAbroad } from './abroad.ts'
import { joinReactors } from './reactor.ts'
import type { RedisEntrance } from './redis.ts'
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
  readonly redis: Pick<RedisEntrance, 'beat'>
  readonly policy: Policy | undefined
  readonly log: Log
  /** Does something with every tick. */
  readonly each: (work: () => void) => void
}

/** Gives the domains their way to other nodes, where there is one, and what comes round with the ticks. */
export const joinMesh = (
  { compute, contribution, disputes, economy, network, registers, witness, works }: Services,
  { mesh, redis, policy, log, each }: Joined,
): AsyncDisposable => {
  joinWitness(witness, mesh)
  joinReactors(compute.reactors, mesh)
  joinWorks(works, { compute, mesh })
  const abroad = joinAbroad(economy.abroad, { mesh, witness, network, compute, policy, log, each })
  network.sync?.onFork(witness.accuse)
  joinLookup(network, mesh)
  // libp2p brings what comes round itself; with Redis alone it comes from here.
  if (mesh !== undefined) each(mesh.beat)
  else if (redis.beat !== undefined) each(network.peering.beat)
  if (redis.beat !== undefined) each(redis.beat)
  each(witness.beat)
  each(compute.reactors.beat)
  each(contribution.beat)
  each(works.beat)
  each(disputes.beat)
  // Last, so that a page shows what the tick brought.
  each(registers.beat)
  return abroad
}
