import { assertOwner } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { opDigest } from '#core/token/op.ts'
import type { Mode } from '#core/work/mode.ts'
import type { ModeView } from '#domain/network/views/contribution.ts'
import { readList } from '#store/op-lists.ts'
import { createBonding, OWNER_ONLY } from './bonding.ts'
import { censusOf } from './census.ts'
import { policyOf } from './policy.ts'
import { createReleasing, loadBond, standingBond } from './releasing.ts'
import { createStatus } from './status.ts'
import type { Contribution, ContributionPorts } from './types.ts'
import { createWithholding } from './withholding.ts'

const OWN = 'own'
const NOTHING = { done: 0, audited: 0, right: 0, wrong: 0, unavailable: 0 } as const

/** The mode, and who is told of it. */
const createModes = ({ store }: ContributionPorts) => {
  const listeners = new Set<(mode: Mode) => void>()
  const current = (): Mode => store.peek('contribution', OWN)?.mode ?? 'idle'
  let told = current()
  return {
    current,
    listeners,
    /** Tells of a change that is durable. */
    tell: (): void => {
      const mode = current()
      if (mode === told) return
      told = mode
      for (const listener of listeners) listener(mode)
    },
    set: (mode: Mode): Promise<void> =>
      store.commit((tx) => {
        if (mode !== 'idle' && standingBond(tx)?.row.released !== null)
          throw new Fault('NOT_BONDED', undefined, { mode })
        const before = tx.get('contribution', OWN)
        if ((before?.mode ?? 'idle') === mode) return
        tx.put('contribution', OWN, { mode, since: tx.meshTick, bond: before?.bond ?? null })
      }),
  }
}

/** What of a bond comes round with the ticks, one thing at a time. */
const createRounds = (
  { store, onStuck }: ContributionPorts,
  { bonding, end }: { bonding: ReturnType<typeof createBonding>; end: () => Promise<boolean> },
) => {
  let under = 0
  let running: Promise<void> | undefined
  let stopping = false

  const goOn = async (): Promise<void> => {
    const name = store.peek('contribution', OWN)?.bond
    const state = name == null ? undefined : store.peek('ownBond', name)?.state
    if (name == null || state === undefined) return
    if (state === 'locking' || state === 'undoing') await bonding.goOn(name)
    else await end()
  }

  return {
    /** A call that makes a bond goes on with it itself. */
    during: async <T>(work: () => Promise<T>): Promise<T> => {
      under += 1
      try {
        await running
        return await work()
      } finally {
        under -= 1
      }
    },
    goOn,
    beat: (): void => {
      if (running !== undefined || under > 0 || stopping) return
      running = goOn()
        .catch((cause: unknown) => onStuck?.(cause))
        .finally(() => {
          running = undefined
        })
    },
    stop: async (): Promise<void> => {
      stopping = true
      await running
    },
  }
}

/** The node's own side of contributing: bond, mode, status, and what it withholds as a home. */
export const createContribution = (ports: ContributionPorts): Contribution => {
  const { store } = ports
  let heartbeat: number | null = null
  const bonding = createBonding(ports)
  const releasing = createReleasing(ports)
  const withholding = createWithholding(ports)
  const modes = createModes(ports)
  const { status, showBond } = createStatus(ports, () => heartbeat)
  const rounds = createRounds(ports, { bonding, end: releasing.end })

  const showMode = (): ModeView => {
    const { mode = 'idle', since = null } = store.peek('contribution', OWN) ?? {}
    return { mode, since, mesh_tick: store.now().meshTick }
  }

  return {
    policy: () => policyOf(ports.policy),
    census: () => censusOf([{ mode: modes.current(), kernels: ports.kernels }, ...ports.heard()]),
    status,
    bond: (caller, order) =>
      rounds.during(async () => {
        const name = await bonding.make(caller, order)
        const own = store.peek('ownBond', name)
        if (own === undefined) throw new Fault('NOT_BONDED')
        return showBond(name, own)
      }),
    release: async (caller) => {
      const released = await releasing.release(caller)
      modes.tell()
      return released
    },
    setMode: async (caller, mode) => {
      assertOwner(caller, OWNER_ONLY)
      await modes.set(mode)
      modes.tell()
      return showMode()
    },
    heartbeat: (caller) => {
      assertOwner(caller, OWNER_ONLY)
      heartbeat = store.now().meshTick
      return showMode()
    },
    get said() {
      return { mode: modes.current(), kernels: ports.kernels }
    },
    get mode() {
      return modes.current()
    },
    get takesWork() {
      return modes.current() === 'contributing' && standingBond({ get: store.peek })?.row.released === null
    },
    onMode: (listener) => {
      modes.listeners.add(listener)
      return () => void modes.listeners.delete(listener)
    },
    withhold: async (fallen) => {
      await withholding.withhold(fallen)
      modes.tell()
    },
    load: loadBond,
    count: (tx, change) => {
      const before = tx.get('workRecord', OWN) ?? NOTHING
      const sum = (name: keyof typeof NOTHING): number => before[name] + (change[name] ?? 0)
      const [done, audited, right, wrong] = [sum('done'), sum('audited'), sum('right'), sum('wrong')]
      tx.put('workRecord', OWN, { done, audited, right, wrong, unavailable: sum('unavailable') })
    },
    list: async (bond, tokensRoot) => {
      const row = await store.get('bond', bond)
      const part = row?.parts.find((it) => it.tokens_root === tokensRoot)
      if (row === undefined || part === undefined) return undefined
      const own = store.peek('ownBond', bond)?.locks.find(({ op }) => op.tokens_root === tokensRoot)
      const digest = own === undefined ? withholding.lockOf(bond, part) : opDigest(own.op)
      return digest === undefined ? undefined : readList(store, 'moveList', digest)
    },
    resume: () => rounds.goOn().catch((cause: unknown) => ports.onStuck?.(cause)),
    beat: rounds.beat,
    [Symbol.asyncDispose]: rounds.stop,
  }
}
