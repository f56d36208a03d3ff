import { toHex } from '#core/bytes.ts'
import { canonicalBytes, type Json } from '#core/canonical.ts'
import type { Log } from '#core/telemetry.ts'
import { sha256 } from '#crypto'
import type { Compute } from '#domain/compute/service.ts'
import type { Economy } from '#domain/economy/economy.ts'
import { createCustody } from '#domain/identity/custody.ts'
import type { NodeKeys } from '#domain/identity/node-keys.ts'
import { createContribution } from '#domain/network/contribution/service.ts'
import type { Contribution } from '#domain/network/contribution/types.ts'
import type { EventRecorder } from '#domain/network/recorder.ts'
import type { PeerView } from '#domain/network/views.ts'
import type { Store } from '#store/store.ts'

/** Ticks after which what a silent node said of itself is not counted any more: a quarter of an hour. */
const HEARD_TICKS = 1_287

interface Base {
  readonly store: Store
  readonly keys: NodeKeys
  readonly policy: { readonly name: string }
  readonly ports: { readonly log: Log }
}

interface Parts {
  readonly economy: Economy
  readonly recorder: EventRecorder
  readonly compute: Pick<Compute, 'code'>
  /** Nodes that are known; asked once there is a network. */
  readonly peers: () => readonly PeerView[]
  /** Works open under a bond. */
  readonly worksOpen: (bond: string) => number
}

/** The node's own side of contributing. */
export const contributionOf = (
  { store, keys, policy, ports: { log } }: Base,
  { economy, recorder, compute, peers, worksOpen }: Parts,
): Contribution =>
  createContribution({
    ...{
      store,
      recorder,
      policy: policy.name,
      worksOpen,
      moves: economy.moves,
      nodeId: keys.nodeId,
      custody: createCustody(keys),
    },
    kernels: toHex(sha256(canonicalBytes(compute.code.kernels as unknown as Json))),
    heard: () => {
      const { meshTick } = store.now()
      return peers().flatMap(({ mode, kernels, last_seen: seen }) =>
        mode === null || kernels === null || meshTick - seen > HEARD_TICKS ? [] : [{ mode, kernels }],
      )
    },
    onStuck: (cause) => log.error({ cause: String(cause) }, 'bond_not_ended'),
  })
