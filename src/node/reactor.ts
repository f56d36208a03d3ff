import type { Reactors } from '#domain/compute/reactor/types.ts'
import type { Mesh } from '#mesh/host.ts'
import { reactorExchange } from '#mesh/protocols/reactor.ts'

/** Lets reactors of other nodes be followed, where libp2p is on. */
export const joinReactors = (reactors: Reactors, mesh: Mesh | undefined): void => {
  if (mesh === undefined) return
  reactors.join((node, question, signal) => mesh.ask(reactorExchange, { node, question, signal }))
}
