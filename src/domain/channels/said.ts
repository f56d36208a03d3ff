import { STREAM_GAP, STREAM_STATUS } from '#core/channel/entries.ts'
import type { ChannelHeadRow, ChannelRow } from '#store/rows/channel.ts'
import type { MachineRow } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'
import type { ChannelContext } from './context.ts'
import { dueBy, gapsBefore, type ReasonedGap } from './due.ts'

/** Creates what says in the chain of a channel's machine how it stands, and which due ticks it missed. */
export const createChannelSaying = (
  { machines, feed }: Pick<ChannelContext, 'machines' | 'feed'>,
  awakeSince: () => number,
) => {
  const gap = (
    tx: Transaction,
    { row, machine }: { readonly row: ChannelRow; readonly machine: MachineRow },
    { epoch }: ChannelHeadRow,
    { from, to, missed, reason }: ReasonedGap,
  ): void => {
    const open = { channel: row.id, epoch, from_mesh: from, to_mesh: to, missed, reason }
    machines.enter(tx, machine, { type: STREAM_GAP, open })
    tx.onDurable(() => feed.tell({ kind: 'gap', channel: row.id, from, to, reason }))
  }

  /** Says in the chain which due ticks were missed before a mesh tick. @returns where the channel stands then */
  const missedBefore = (
    tx: Transaction,
    at: { readonly row: ChannelRow; readonly machine: MachineRow; readonly head: ChannelHeadRow },
    before: number,
  ): ChannelHeadRow => {
    const { row } = at
    let { head } = at
    for (const found of gapsBefore(row, head, { before, awakeSince: awakeSince() })) {
      gap(tx, at, head, found)
      head = { ...head, missed: head.missed + found.missed, next_due: found.to + row.interval }
    }
    return head
  }

  /**
   * Where a channel stands whose newest due tick was refused; what it missed before for another reason is said.
   *
   * @param machine undefined where it takes no entries: what cannot be said now is one gap with what comes.
   */
  const refusedDue = (
    tx: Transaction,
    { row, machine }: { readonly row: ChannelRow; readonly machine: MachineRow | undefined },
    head: ChannelHeadRow,
  ): ChannelHeadRow => {
    const due = dueBy(row, tx.meshTick)
    const { next_due, refused_to = -1 } = head
    if (next_due === null || due < next_due) return head
    const goesOn = due === next_due || refused_to === due - row.interval
    if (goesOn) return { ...head, refused_to: due }
    return machine === undefined ? head : { ...missedBefore(tx, { row, machine, head }, due), refused_to: due }
  }

  /** Says that a channel stands otherwise from now on: in the chain where that takes entries, and to who follows it. */
  const status = (
    tx: Transaction,
    { row, machine }: { readonly row: ChannelRow; readonly machine: MachineRow | undefined },
    of: { readonly status: ChannelHeadRow['status']; readonly epoch: number; readonly code: string | null },
  ): void => {
    const open = { channel: row.id, epoch: of.epoch, status: of.status, code: of.code }
    if (machine !== undefined) machines.enter(tx, machine, { type: STREAM_STATUS, open })
    const { status: kind } = of
    if (kind !== 'open') tx.onDurable(() => feed.tell({ kind, channel: row.id }))
  }

  return { missedBefore, refusedDue, status }
}

export type ChannelSaying = ReturnType<typeof createChannelSaying>
