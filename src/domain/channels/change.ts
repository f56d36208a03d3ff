import { Fault } from '#core/fault.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import { once } from '#domain/machines/context.ts'
import type { ChannelHeadRow, ChannelRow } from '#store/rows/channel.ts'
import type { Transaction } from '#store/transaction.ts'
import { assertCapacity } from './admission.ts'
import type { StandingChannel } from './channel-store.ts'
import type { ChannelContext } from './context.ts'
import { freshSalt } from './create.ts'
import { dueAfter } from './due.ts'
import { takingMachine } from './refusal.ts'
import type { ChannelSaying } from './said.ts'
import { channelView } from './shown.ts'
import type { ChannelTrial } from './sound.ts'
import type { ChannelTurns } from './turns.ts'
import type { ChannelChange, ChannelRequest } from './types.ts'
import type { ChannelView } from './views.ts'

interface Collaborators {
  readonly turns: ChannelTurns
  readonly trial: ChannelTrial
  readonly saying: ChannelSaying
  readonly onMoved: (id: string) => void
  /** Shows the newest tick as a channel would that is so. @throws Fault TEMPLATE_INVALID */
  readonly preview: (row: ChannelRow) => Promise<unknown>
}

const changed = (row: ChannelRow, to: ChannelChange): ChannelRow => {
  const format = to.outputFormat ?? row.output_format
  const was = format === row.output_format
  return {
    ...row,
    inputs: to.inputs ?? row.inputs,
    autotick: to.autotick ?? row.autotick,
    interval: to.tickIntervalTicks ?? row.interval,
    output_format: format,
    content_type: to.contentType ?? (was ? row.content_type : format === 'json' ? 'application/json' : 'text/plain'),
    template: to.template === undefined ? (format === 'json' && !was ? null : row.template) : to.template,
  }
}

/** Whether what is carried on begins again: with other inputs, or where its errors had passed the bound. */
const beginsAnew = ({ row, head }: StandingChannel, { inputs, status }: ChannelChange): boolean => {
  if (row.mode !== 'continue' || head.count === 0) return false
  const bound = head.status === 'stopped' && head.last_fault?.code === 'PRECISION_NOT_MET'
  return inputs !== undefined || (status === 'open' && bound)
}

/** Whether a change only ends that it ticks by itself: this computes nothing, whatever its ticks are refused for. */
const onlyStops = ({ autotick, ...rest }: ChannelChange): boolean =>
  autotick === false && Object.values(rest).every((it) => it === undefined)

interface Asked {
  readonly after: ChannelRow
  readonly change: ChannelChange
  /** What was measured that still holds. */
  readonly took_ms: number | null
}

/** Whether a channel that ticks by itself asks more of the node than before: oftener, again, or with heavier inputs. */
const asksMore = ({ row, head }: StandingChannel, { after, change, took_ms }: Asked): boolean => {
  if (!after.autotick || (head.status === 'stopped' && change.status !== 'open')) return false
  if (!row.autotick || head.status === 'stopped' || after.interval < row.interval) return true
  return (took_ms ?? after.expected_ms) > (head.took_ms ?? row.expected_ms)
}

