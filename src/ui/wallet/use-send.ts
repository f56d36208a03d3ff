import { useState } from 'preact/hooks'
import { freshName } from '#ui/server/fresh-name.ts'
import type { PageSession } from '#ui/session.ts'
import { NONE, type Selection, sorted, without } from './selection.ts'
import type { MoveItem } from './wallet.ts'

/** What a sender means to send: those chosen, or so many drawn by the node. */
export type SendWish =
  | { readonly kind: 'chosen'; readonly chosen: Selection }
  | { readonly kind: 'count'; readonly count: number }

/** A sending that is shown before it is done. */
export interface Preview {
  readonly order: SendWish
  readonly to: string
  readonly allowUnknown: boolean
  /** Names the call: a repeat after a lost answer sends nothing twice. */
  readonly name: string
}

export interface Sending {
  readonly preview: Preview | undefined
  readonly busy: boolean
  readonly problem: Error | undefined
  /** What was sent last. */
  readonly done: MoveItem | undefined
  show(order: SendWish, to: string): void
  back(): void
  /** Sends what the preview shows. */
  confirm(): void
  /** Sends it with one thing changed, since the node refused it as it was. */
  again(change: Partial<Pick<Preview, 'order' | 'allowUnknown'>>): void
}

/** Token ids that an order names. */
export const tokensOf = (order: SendWish): readonly string[] =>
  order.kind === 'count' ? [] : sorted(order.chosen).movable.map((it) => it.token_id)

/** The same order without a token that the node refused. */
export const leftOut = (order: SendWish, token: string): SendWish =>
  order.kind === 'count' ? order : { kind: 'chosen', chosen: without(order.chosen, [token]) }

/** A sending from its preview to its receipt. @param onSent told which tokens were named, if they were */
export const useSend = (session: PageSession, onSent: (tokens: readonly string[]) => void): Sending => {
  const [preview, see] = useState<Preview>()
  const [busy, work] = useState(false)
  const [problem, complain] = useState<Error>()
  const [done, finish] = useState<MoveItem>()
  const send = async (it: Preview): Promise<void> => {
    work(true)
    complain(undefined)
    const { order, to, allowUnknown, name } = it
    const what = order.kind === 'count' ? { count: order.count } : { token_ids: [...tokensOf(order)] }
    const input = { to, ...what, ...(allowUnknown && { allow_unknown: true }) }
    try {
      const headers = { 'Idempotency-Key': name }
      const { move } = await session.call('POST /api/tally/envelopes/transfer-bulk', input, { headers })
      finish(move)
      see(undefined)
      onSent(tokensOf(order))
    } catch (error) {
      complain(error instanceof Error ? error : new Error(String(error)))
    } finally {
      work(false)
    }
  }
  const draw = (it: Preview): Preview => {
    see(it)
    return it
  }
  return {
    ...{ preview, busy, problem, done },
    show: (order, to) => {
      complain(undefined)
      finish(undefined)
      draw({ order, to, allowUnknown: false, name: freshName() })
    },
    back: () => {
      see(undefined)
      complain(undefined)
    },
    confirm: () => {
      if (preview !== undefined && !busy) void send(preview)
    },
    again: (change) => {
      if (preview !== undefined && !busy) void send(draw({ ...preview, ...change, name: freshName() }))
    },
  }
}

/** An order of what is chosen, or nothing. */
export const chosenOrder = (chosen: Selection = NONE): SendWish => ({ kind: 'chosen', chosen })
