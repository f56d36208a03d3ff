import { nodeIdOf } from '#core/keys.ts'
import { underway } from '#core/underway.ts'
import type { BundlePath } from '#domain/economy/economy.ts'
import { createAnswering } from './answer.ts'
import { createArrivals } from './arrivals.ts'
import { createAsk } from './ask.ts'
import { type AbroadContext, createTurn, speakerOf } from './context.ts'
import { createLots } from './lots.ts'
import { createNotices } from './notices.ts'
import { createRelay, type Relay } from './relay.ts'
import { createSeek } from './seek.ts'
import { type AwayShelf, createShelf } from './shelf.ts'
import { createShowAway } from './show.ts'
import { createTwice } from './twice.ts'
import type { Abroad, AbroadPorts } from './types.ts'

/** Ticks between two rounds of questions about tokens that nobody spoke of lately. */
const REFRESH_EVERY_BEATS = 16

export type AbroadOptions = Omit<AbroadContext, 'ports' | 'signal' | 'node' | 'seek'> & {
  readonly bundlePath: BundlePath
}

/** Tokens between nodes: what others ask of this home, and what is kept here of other homes. */
export const createAbroad = ({
  bundlePath,
  ...options
}: AbroadOptions): { readonly abroad: Abroad; readonly relay: Relay; readonly shelf: AwayShelf } => {
  const stop = new AbortController()
  const work = underway()
  let ports: AbroadPorts | undefined
  const node = nodeIdOf(options.signer.publicKey)
  const base = { ...options, node, ports: () => ports, signal: stop.signal }
  const look = createSeek(base)
  const context: AbroadContext = { ...base, seek: (it) => look(it, work.add) }
  const ask = createAsk(context)
  const lots = createLots(context, ask, createTurn())
  const twice = createTwice(context)
  const parts = { context, ask, lots, onTwice: twice.found }
  const arrivals = createArrivals(parts)
  const relay = createRelay(parts)
  const notices = createNotices(context, ask)
  let beats = 0
  const running = new Set<string>()

  /** Goes round once, beside the other rounds: what one of them waits for is another node. */
  const round = (name: string, once: () => Promise<void>): void => {
    if (running.has(name)) return
    running.add(name)
    const ended = once()
      .catch((error: unknown) => {
        if (!stop.signal.aborted) ports?.log.warn({ round: name, error }, 'token_round_failed')
      })
      .finally(() => running.delete(name))
    work.add(ended.then(() => undefined))
  }

  const refresh = async (): Promise<void> => {
    const here = new Set(ports?.peers())
    const isThere = (home: string): boolean => {
      const { node: speaker } = speakerOf(context, home)
      if (!here.has(speaker)) context.seek(speaker)
      return here.has(speaker)
    }
    await twice.look()
    for (const fault of await lots.refresh(isThere)) ports?.log.debug({ error: fault.message }, 'token_state_unknown')
  }

  return {
    relay,
    shelf: createShelf(options.store, createShowAway(context, lots, bundlePath)),
    abroad: {
      answer: createAnswering(context, arrivals),
      join: (given) => {
        ports = given
      },
      beat: () => {
        beats += 1
        if (ports === undefined || stop.signal.aborted) return
        round('notices', () => notices.beat(work.add))
        round('arrivals', () => arrivals.beat(work.add))
        round('pending', relay.beat)
        if (beats % REFRESH_EVERY_BEATS === 0) round('refresh', refresh)
      },
      [Symbol.asyncDispose]: async () => {
        stop.abort(new Error('the node is stopping'))
        await work.ended()
      },
    },
  }
}
