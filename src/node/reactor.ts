import type { Reactors } from '#domain/compute/reactor/types.ts'
import type { Mesh, MeshOptions } from '#mesh/host.ts'
import { reactorExchange } from '#mesh/protocols/reactor.ts'

/** What reactors answer over libp2p. */
export const reactorAnswerers = (reactors: Reactors): NonNullable<MeshOptions['answerers']> => ({
  [reactorExchange.name]: async (node, question) => [await reactors.answer(node, question)],
})

/** Lets reactors of other nodes be followed, where libp2p is on. */
export const joinReactors = (reactors: Reactors, mesh: Mesh | undefined): void => {
  if (mesh === undefined) return
  reactors.join(async (node, question, signal) => {
    const [answer] = await mesh.ask(reactorExchange, { node, question, signal })
    return answer ?? new Uint8Array(0)
  })
}
