import { toHex } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { accountCaller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { STREAM_CREATED } from '#core/channel/entries.ts'
import { Fault } from '#core/fault.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import { randomBytes } from '#crypto'
import type { FreshKey } from '#domain/credentials/shown-once.ts'
import type { ChannelHeadRow, ChannelRow } from '#store/rows/channel.ts'
import type { Transaction } from '#store/transaction.ts'
import { assertCapacity } from './admission.ts'
import type { ChannelContext } from './context.ts'
import { channelView, createdBody } from './shown.ts'
import type { ChannelTrial } from './sound.ts'
import type { ChannelOrder } from './types.ts'
import type { ChannelView } from './views.ts'
import { machineIn } from './write.ts'

const ID_BYTES = 16
const SALT_BYTES = 16
/** Characters of a ZID, or of a channel's id, in the slug of a machine that is made for channels. */
const SLUG_CHARS = 16
const ZID_PREFIX = 'zid1'

/** A channel as it was made. */
export interface CreatedChannel {
  readonly stream: ChannelView
  /** Its key, which is shown this once. */
  readonly key: string
}

/** A new salt of the key of a channel's links. */
export const freshSalt = (): string => toHex(randomBytes(SALT_BYTES))

/** A channel before its first tick. */
export const beginningHead: Omit<ChannelHeadRow, 'next_due'> = {
  ...{ status: 'open', epoch: 1, count: 0, sealed: 0, head: null },
  ...{ missed: 0, refusals: 0, last_fault: null, took_ms: null },
}

const draftOf = (id: string, owner: string, slug: string, order: ChannelOrder) => ({
  ...{ id, owner, slug, solver: order.solver ?? null, operators: order.operators ?? null, inputs: order.inputs },
  ...{ mode: order.mode, on_bound: order.onBound, autotick: order.autotick ?? false },
  interval: order.tickIntervalTicks ?? 1,
  output_format: order.outputFormat ?? 'json',
  content_type: order.contentType ?? (order.outputFormat === 'template' ? 'text/plain' : 'application/json'),
  template: order.template ?? null,
  contract: order.contract ?? null,
  oracles: order.oracles,
})

/** Creates what makes channels. Nothing is charged, and nothing sealed: the first tick does. */
export const createCreation = (context: ChannelContext, trial: ChannelTrial, onMoved: (id: string) => void) => {
  const { store, machines, channels, makeKeyOnce } = context

  /** Where entries go: the machine named, or one of the account that all its channels share. */
  const chainFor = async (caller: Caller & { zid: string }, id: string, asked: string | undefined): Promise<string> => {
    if (asked !== undefined) {
      const { status: machine_status } = machines.admit({ caller, slug: asked }, 'operator')
      if (machine_status === 'active') return asked
      throw new Fault('MACHINE_NOT_ACTIVE', `The machine is ${machine_status}.`, { machine_status })
    }
    const shared = `channels-${caller.zid.slice(ZID_PREFIX.length, ZID_PREFIX.length + SLUG_CHARS)}`
    const found = store.peek('machine', shared)
    if (found?.owner_zid === caller.zid && found.status === 'active') return shared
    await machines.assertRoom(caller)
    // Whoever has that slug before, or has paused it, keeps it.
    return found === undefined ? shared : `channel-${id.slice(0, SLUG_CHARS)}`
  }

  const plan =
    (caller: Caller, draft: Omit<ChannelRow, 'v' | 'number' | 'id_hash' | KeyPart | Times>, fresh: FreshKey) =>
    (tx: Transaction): Json => {
      const { slug } = draft
      if (tx.get('machine', slug) === undefined) machines.foundIn(tx, { caller, slug }, 'Ticks of channels.')
      const machine = machineIn(tx, draft)
      const row: ChannelRow = {
        ...{ v: 1, ...draft, number: channels.nextNumber(), id_hash: machine.id_hash },
        ...{ key_hash: fresh.hash, key_id: fresh.id },
        ...{ created_mesh: tx.meshTick, created_tick: tx.tick, updated_tick: tx.tick },
      }
      const head = { ...beginningHead, next_due: row.autotick ? tx.meshTick + row.interval : null }
      channels.put(tx, { row, head })
      tx.put('channelKey', fresh.hash, row.id)
      machines.enter(tx, machine, { type: STREAM_CREATED, open: createdBody(row) })
      tx.onDurable(() => onMoved(row.id))
      return { channel: row.id }
    }

  /**
   * A new channel, for an account.
   *
   * @throws Fault SCOPE_REQUIRED, INVALID_INPUT, NOT_STEPPABLE, CAPACITY_EXCEEDED, NOT_FOUND, MACHINE_NOT_ACTIVE, and
   * what its first tick would be refused with before it runs.
   */
  return async (asking: Caller, order: ChannelOrder, repeat: Repeat): Promise<WithReplayed<CreatedChannel>> => {
    const caller = accountCaller(asking)
    if (caller.kind === 'demo')
      throw new Fault('SCOPE_REQUIRED', 'This needs the key of an account.', { scope: 'account' })
    const { answer, key, replayed } = await makeKeyOnce({ caller, kind: 'channel', repeat }, async (fresh) => {
      channels.assertRoom(caller.zid)
      const id = toHex(randomBytes(ID_BYTES))
      const draft = draftOf(id, caller.zid, await chainFor(caller, id, order.slug), order)
      const tried = { ...draft, ...(await trial(draft, null)), link_salt: freshSalt() }
      if (draft.autotick) assertCapacity(context, tried, null)
      return plan(caller, tried, fresh)
    })
    const made = channels.peek((answer as { readonly channel: string }).channel)
    if (made === undefined) throw new Fault('NOT_FOUND')
    return { stream: channelView(made.row, made.head, store.now().meshTick), key, replayed }
  }
}

type KeyPart = 'key_hash' | 'key_id'
type Times = 'created_mesh' | 'created_tick' | 'updated_tick'
