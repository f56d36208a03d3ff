import { type ChannelGapReason, STREAM_GAP, STREAM_STATUS } from '#core/channel/entries.ts'
import type { ChannelHeadRow, ChannelRow } from '#store/rows/channel.ts'
import type { MachineRow } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'
import type { ChannelContext } from './context.ts'
import { type ChannelGap, gapBefore, reasonOf } from './due.ts'

/** Creates what says in the chain of a channel's machine how it stands, and which due ticks it missed. */
export const createChannelSaying = (
  { machines, feed }: Pick<ChannelContext, 'machines' | 'feed'>,
  awakeSince: () => number,
) => {
  const gap = (
    tx: Transaction,
    { row, machine }: { readonly row: ChannelRow; readonly machine: MachineRow },
    of: { readonly head: ChannelHeadRow; readonly found: ChannelGap; readonly reason: ChannelGapReason },
  ): void => {
    const { from, to, missed } = of.found
    const { reason } = of
    const open = { channel: row.id, epoch: of.head.epoch, from_mesh: from, to_mesh: to, missed, reason }
    machines.enter(tx, machine, { type: STREAM_GAP, open })
    tx.onDurable(() => feed.tell({ kind: 'gap', channel: row.id, from, to, reason }))
  }

  /** Says in the chain which due ticks were missed before a mesh tick. @returns where the channel stands then */
  const missedBefore = (
    tx: Transaction,
    at: { readonly row: ChannelRow; readonly machine: MachineRow; readonly head: ChannelHeadRow },
    before: number,
  ): ChannelHeadRow => {
    const { row, head } = at
    const found = gapBefore(row, head, before)
    if (found === undefined) return head
    gap(tx, at, { head, found, reason: reasonOf(head, found, awakeSince()) })
    return { ...head, missed: head.missed + found.missed, next_due: found.to + row.interval }
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

  return { missedBefore, status }
}

export type ChannelSaying = ReturnType<typeof createChannelSaying>