/** Plans of changes: what each writes in its transaction. */
const createPlans = ({ channels }: ChannelContext, { saying, onMoved }: Pick<Collaborators, 'saying' | 'onMoved'>) => {
  /** Says what was missed until now: what comes after has another rhythm, or none. */
  const settled = (tx: Transaction, row: ChannelRow, head: ChannelHeadRow): ChannelHeadRow => {
    const machine = takingMachine(tx, row)
    return machine === undefined ? head : saying.missedBefore(tx, { row, machine, head }, tx.meshTick + 1)
  }

  const standing = (
    tx: Transaction,
    { row, head }: StandingChannel,
    to: { readonly after: ChannelRow; readonly change: ChannelChange },
  ): ChannelHeadRow => {
    const { after, change } = to
    const opens = change.status === 'open' && head.status !== 'open'
    const moved = opens || after.autotick !== row.autotick || after.interval !== row.interval
    const anew = beginsAnew({ row, head }, change)
    const said = moved ? settled(tx, row, head) : head
    return {
      ...said,
      ...(moved && { next_due: after.autotick ? dueAfter(after, tx.meshTick) : null }),
      ...(opens && { status: 'open' as const, refusals: 0 }),
      ...(anew && { epoch: head.epoch + 1, count: 0 }),
      ...(change.inputs !== undefined && { took_ms: null }),
    }
  }

  const patch = (tx: Transaction, id: string, to: { readonly after: ChannelRow; readonly change: ChannelChange }) => {
    const [row, head] = [tx.get('channel', id), tx.get('channelHead', id)]
    if (row === undefined || head === undefined) throw new Fault('NOT_FOUND')
    const next = standing(tx, { row, head }, to)
    const after = { ...to.after, updated_tick: tx.tick }
    channels.put(tx, { row: after, head: next })
    if (next.count === 0 && head.count > 0) tx.del('channelState', id)
    if (next.status !== head.status) {
      const machine = takingMachine(tx, row)
      saying.status(tx, { row, machine }, { status: next.status, epoch: next.epoch, code: null })
    }
    tx.onDurable(() => onMoved(id))
  }

  const end = (tx: Transaction, id: string): string => {
    const [row, before] = [tx.get('channel', id), tx.get('channelHead', id)]
    if (row === undefined || before === undefined) throw new Fault('NOT_FOUND')
    if (before.status === 'closed') return id
    const head = { ...settled(tx, row, before), status: 'closed' as const, next_due: null }
    channels.put(tx, { row: { ...row, link_salt: freshSalt(), updated_tick: tx.tick }, head })
    const machine = takingMachine(tx, row)
    saying.status(tx, { row, machine }, { status: 'closed', epoch: head.epoch, code: null })
    tx.onDurable(() => onMoved(id))
    return id
  }

  return { patch, end }
}

/** Creates what changes channels and closes them, for the accounts that own them. */
export const createChanges = (context: ChannelContext, parts: Collaborators) => {
  const { store, channels } = context
  const { turns, trial, preview } = parts
  const { patch, end } = createPlans(context, parts)

  const shown = (id: string): ChannelView => {
    const { row, head } = channels.peek(id) as StandingChannel
    return channelView(row, head, store.now().meshTick)
  }

  return {
    /**
     * Says otherwise what a channel computes, shows, or when it ticks; `status: open` lets one go on that was stopped.
     *
     * @throws Fault NOT_FOUND, SCOPE_REQUIRED, CHANNEL_CLOSED, INVALID_INPUT, CAPACITY_EXCEEDED, and as its next tick.
     */
    patch: ({ caller, id }: ChannelRequest, change: ChannelChange): Promise<{ readonly stream: ChannelView }> => {
      channels.find(id, caller, 'owner')
      return turns.take(id, async () => {
        const { row, head } = channels.find(id, caller, 'owner')
        if (head.status === 'closed') {
          throw new Fault('CHANNEL_CLOSED', 'It was closed.', { channel_status: head.status })
        }
        const draft = changed(row, change)
        const after = onlyStops(change) ? draft : { ...draft, ...(await trial(draft, head.head)) }
        // What the newest tick does not fill, the next would not either.
        if (after.output_format === 'template' && head.head !== null) await preview(after)
        // What was measured of other inputs says nothing of these.
        const took_ms = change.inputs === undefined ? head.took_ms : null
        if (asksMore({ row, head }, { after, change, took_ms })) assertCapacity(context, after, took_ms)
        await store.commit((tx) => patch(tx, id, { after, change }))
        return { stream: shown(id) }
      })
    },
    /** Ends a channel for good; what it sealed is read as before. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    close: async (
      { caller, id }: ChannelRequest,
      { scope, key }: Repeat,
    ): Promise<WithReplayed<{ readonly stream: ChannelView }>> => {
      channels.find(id, caller, 'owner')
      return turns.take(id, async () => {
        const { replayed } = await once(context, { caller, scope, key, input: { id } }, (tx) => end(tx, id))
        return { stream: shown(id), replayed }
      })
    },
  }
}
