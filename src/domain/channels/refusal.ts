import { Fault, isFaultOf } from '#core/fault.ts'
import type { ChannelHeadRow, ChannelRow } from '#store/rows/channel.ts'
import type { MachineRow } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'
import type { ChannelContext } from './context.ts'
import type { ChannelSaying } from './said.ts'
import { BoundPassed } from './step.ts'
import { REFUSALS_MAX } from './types.ts'
import { machineIn } from './write.ts'

/** Whether a tick was refused for what the channel asks, and not for how things stand on the node. */
export const isRefusalOfTick = (cause: unknown): cause is Fault | BoundPassed =>
  cause instanceof BoundPassed || isFaultOf(cause, 'caller', 'gate')

/** The machine of a channel where it takes entries; whoever may write none to it leaves none. */
export const takingMachine = (tx: Transaction, row: ChannelRow): MachineRow | undefined => {
  try {
    return machineIn(tx, row)
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

/** Creates what writes down why a channel did not tick: nothing else of it moves, and nothing is charged. */
export const createRefusals = ({ channels }: ChannelContext, saying: ChannelSaying) => {
  const stands = (
    tx: Transaction,
    row: ChannelRow,
    of: {
      readonly before: ChannelHeadRow
      readonly after: ChannelHeadRow
      readonly code: string
      /** The first mesh tick of which what is missed has another reason. */
      readonly from: number
    },
  ): void => {
    const { before, after, code, from } = of
    channels.putHead(tx, row, after)
    if (before.status === after.status) return
    const machine = takingMachine(tx, row)
    if (machine !== undefined) {
      // What was late until now was late; what is missed from here on has another reason.
      const said = saying.missedBefore(tx, { row, machine, head: before }, from)
      if (said !== before) channels.putHead(tx, row, { ...after, missed: said.missed, next_due: said.next_due })
    }
    saying.status(tx, { row, machine }, { status: after.status, epoch: after.epoch, code })
  }

  return {
    /**
     * A refusal for what the channel asks: so many in a row, or errors beyond the bound, stop it.
     *
     * @param byGrid the channel's own clock asked: the due tick was refused.
     */
    refused: (tx: Transaction, id: string, cause: Fault | BoundPassed, byGrid: boolean): void => {
      const [row, stood] = [tx.get('channel', id), tx.get('channelHead', id)]
      if (row === undefined || stood === undefined || stood.status === 'closed' || stood.status === 'stopped') return
      const before = byGrid ? saying.refusedDue(tx, { row, machine: takingMachine(tx, row) }, stood) : stood
      const { code, message: detail } = cause instanceof BoundPassed ? cause.fault : cause
      const refusals = before.refusals + 1
      const stops = cause instanceof BoundPassed || refusals >= REFUSALS_MAX
      const last_fault = { code, detail, mesh_tick: tx.meshTick }
      const after = { ...before, refusals, last_fault, ...(stops && { status: 'stopped' as const }) }
      stands(tx, row, { before, after, code, from: tx.meshTick + (byGrid ? 1 : 0) })
    },
    /** Its owner has not got the price of a tick: it waits until there are credits. */
    starved: (tx: Transaction, id: string, { code, message: detail }: Fault): void => {
      const [row, before] = [tx.get('channel', id), tx.get('channelHead', id)]
      if (row === undefined || before?.status !== 'open') return
      const after = { ...before, status: 'starved' as const, last_fault: { code, detail, mesh_tick: tx.meshTick } }
      stands(tx, row, { before, after, code, from: tx.meshTick })
    },
  }
}

export type ChannelRefusals = ReturnType<typeof createRefusals>
