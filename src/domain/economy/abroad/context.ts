import { Fault } from '#core/fault.ts'
import { nodeOfLog } from '#core/ids.ts'
import type { Signer } from '#core/keys.ts'
import type { ProvenSuccession } from '#core/succession.ts'
import type { Home } from '#domain/economy/moving/home.ts'
import { heirsOf } from '#domain/network/succession.ts'
import type { AccountRow } from '#store/rows/account.ts'
import type { Store } from '#store/store.ts'
import type { AbroadPorts, Reached } from './types.ts'

/** What the functions of this folder are given to work with. */
export interface AbroadContext {
  readonly store: Store
  readonly home: Home
  /** The identity key: states are signed by it. */
  readonly signer: Signer
  readonly node: string
  /** The key of an account that this node keeps; undefined for one that keeps its own. */
  readonly custody: (account: AccountRow) => Signer | undefined
  /** Undefined until the node is whole. */
  readonly ports: () => AbroadPorts | undefined
  /** Tries to reach a node that something waits for, now and then. Returns at once. */
  readonly seek: (node: string) => void
  /** Aborts when the node stops. */
  readonly signal: AbortSignal
}

/** Seconds after which a home that is away may be asked again. */
const RETRY_SECONDS = 30

/** Who speaks for a home now, and what proves it. */
export const speakerOf = (
  { store }: Pick<AbroadContext, 'store'>,
  home: string,
): { readonly node: string; readonly known: readonly ProvenSuccession[] } => {
  const heirs = heirsOf({ get: store.peek }, nodeOfLog(home))
  const known = heirs.flatMap((it) => store.peek('successor', it)?.claims ?? [])
  return { node: heirs.at(-1) ?? heirs[0], known }
}

/** The refusal that a home gives by not being there. */
export const unreachable = (home: string, detail?: string, more: Readonly<Record<string, unknown>> = {}): Fault =>
  new Fault('HOME_UNREACHABLE', detail, { home, retry_after_seconds: RETRY_SECONDS, ...more })

const whyAway: Readonly<Record<Exclude<Reached, 'connected'>, string>> = {
  off: 'libp2p is switched off here.',
  unknown: 'its node is not connected, and no address of it is known here.',
  silent: 'its node is not connected, and does not answer where it was last.',
}

/** Connects to whoever speaks for a home, unless it is. @returns why it is not, if so */
export const awayFrom = async (
  { store, ports }: Pick<AbroadContext, 'store' | 'ports'>,
  home: string,
): Promise<string | undefined> => {
  const reach = (await ports()?.reach(speakerOf({ store }, home).node)) ?? 'off'
  return reach === 'connected' ? undefined : whyAway[reach]
}

/** Work one after another under one name: what is decided by what a home says is written before it is asked again. */
export const createTurn = () => {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(name) ?? Promise.resolve()
    const mine = before.then(work, work)
    last.set(name, mine)
    try {
      return await mine
    } finally {
      if (last.get(name) === mine) last.delete(name)
    }
  }
}
export type Turn = ReturnType<typeof createTurn>
