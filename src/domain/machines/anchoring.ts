import type { Caller } from '#core/caller.ts'
import { type Fault, isFaultOf } from '#core/fault.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import type { MachineRow } from '#store/rows/machine.ts'
import type { MachineAnchoringRow } from '#store/rows/machine-clockwork.ts'
import type { Transaction } from '#store/transaction.ts'
import { anchorIn } from './anchor-in.ts'
import type { MachineContext } from './context.ts'
import { sayAsNode } from './record.ts'

/** Mesh ticks between two looks at a machine that anchors by itself: the window of the mesh. */
export const ANCHOR_TICKS = 1_287

const PHASE_DIGITS = 8

/** The next mesh tick of a machine's own place in the interval: not all of them anchor at one time. */
const nextFor = ({ id_hash }: MachineRow, now: number): number => {
  const phase = Number.parseInt(id_hash.slice(0, PHASE_DIGITS), 16) % ANCHOR_TICKS
  return (Math.floor((now - phase) / ANCHOR_TICKS) + 1) * ANCHOR_TICKS + phase
}

const putAnchoring = (tx: Transaction, slug: string, row: MachineAnchoringRow | undefined): void => {
  const before = tx.get('machineAnchoring', slug)
  if (before !== undefined) tx.del('machineAnchorDue', keyOf(seqKey(before.next), slug))
  if (row === undefined) {
    if (before !== undefined) tx.del('machineAnchoring', slug)
    return
  }
  tx.put('machineAnchoring', slug, row)
  tx.put('machineAnchorDue', keyOf(seqKey(row.next), slug), slug)
}

/** Has a machine anchor by itself from now on, or no more: whoever names the mother answers for it. */
export const anchorsIn = (tx: Transaction, machine: MachineRow, by: string): void => {
  const { mother } = machine.anchor
  const row = { by, next: nextFor(machine, tx.meshTick), anchored: 0, refused: false }
  putAnchoring(tx, machine.slug, mother === null ? undefined : row)
}

/** Who named the mother, as they would ask in person. */
const callerFor = (zid: string): Caller => ({
  ...{ kind: 'account', bucket: 'node', zid, account: zid },
  ...{ keyId: 'node', shared: false },
})

/** What machines anchor by themselves, in the transaction of the tick that brings it. */
export const createAnchoring = (context: MachineContext) => {
  /** @returns what the mother refuses it with. @throws Fault of the node */
  const anchored = (tx: Transaction, { slug, anchor: { mother } }: MachineRow, by: string): Fault | undefined => {
    try {
      anchorIn(context, tx, { caller: callerFor(by), child: slug, mother: mother ?? '', ofNode: true })
      return undefined
    } catch (cause) {
      if (isFaultOf(cause, 'caller', 'state')) return cause
      throw cause
    }
  }

  const anchorDue = (tx: Transaction, slug: string): void => {
    const row = tx.get('machineAnchoring', slug)
    const machine = tx.get('machine', slug)
    const size = tx.get('machineHead', slug)?.size ?? 0
    if (row === undefined || machine === undefined || row.next > tx.meshTick) return
    const next = nextFor(machine, tx.meshTick)
    if (size === row.anchored) return putAnchoring(tx, slug, { ...row, next })
    const refusal = anchored(tx, machine, row.by)
    if (refusal === undefined) return putAnchoring(tx, slug, { ...row, next, anchored: size, refused: false })
    // It is said once: each entry moves the head, which would be refused again.
    if (!row.refused && machine.status === 'active') {
      const secret = { mother: machine.anchor.mother }
      sayAsNode(context, tx, machine, { type: 'anchor_refused', open: { code: refusal.code }, secret })
    }
    putAnchoring(tx, slug, { ...row, next, refused: true })
  }
  return { anchorDue }
}
