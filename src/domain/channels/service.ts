import { accountCaller, type Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import type { Sealed } from '#domain/compute/types.ts'
import { createMakeKeyOnce } from '#domain/credentials/shown-once.ts'
import type { ChannelRow } from '#store/rows/channel.ts'
import { createSealPace } from './admission.ts'
import { createChanges } from './change.ts'
import { type ChannelWindow, openChannelStore } from './channel-store.ts'
import type { ChannelContext, ChannelPorts } from './context.ts'
import { createCreation } from './create.ts'
import { type ChannelFeed, createChannelFeed } from './feed.ts'
import { createFollowing } from './follow.ts'
import { type ChannelClock, createChannelGrid } from './grid.ts'
import { type ChannelLoad, channelLoad } from './load.ts'
import { type ChannelOutput, outputOf } from './output.ts'
import { createRefusals } from './refusal.ts'
import { createChannelSaying } from './said.ts'
import { channelSummaryView, channelView } from './shown.ts'
import { createChannelTrial } from './sound.ts'
import { createChannelSteps } from './step.ts'
import { createTicking } from './tick.ts'
import { createChannelTurns } from './turns.ts'
import type { ChannelRequest } from './types.ts'
import type { ChannelPage, ChannelView } from './views.ts'
import { createChannelWriting } from './write.ts'

export interface ChannelOptions extends ChannelPorts {
  /** 32 bytes of the node's, of which keys are made that a repeated call is shown again. */
  readonly repeatSecret: Uint8Array
}

/** The newest output of a channel, and the seal that it is of. */
export interface LatestOutput extends ChannelOutput {
  readonly sealed: Sealed
}

/** The hosted computations of one node that tick. */
export const openChannels = async ({ repeatSecret, ...ports }: ChannelOptions) => {
  const { store } = ports
  const channels = await openChannelStore(store)
  const feed: ChannelFeed = createChannelFeed()
  const makeKeyOnce = createMakeKeyOnce(ports, repeatSecret)
  const context: ChannelContext = { ...ports, channels, feed, makeKeyOnce, seals: createSealPace() }
  const turns = createChannelTurns()
  const trial = createChannelTrial(context)
  const steps = createChannelSteps(context)
  const clock: ChannelClock = { awakeSince: store.now().meshTick }
  const saying = createChannelSaying(context, () => clock.awakeSince)
  const writing = createChannelWriting(context, saying)
  const refusals = createRefusals(context, saying)
  const grid = createChannelGrid(context, { turns, steps, writing, refusals, clock })
  const onMoved = grid.moved

  /** What a channel shows of its newest tick. @throws Fault NOT_FOUND before the first */
  const shownHead = async (row: ChannelRow): Promise<LatestOutput> => {
    const head = channels.peek(row.id)?.head.head
    if (head == null) throw new Fault('NOT_FOUND', 'The channel has not ticked yet.')
    const sealed = await ports.held.recall(head.token_id)
    const { output, evidence } = sealed
    return { ...outputOf(row, { head, output, evidence: () => evidence }), sealed }
  }

  return {
    feed,
    ...createFollowing(context),
    beat: grid.beat,
    idle: grid.idle,
    /** What there is of them, for gauges. */
    load: (): ChannelLoad => channelLoad(channels.all()),
    get size() {
      return channels.size
    },
    [Symbol.asyncDispose]: grid[Symbol.asyncDispose],
    /** The rows of channels, for whoever has made sure of the caller. */
    peek: channels.peek,
    find: channels.find,
    shownHead,
    create: createCreation(context, trial, onMoved),
    tick: createTicking(context, { turns, steps, writing, refusals }),
    ...createChanges(context, { turns, trial, saying, onMoved, preview: shownHead }),
    /** The channels of the account that asks, newest first. @throws Fault SCOPE_REQUIRED for any other key */
    list: (caller: Caller, window: ChannelWindow): ChannelPage => {
      const { total, rows } = channels.ofOwner(accountCaller(caller).zid, window)
      const { limit, offset } = window
      const { meshTick } = store.now()
      return { total, limit, offset, streams: rows.map(({ row, head }) => channelSummaryView(row, head, meshTick)) }
    },
    /** A channel as it stands. @throws Fault NOT_FOUND */
    state: ({ caller, id }: ChannelRequest): { readonly stream: ChannelView } => {
      const { row, head } = channels.find(id, caller, 'read')
      return { stream: channelView(row, head, store.now().meshTick) }
    },
    /** Its newest output. @throws Fault NOT_FOUND */
    latest: ({ caller, id }: ChannelRequest): Promise<LatestOutput> => shownHead(channels.find(id, caller, 'read').row),
  }
}

export type Channels = Awaited<ReturnType<typeof openChannels>>
