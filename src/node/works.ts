import type { Log } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import type { Compute } from '#domain/compute/service.ts'
import type { NodeKeys } from '#domain/identity/node-keys.ts'
import type { Contribution } from '#domain/network/contribution/types.ts'
import { createDisputes } from '#domain/network/disputes/service.ts'
import type { Disputes } from '#domain/network/disputes/types.ts'
import type { EventRecorder } from '#domain/network/recorder.ts'
import type { Network } from '#domain/network/types.ts'
import { createWorks, type Works } from '#domain/network/works/service.ts'
import { drawValuesOf } from '#domain/network/works/values.ts'
import type { Mesh } from '#mesh/host.ts'
import { blobDialogue } from '#mesh/protocols/blob.ts'
import { execDialogue } from '#mesh/protocols/exec.ts'
import type { Store } from '#store/store.ts'
import type { Config } from './settings.ts'

interface Base {
  readonly config: Config
  readonly keys: NodeKeys
  readonly store: Store
  readonly ports: { readonly log: Log; readonly sleep: Sleep }
  readonly policy: { readonly name: string }
}

interface WorksParts {
  readonly compute: Compute
  readonly contribution: Contribution
  readonly recorder: EventRecorder
  readonly network: () => Network
}

/** Contributed work, and the disputes over it. */
export interface WorkRooms {
  readonly works: Works
  readonly disputes: Disputes
}

/** Contributed work of a node. */
export const worksOf = async (
  { config, keys, store, ports: { log, sleep }, policy }: Base,
  { compute, contribution, recorder, network }: WorksParts,
): Promise<WorkRooms> => {
  const values = drawValuesOf(keys.secret('draw'))
  const { poolTicks, samples, auditRate, blobsBytesMax } = config.contribute
  const findWork = async (name: string) => network().lookup?.find({ kind: 'work', name })
  const works = createWorks({
    ...{
      store,
      signer: keys.signer,
      nodeId: keys.nodeId,
      policy: policy.name,
      log,
      sleep,
      recorder,
      peers: () => network().peers(),
    },
    ...{ poolTicks, samples, auditRate, blobsBytesMax, parts: compute.parts },
    kernels: contribution.said.kernels,
    contribution: () => contribution,
    values,
    findWork,
    findBond: async (name) => network().lookup?.find({ kind: 'bond', name }),
    accuse: async (wrong) => {
      log.warn({ worker: wrong.place.worker, work: wrong.place.work, segment: wrong.segment }, 'work_wrong')
      await disputes.accuse(wrong)
    },
  })
  works.blobs.serve('list', async (name) =>
    name.kind === 'list' ? contribution.list(name.bond, name.tokens_root) : undefined,
  )
  await contribution.resume()
  await works.load()
  const disputes = createDisputes({
    ...{ store, signer: keys.signer, nodeId: keys.nodeId, recorder, blobs: works.blobs, parts: compute.parts, log },
    ...{ values, contribution, placeOf: works.placeOf, whenOf: (...of) => network().whenOf(...of) },
    findWork,
  })
  return { works, disputes }
}

/** Gives contributed work the way to other nodes, where libp2p is on. */
export const joinWorks = (works: Works, { compute, mesh }: { compute: Compute; mesh: Mesh | undefined }): void => {
  if (mesh === undefined) return
  works.links.join({
    reach: mesh.reach,
    talk: (node, talk, signal) => mesh.talk(execDialogue, { node, talk, signal }),
  })
  works.blobs.join({
    reach: mesh.reach,
    talk: (node, talk, signal) => mesh.talk(blobDialogue, { node, talk, signal }),
  })
  compute.join(works.requester)
}
