import { call } from '#ui/server/api.ts'
import { useReading } from '#ui/server/reading.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { Evidence } from './evidence.tsx'
import { Gossip } from './gossip.tsx'
import { Heads } from './heads.tsx'
import { Own } from './own.tsx'
import { Peers } from './peers.tsx'
import { RolledBack } from './rolled-back.tsx'
import { Sources } from './sources.tsx'
import { Witnesses } from './witnesses.tsx'

const READ_EVERY_MS = 2_000

/** This node and the ones it knows, live. */
export const NetworkView = ({ vkey }: { readonly vkey: string }) => {
  const { value: mesh, problem } = useReading((signal) => call('GET /api/mesh/status', {}, { signal }), {
    everyMs: READ_EVERY_MS,
    on: [],
  })
  return (
    <article>
      <h2>Node and peers</h2>
      <p>
        <a href="#registers">Registers</a>: what programs on this machine read of it
      </p>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {mesh === undefined && problem === undefined && <p class="card about">reading …</p>}
      {mesh !== undefined && (
        <>
          <RolledBack witness={mesh.witness} />
          <Evidence found={[...mesh.witness.evidence, ...mesh.equivocations]} />
          <Own mesh={mesh} vkey={vkey} />
          <Peers mesh={mesh} />
          <Witnesses witness={mesh.witness} />
          <Sources sources={mesh.sources} />
          <Heads heads={mesh.heads} now={mesh.mesh_tick} />
          <Gossip mesh={mesh} />
        </>
      )}
    </article>
  )
}
