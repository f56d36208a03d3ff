import { useEffect, useRef } from 'preact/hooks'
import { addressHere, NO_QUERY, type Query } from '#ui/address.ts'

/** Characters of inputs that an address carries: what mail and chat pass on unbroken. */
const SAID_CHARS_MAX = 1_800
/** Characters of inputs that the browser keeps with a place of its history where the address cannot say them. */
const KEPT_CHARS_MAX = 200_000

/** Time after the last key stroke: browsers refuse an address that changes with each. */
const SETTLE_MS = 200

/** What this page notes with a place of the browser's history. */
interface Mark {
  readonly inputs: true
  /** Whether something ran from it: what is typed next is a place of its own. */
  readonly ran: boolean
  /** What the address is too short to say. */
  readonly query?: Query
}

const markHere = (): Mark | undefined => {
  const mark = history.state as Mark | null
  return mark?.inputs === true ? mark : undefined
}

/** A text within a fragment, with as few escapes as it can do. */
const escaped = (text: string): string => encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':')

/** An address with its inputs, from the `#` on; undefined where they are too long for one. */
export const saidAddress = (place: string, query: Query): string | undefined => {
  const said = Object.entries(query)
    .map(([name, text]) => `${escaped(name)}=${escaped(text)}`)
    .join('&')
  if (said.length > SAID_CHARS_MAX) return undefined
  return said === '' ? `#${place}` : `#${place}?${said}`
}

/** Whether two queries say the same, in whatever order. */
const isSame = (a: Query, b: Query): boolean => {
  const [left, right] = [Object.entries(a), Object.entries(b)]
  return left.length === right.length && left.every(([name, text]) => b[name] === text)
}

const isHere = (place: string): boolean => addressHere().place.toUpperCase() === place.toUpperCase()

/** What the address says to the view of this place, or the history where the address is too short. */
export const queryHere = (place: string): Query =>
  isHere(place) ? (markHere()?.query ?? addressHere().query) : NO_QUERY

const write = (place: string, query: Query, { ran, push }: { readonly ran: boolean; readonly push: boolean }): void => {
  const said = saidAddress(place, query)
  const kept = said === undefined && JSON.stringify(query).length <= KEPT_CHARS_MAX
  const mark: Mark = { inputs: true, ran, ...(kept && { query }) }
  const to = said ?? `#${place}`
  if (push) history.pushState(mark, '', to)
  else history.replaceState(mark, '', to)
}

interface Told {
  /** The address of the view, without `#`. */
  readonly place: string
  readonly shown: boolean
  /** What its form says now. */
  readonly query: Query
  /** Takes what the address says after it changed: a link, back, forward. */
  readonly onRead: (query: Query) => void
}

/**
 * Inputs in the address. Typing changes it in place; a run keeps its place in the history, so that what is typed after
 * it is a new one, and back leads to what ran. An address that another hand changed wins over what stands in the form:
 * what was typed before is never written over it.
 *
 * @returns keeps inputs, the present ones unless others are given, as a place of the history.
 */
export const useAddress = ({ place, shown, query, onRead }: Told): ((kept?: Query) => void) => {
  // What is drawn lags behind what happens: events and timers ask for the newest, and not for what they were made with.
  const newest = useRef({ query, onRead })
  newest.current = { query, onRead }
  /** The address as this view read or wrote it last. */
  const known = useRef(location.href)
  const tell = (told: Query, how: Parameters<typeof write>[2]): void => {
    write(place, told, how)
    known.current = location.href
  }
  const take = (): void => {
    if (!isHere(place)) return
    known.current = location.href
    const said = queryHere(place)
    // A plain link to a view leaves what was typed there as it is.
    if (markHere() === undefined && isSame(said, NO_QUERY)) return
    newest.current.query = said
    newest.current.onRead(said)
  }
  const keep = (kept = query): void => {
    if (!isHere(place)) return
    tell(kept, { ran: true, push: markHere()?.ran === true && !isSame(queryHere(place), kept) })
  }
  useEffect(() => {
    if (!shown) return
    const settle = (): void => {
      if (!isHere(place)) return
      const { query: now } = newest.current
      const others = location.href !== known.current && !isSame(queryHere(place), NO_QUERY)
      if (others) take()
      else if (markHere() === undefined || !isSame(queryHere(place), now)) {
        tell(now, { ran: false, push: markHere()?.ran === true })
      }
    }
    const timer = setTimeout(settle, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [place, shown, query])
  useEffect(() => {
    addEventListener('popstate', take)
    return () => removeEventListener('popstate', take)
  }, [place])
  return keep
}
