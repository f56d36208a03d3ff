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
    of: { readonly before: ChannelHeadRow; readonly after: ChannelHeadRow; readonly code: string },
  ): void => {
    const { before, after, code } = of
    channels.putHead(tx, row, after)
    if (before.status === after.status) return
    const machine = takingMachine(tx, row)
    if (machine !== undefined) {
      // What was late until now was late; what is missed from here on has another reason.
      const said = saying.missedBefore(tx, { row, machine, head: before }, tx.meshTick)
      if (said !== before) channels.putHead(tx, row, { ...after, missed: said.missed, next_due: said.next_due })
    }
    saying.status(tx, { row, machine }, { status: after.status, epoch: after.epoch, code })
  }

  return {
    /** A refusal for what the channel asks: so many in a row, or errors beyond the bound, stop it. */
    refused: (tx: Transaction, id: string, cause: Fault | BoundPassed): void => {
      const [row, before] = [tx.get('channel', id), tx.get('channelHead', id)]
      if (row === undefined || before === undefined || before.status === 'closed' || before.status === 'stopped') return
      const { code, message: detail } = cause instanceof BoundPassed ? cause.fault : cause
      const refusals = before.refusals + 1
      const stops = cause instanceof BoundPassed || refusals >= REFUSALS_MAX
      const last_fault = { code, detail, mesh_tick: tx.meshTick }
      const after = { ...before, refusals, last_fault, ...(stops && { status: 'stopped' as const }) }
      stands(tx, row, { before, after, code })
    },
    /** Its owner has not got the price of a tick: it waits until there are credits. */
    starved: (tx: Transaction, id: string, { code, message: detail }: Fault): void => {
      const [row, before] = [tx.get('channel', id), tx.get('channelHead', id)]
      if (row === undefined || before?.status !== 'open') return
      const after = { ...before, status: 'starved' as const, last_fault: { code, detail, mesh_tick: tx.meshTick } }
      stands(tx, row, { before, after, code })
    },
  }
}

export type ChannelRefusals = ReturnType<typeof createRefusals>
