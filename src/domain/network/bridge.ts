import { utf8 } from '#core/bytes.ts'
import type { MeshEvent } from '#core/events.ts'
import { sha256 } from '#crypto'
import type { Transport } from './outlet.ts'

/** Longest wait, in ticks, before a node says by one transport what came to it by the other. */
const HELD_TICKS_MAX = 4
/** Events that may wait for a transport; gossip has no memory, so what does not fit is lost to it and counted. */
const HELD_MAX = 1_024

/** An event that came by one transport, with the MAC of the handshake under which it came. */
export interface Crossing {
  readonly event: MeshEvent
  readonly id: string
  readonly mac: string | undefined
}

/**
 * Carries gossip between two transports. Every node that is on both hears every event, so each waits for a few ticks, a
 * number of its own, and says nothing if the event was heard on the other side meanwhile: as a rule one node speaks.
 */
export interface Bridge {
  /** Keeps an event for a transport. @returns false when there is no room. */
  hold(to: Transport, crossing: Crossing, meshTick: number): boolean
  /** An event that is known was heard by a transport, named by its id or by the MAC of its handshake. */
  heard(by: Transport, key: string): void
  /** What is to be said now; it is held no longer. */
  due(meshTick: number): readonly { readonly event: MeshEvent; readonly to: Transport }[]
}

interface Held extends Crossing {
  readonly dueTick: number
}

/** Ticks that a node waits with an event: from a digest of both, so that nodes differ and no event waits alike. */
const waitOf = (node: string, id: string): number => 1 + ((sha256(utf8(`${node} ${id}`))[0] ?? 0) % HELD_TICKS_MAX)

/** @param node whose waits they are. */
export const createBridge = (node: string): Bridge => {
  /** By id; and the ids by MAC, since a handshake that is repeated is told before its event is read. */
  const held: Readonly<Record<Transport, Map<string, Held>>> = { libp2p: new Map(), redis: new Map() }
  const byMac: Readonly<Record<Transport, Map<string, string>>> = { libp2p: new Map(), redis: new Map() }
  const drop = (from: Transport, id: string): void => {
    const mac = held[from].get(id)?.mac
    held[from].delete(id)
    if (mac !== undefined) byMac[from].delete(mac)
  }
  return {
    hold: (to, crossing, meshTick) => {
      if (held[to].size >= HELD_MAX) return false
      const { id, mac } = crossing
      held[to].set(id, { ...crossing, dueTick: meshTick + waitOf(node, id) })
      if (mac !== undefined) byMac[to].set(mac, id)
      return true
    },
    heard: (by, key) => drop(by, byMac[by].get(key) ?? key),
    due: (meshTick) =>
      (['libp2p', 'redis'] as const).flatMap((to) =>
        [...held[to].values()]
          .filter((it) => it.dueTick <= meshTick)
          .map(({ event, id }) => {
            drop(to, id)
            return { event, to }
          }),
      ),
  }
}
