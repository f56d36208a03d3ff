import { utf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { STREAM_TICK } from '#core/channel/entries.ts'
import { channelStateDigest } from '#core/channel/state.ts'
import { Fault } from '#core/fault.ts'
import type { Sealing } from '#domain/compute/seal.ts'
import { reaches, standingOfZid } from '#domain/credentials/standing.ts'
import { assertActive } from '#domain/machines/record.ts'
import type { ChannelHead, ChannelHeadRow, ChannelRow } from '#store/rows/channel.ts'
import type { MachineRow } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'
import type { ChannelContext } from './context.ts'
import { dueAfter, dueBy } from './due.ts'
import { outputOf } from './output.ts'
import type { ChannelSaying } from './said.ts'
import type { ChannelStep } from './step.ts'
import { TICK_EVENT } from './types.ts'

/** Weight of the newest tick in the running mean of what one takes. */
const NEWEST_SHARE = 0.2

/** A tick as it was written in a transaction. */
export interface WrittenTick {
  readonly row: ChannelRow
  readonly head: ChannelHeadRow
  readonly newest: ChannelHead
  readonly sealing: Sealing
}

/** What a caller is told who asks for another tick than the next. */
export const tickTaken = (head: ChannelHeadRow, asked?: number): Fault => {
  const { epoch, count, head: newest } = head
  const detail = `The channel stands at tick ${count} of epoch ${epoch}; the next is ${count + 1}.`
  return new Fault('TICK_TAKEN', detail, { epoch, count, next: count + 1, asked, token_id: newest?.token_id })
}

/** Whether a channel takes ticks. @throws Fault CHANNEL_CLOSED */
export const assertTicks = ({ status, last_fault }: ChannelHeadRow): void => {
  if (status === 'open' || status === 'starved') return
  const why = status === 'closed' ? 'It was closed.' : `It was stopped: ${last_fault?.detail ?? 'by refusals.'}`
  throw new Fault('CHANNEL_CLOSED', why, { channel_status: status })
}

/** The machine that takes the entries of a channel now. @throws Fault NOT_FOUND, SCOPE_REQUIRED, MACHINE_NOT_ACTIVE */
export const machineIn = (
  tx: Pick<Transaction, 'get'>,
  { slug, owner }: Pick<ChannelRow, 'slug' | 'owner'>,
): MachineRow => {
  const machine = tx.get('machine', slug)
  if (machine === undefined) throw new Fault('NOT_FOUND', 'The machine of the channel is gone.')
  if (!reaches(standingOfZid(tx, machine, owner), 'operator')) {
    throw new Fault('SCOPE_REQUIRED', 'The owner of the channel may not write to its machine any more.', {
      scope: 'write',
      role: 'operator',
    })
  }
  assertActive(machine)
  return machine
}

/** What the entry of a tick says. */
const bodyOf = (step: ChannelStep, before: ChannelHeadRow, token_id: string) => {
  const { epoch, count, run, it } = step
  const { inputsDigest: inputs_digest, resultDigest: result_digest, value, unit, reality } = run.checked
  const previous = before.epoch === epoch && before.count > 0 ? (before.head?.state ?? null) : null
  const channel = it.row.id
  const state = channelStateDigest({ channel, count, epoch, inputs_digest, previous, result_digest })
  // In the order of their names, that of who says it among them, in which a canonical text is written fastest.
  const place = { channel, count, epoch, errorPct: reality.errorPct, inputs_digest, previous, result_digest }
  return { ...place, source: 'node', state, token_id, unit, value }
}

/** Creates what writes ticks, each in one transaction with everything that it is. */
export const createChannelWriting = (context: ChannelContext, { missedBefore, status }: ChannelSaying) => {
  const { machines, channels, feed } = context

  const told = (tx: Transaction, step: ChannelStep, { row, newest, sealing }: Omit<WrittenTick, 'head'>): void => {
    const { output } = step.run.checked
    const made = { head: newest, output, evidence: () => sealing.minted().evidence }
    // What its template does not take is refused; the other format waits until somebody reads it.
    let text = row.output_format === 'template' ? outputOf(row, made).text : undefined
    tx.onDurable(() => {
      const { epoch, count, tick, token_id } = newest
      feed.tell({
        ...{ kind: 'tick', channel: row.id, epoch, count, tick, token_id, contentType: row.content_type },
        get output() {
          text ??= outputOf(row, made).text
          return text
        },
      })
    })
  }

  return {
    /**
     * Writes a tick that was computed: envelope, price, entry, event of an attached contract, and where the channel
     * stands. Of two of one channel the second is refused, whoever computed it.
     *
     * @param byGrid the channel's own clock asked: what it missed before is said, and the due tick is done.
     * @throws Fault TICK_TAKEN, CHANNEL_CLOSED, INSUFFICIENT_BALANCE, NOT_FOUND, SCOPE_REQUIRED, MACHINE_NOT_ACTIVE
     */
    tick: (tx: Transaction, step: ChannelStep, byGrid: boolean): WrittenTick => {
      const { id } = step.it.row
      const [row, before] = [tx.get('channel', id), tx.get('channelHead', id)]
      if (row === undefined || before === undefined) throw new Fault('NOT_FOUND')
      const { epoch: was, count: taken } = step.it.head
      if (before.epoch !== was || before.count !== taken) throw tickTaken(before)
      assertTicks(before)
      const machine = machineIn(tx, row)
      const due = dueBy(row, tx.meshTick)
      // Whoever pays a starved channel's tick by hand ends its run of misses as well.
      const ends = byGrid || before.status === 'starved'
      const said = ends ? missedBefore(tx, { row, machine, head: before }, due) : before
      const sealing = step.run.mint(tx)
      const body = bodyOf(step, before, sealing.tokenId)
      if (before.status !== 'open') status(tx, { row, machine }, { status: 'open', epoch: step.epoch, code: null })
      const { entry } = machines.enter(tx, machine, { type: STREAM_TICK, open: body })
      if (row.contract !== null) machines.enter(tx, machine, eventOf(body))
      const { value, unit, errorPct: error_pct, state, token_id } = body
      const newest: ChannelHead = {
        ...{ epoch: step.epoch, count: step.count, tick: tx.tick, mesh_tick: tx.meshTick, state, value, unit },
        ...{ error_pct, error_sum: step.errorSum, token_id, seq: entry.seq },
      }
      const head: ChannelHeadRow = {
        ...{ ...said, status: 'open', epoch: step.epoch, count: step.count, sealed: said.sealed + 1, head: newest },
        ...{ refusals: 0, took_ms: meanOf(said.took_ms, step.tookMs) },
        ...(byGrid && { next_due: dueAfter(row, tx.meshTick) }),
      }
      channels.putHead(tx, row, head)
      if (step.next !== null) tx.put('channelState', id, utf8(step.next))
      told(tx, step, { row, newest, sealing })
      return { row, head, newest, sealing }
    },
  }
}

export type ChannelWriting = ReturnType<typeof createChannelWriting>

const meanOf = (before: number | null, ms: number): number =>
  before === null ? ms : before + NEWEST_SHARE * (ms - before)

/** What an attached contract gets of a tick: an event of the chain with data, which it hears once. */
const eventOf = ({ channel, epoch, count, value, unit, errorPct, token_id }: Readonly<Record<string, Json>>) => ({
  type: 'event',
  open: { event: TICK_EVENT, payload_hash: null },
  data: { channel, epoch, count, value, unit, errorPct, token_id } as Readonly<Record<string, Json>>,
})
