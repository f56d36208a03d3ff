import { breathe } from '#core/wait.ts'

/** Readers that a message goes to in one go; then everything else that waits has its turn. */
export const AT_ONCE = 2_048
/** Messages of one channel that are on their way; before there is one more, they leave at once. */
export const UNDERWAY_MAX = 4

interface Underway<T> {
  readonly to: readonly T[]
  readonly give: (it: T) => void
  /** Place of the reader who is next. */
  next: number
}

/** Gives messages, in their order, to at most so many readers. */
const go = <T>(messages: Underway<T>[], most: number): void => {
  let left = most
  for (let it = messages[0]; it !== undefined && left > 0; it = messages[0]) {
    const end = Math.min(it.to.length, it.next + left)
    left -= end - it.next
    for (const reader of it.to.slice(it.next, end)) it.give(reader)
    it.next = end
    if (end === it.to.length) messages.shift()
  }
}

/**
 * Creates what gives a message to all readers of a channel, so that a channel that many thousands follow holds up
 * nobody else: each reader gets its messages in their order, and a few readers get theirs before this returns.
 */
export const createSpreading = <T>() => {
  const underway = new Map<string, Underway<T>[]>()

  const goOn = async (channel: string, messages: Underway<T>[]): Promise<void> => {
    while (messages.length > 0) {
      await breathe()
      go(messages, AT_ONCE)
    }
    underway.delete(channel)
  }

  return (channel: string, to: readonly T[], give: (it: T) => void): void => {
    const before = underway.get(channel)
    const messages = before ?? []
    if (messages.length >= UNDERWAY_MAX) go(messages, Number.POSITIVE_INFINITY)
    messages.push({ to, give, next: 0 })
    if (before !== undefined) return
    go(messages, AT_ONCE)
    if (messages.length === 0) return
    underway.set(channel, messages)
    void goOn(channel, messages)
  }
}
