/** What the page's address says after its `#`: a place, and what is said to it. */
export interface Address {
  readonly place: string
  readonly query: Query
}

/** What stands behind the `?` of a place, by name; of a name that stands twice, the last. */
export type Query = Readonly<Record<string, string>>

export const NO_QUERY: Query = {}

/** Characters of an address that are read: a longer one names nothing. */
const ADDRESS_CHARS_MAX = 16_384

/** `solver/heat?nx=64`, with or without `#`, read. */
export const readAddress = (text: string): Address => {
  const [, place = '', said] = /^#?\/?([^?]*)(?:\?(.*))?$/s.exec(text.slice(0, ADDRESS_CHARS_MAX)) ?? []
  return { place, query: said === undefined ? NO_QUERY : Object.fromEntries(new URLSearchParams(said)) }
}

/** A place and what is said to it as an address without `#`; what is empty is left out. */
export const spellAddress = (place: string, query: Query = NO_QUERY): string => {
  const said = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
  return said === '' ? place : `${place}?${said}`
}

/** Whether two queries say the same. */
export const sameQuery = (a: Query, b: Query): boolean => spellAddress('', a) === spellAddress('', b)

/** The receipt that the path of the page names, with the nonce that its fragment may carry. */
const RECEIPT_PATH = /^\/(r\/[0-9a-f]{32})$/
const NONCE = /^#([0-9a-f]{32,64})$/

/** Where the page stands: its path may name a receipt, else the fragment says. */
export const addressHere = ({ pathname, hash }: Pick<Location, 'pathname' | 'hash'> = location): Address => {
  const [, receipt] = RECEIPT_PATH.exec(pathname) ?? []
  if (receipt === undefined) return readAddress(hash)
  const [, nonce] = NONCE.exec(hash) ?? []
  return { place: receipt, query: nonce === undefined ? NO_QUERY : { nonce } }
}

/**
 * Writes what a view was told into the address, for reload and sharing, and lets the page know.
 *
 * @param step whether what was there before is a step to come back to.
 */
export const tellQuery = (place: string, query: Query, step = false): void => {
  const next = `#${spellAddress(place, query)}`
  if (location.hash === next) return
  const from = location.href
  if (step) history.pushState(null, '', next)
  else history.replaceState(null, '', next)
  dispatchEvent(new HashChangeEvent('hashchange', { oldURL: from, newURL: location.href }))
}
