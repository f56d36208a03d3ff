import { isOfNode } from '#core/fault.ts'
import { seqKey } from '#store/layout.ts'
import type { Transaction } from '#store/transaction.ts'
import type { MachineContext } from './context.ts'

/** Machines that one transaction sees to: a plan of some milliseconds. */
const TOGETHER_MAX = 64
/** Groups of one kind in one tick; what is left comes with the next. */
const GROUPS_MAX = 64

/** What a machine does when its tick has come. The name is that of its row. */
type Doing = (tx: Transaction, name: string) => void

interface Hands {
  readonly mintDue: Doing
  readonly anchorDue: Doing
}

type DueTable = 'tokenMintDue' | 'machineAnchorDue'

/** What machines do by themselves on the mesh grid: what the clock brought is done in groups, each in one batch. */
export const createMachineClockwork = ({ store }: MachineContext, { mintDue, anchorDue }: Hands) => {
  const stop = new AbortController()
  let working: Promise<void> | undefined

  /** Does all of it together, or each alone where one of them cannot be done. @throws what the first one threw */
  const group = async (names: readonly string[], doing: Doing): Promise<void> => {
    try {
      return await store.commit((tx) => {
        for (const name of names) doing(tx, name)
      })
    } catch (cause) {
      if (isOfNode(cause) || names.length === 1) throw cause
    }
    const refused: unknown[] = []
    for (const name of names) {
      await store.commit((tx) => doing(tx, name)).catch((cause: unknown) => refused.push(cause))
    }
    if (refused.length > 0) throw refused[0]
  }

  const all = async (table: DueTable, doing: Doing): Promise<void> => {
    let from = ''
    for (let i = 0; i < GROUPS_MAX && !stop.signal.aborted; i++) {
      const names: string[] = []
      const range = { gt: from, lt: seqKey(store.now().meshTick + 1), limit: TOGETHER_MAX }
      for await (const [key] of store.range(table, range)) {
        names.push(key.slice(key.indexOf('/') + 1))
        from = key
      }
      if (names.length > 0) await group(names, doing)
      if (names.length < TOGETHER_MAX) return
    }
  }

  const round = async (): Promise<void> => {
    const found = await Promise.allSettled([all('tokenMintDue', mintDue), all('machineAnchorDue', anchorDue)])
    // What is wrong with the node is told by whoever sees to it: here its machines wait for the next tick.
    const bad = found.find((it) => it.status === 'rejected' && !isOfNode(it.reason))
    if (bad?.status === 'rejected') throw bad.reason
  }

  return {
    /** Does what is due; once a tick. @throws what only a bug can throw, after everything else was done */
    beat: (): Promise<void> => {
      if (stop.signal.aborted) return Promise.resolve()
      working ??= round().finally(() => {
        working = undefined
      })
      return working
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      stop.abort()
      await working?.catch(() => undefined)
    },
  }
}
