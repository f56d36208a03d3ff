import type { PushedText, Pushing, PushOutlet } from '#core/pushing.ts'
import type { Log } from '#core/telemetry.ts'
import type { Store } from '#store/store.ts'
import { type ChannelMark, createBacklog, isAfter, type ReaderSight } from './backlog.ts'
import type { ChannelStore, StandingChannel } from './channel-store.ts'
import type { ChannelFeed, ChannelHappening } from './feed.ts'
import { createSpreading } from './spread.ts'

/** A reader of a channel. */
interface Follower {
  readonly outlet: PushOutlet
  /** Whether it has caught up, and hears what comes. */
  live: boolean
  /** Whether its socket is: nothing more is read for it. A signal of its own for each would cost more than its end. */
  gone: boolean
  /** The newest tick that it was given. */
  seen: ChannelMark
}

type Ports = {
  readonly store: Pick<Store, 'peek' | 'range' | 'now' | 'genesisMeshTick'>
  readonly channels: Pick<ChannelStore, 'peek'>
  readonly feed: ChannelFeed
  readonly log: Log
}

/** How somebody follows a channel. */
export interface FollowOrder {
  /** The tick that the reader has seen, if there is one. */
  readonly after: ChannelMark | undefined
  /** A link shows outputs: what a template leaves out is not told afterwards either. */
  readonly sees: ReaderSight
}

const NONE: ChannelMark = { epoch: 0, count: 0 }

/** The message of something that happened; the output is made for it once, however many hear it. */
const said = (it: ChannelHappening, now: number): PushedText => {
  if (it.kind === 'tick') {
    const { epoch, count, tick, token_id, contentType, output } = it
    return { meshTick: now, text: JSON.stringify({ type: 'tick', epoch, count, tick, token_id, contentType, output }) }
  }
  if (it.kind === 'gap') {
    const { from, to, reason } = it
    return { meshTick: to, text: JSON.stringify({ type: 'gap', from, to, reason }) }
  }
  if (it.kind === 'closed') return { meshTick: now, text: JSON.stringify({ type: 'closed' }) }
  return { meshTick: now, text: JSON.stringify({ type: 'status', status: it.kind }) }
}

/** Ends for a reader who came when the channel had been closed, as it ends for those who were there. */
const goodbye = (channel: string, { outlet }: Follower, meshTick: number): void => {
  outlet.push(said({ kind: 'closed', channel }, meshTick))
  outlet.end()
}

/** Creates what pushes the ticks of channels to whoever follows them. */
export const createFollowing = ({ store, channels, feed, log }: Ports) => {
  const all = new Map<string, Set<Follower>>()
  const backlog = createBacklog({ store })
  const spread = createSpreading<Follower>()

  feed.listen((it) => {
    const followers = all.get(it.channel)
    if (followers === undefined) return
    const text = said(it, store.now().meshTick)
    const mark = it.kind === 'tick' ? { epoch: it.epoch, count: it.count } : undefined
    // Who joins from now on finds this in the chain, or begins behind it.
    const live = [...followers].filter((follower) => follower.live)
    spread(it.channel, live, (follower) => {
      if (mark !== undefined) {
        if (!isAfter(mark, follower.seen)) return
        follower.seen = mark
      }
      follower.outlet.push(text)
      if (it.kind === 'closed') follower.outlet.end()
    })
  })

  const sizeOf = (slug: string): number => store.peek('machineHead', slug)?.size ?? 0

  /** Gives a reader who comes back what it missed, until there is nothing left, and then what comes. */
  const catchUp = async (
    { row }: StandingChannel,
    follower: Follower,
    { after, sees }: { readonly after: ChannelMark; readonly sees: ReaderSight },
  ): Promise<void> => {
    const { outlet } = follower
    let size = sizeOf(row.slug)
    const { seq, lackedTo } = await backlog.start(row, { after, size })
    if (lackedTo !== undefined) {
      outlet.push({
        meshTick: lackedTo,
        text: JSON.stringify({ type: 'gap', from: null, to: lackedTo, reason: 'old' }),
      })
    }
    let next = seq
    // What was entered meanwhile comes the same way: there is no moment between the last look and the first live one.
    for (size = sizeOf(row.slug); next < size; size = sizeOf(row.slug)) {
      for await (const it of backlog.read(row, { from: next, to: size, sees })) {
        if (follower.gone) return
        outlet.push(it)
        follower.seen = it.mark ?? follower.seen
        await outlet.drained()
      }
      next = size
    }
    follower.live = true
    if (channels.peek(row.id)?.head.status === 'closed') goodbye(row.id, follower, store.now().meshTick)
  }

  return {
    /**
     * Follows a channel from where it stands, or from behind a tick that the reader has seen.
     *
     * @param it the channel, for a reader who may read it.
     */
    follow: (it: StandingChannel, { after, sees }: FollowOrder): Pushing => ({
      feed: (outlet) => {
        const { id } = it.row
        const stands = channels.peek(id) ?? it
        const { epoch, count } = stands.head
        const { head } = stands.head
        const follower: Follower = { outlet, live: after === undefined, gone: false, seen: after ?? head ?? NONE }
        const followers = all.get(id) ?? new Set()
        all.set(id, followers.add(follower))
        outlet.push({ meshTick: store.now().meshTick, text: JSON.stringify({ type: 'hello', epoch, count }) })
        if (after !== undefined) {
          catchUp(stands, follower, { after, sees }).catch((error: unknown) => {
            log.error({ channel: id, error }, 'channel_unread')
            outlet.fail()
          })
        } else if (stands.head.status === 'closed') goodbye(id, follower, store.now().meshTick)
        return {
          [Symbol.dispose]: () => {
            follower.gone = true
            followers.delete(follower)
            if (followers.size === 0 && all.get(id) === followers) all.delete(id)
          },
        }
      },
    }),
    /** Readers of a channel. */
    followers: (id: string): number => all.get(id)?.size ?? 0,
  }
}
