/** A place of the log explorer, as its address says it behind `log/`. */
export type LogAddress =
  | { readonly show: 'newest'; readonly log: string }
  | { readonly show: 'leaf'; readonly log: string; readonly number: number }
  | { readonly show: 'tick'; readonly log: string; readonly number: number }
  | { readonly show: 'hash'; readonly log: string; readonly name: string }
  | { readonly show: 'token'; readonly log: string; readonly name: string }
  | { readonly show: 'consistency'; readonly log: string; readonly older: number; readonly newer: number }

const LOG = /^(?:seal|events)(?:\.\d{1,4})?$/
const NUMBER = /^(?:0|[1-9]\d{0,15})$/
const HASH = /^[0-9a-f]{64}$/
const TOKEN = /^[0-9a-f]{32}$/

const numberOf = (text: string | undefined): number | undefined =>
  text !== undefined && NUMBER.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined

/** Reads what stands behind `log/`; undefined for what is no place. */
export const readPlace = (at: string): LogAddress | undefined => {
  const [log = '', show, word = '', ...rest] = at === '' ? ['seal'] : at.split('/')
  if (!LOG.test(log) || rest.length > 0) return undefined
  if (show === undefined) return { show: 'newest', log }
  const number = numberOf(word)
  if (show === 'leaf' || show === 'tick') return number === undefined ? undefined : { show, log, number }
  if (show === 'hash') return HASH.test(word) ? { show, log, name: word } : undefined
  if (show === 'token') return TOKEN.test(word) ? { show, log, name: word } : undefined
  const [older, newer] = word.split('-').map(numberOf)
  if (show !== 'consistency' || older === undefined || newer === undefined) return undefined
  return { show, log, older, newer }
}

/** The address of a place. */
export const spellPlace = (place: LogAddress): string => {
  const { log, show } = place
  if (show === 'newest') return `log/${log}`
  if (show === 'consistency') return `log/${log}/${show}/${place.older}-${place.newer}`
  return `log/${log}/${show}/${'number' in place ? place.number : place.name}`
}

/** Its name for people. */
export const titleOf = (at: string): string | undefined => {
  const place = readPlace(at)
  if (place === undefined) return undefined
  const log = nameOf(place.log)
  if (place.show === 'leaf') return `Leaf ${place.number} of the ${log}`
  if (place.show === 'consistency') return `${place.older} to ${place.newer} leaves of the ${log}`
  return `${log.slice(0, 1).toUpperCase()}${log.slice(1)}`
}

/** What people call a log. */
export const nameOf = (log: string): string => {
  const [name, era] = log.split('.')
  return `${name === 'events' ? 'event log' : 'seal log'}${era === undefined ? '' : `, era ${era}`}`
}

/** What was typed into the one box, and what it may mean, the likeliest first. */
export const meaningsOf = (
  text: string,
  log: string,
): readonly { readonly about: string; readonly to: LogAddress }[] => {
  const typed = text.trim().toLowerCase()
  const ticked = numberOf(/^(?:tick|t)\s*(\d+)$/.exec(typed)?.[1])
  if (ticked !== undefined) return [{ about: `leaves of tick ${ticked}`, to: { show: 'tick', log, number: ticked } }]
  const number = numberOf(/^(?:leaf|index|#)?\s*(\d+)$/.exec(typed)?.[1])
  const asLeaf = number === undefined ? [] : [{ about: `leaf ${number}`, to: { show: 'leaf', log, number } as const }]
  const asTick =
    number === undefined || !/^\d+$/.test(typed)
      ? []
      : [{ about: `leaves of tick ${number}`, to: { show: 'tick', log, number } as const }]
  const asHash = HASH.test(typed)
    ? [{ about: 'the leaf with this hash', to: { show: 'hash', log, name: typed } as const }]
    : []
  const asToken = TOKEN.test(typed)
    ? [{ about: 'the receipt with this token', to: { show: 'token', log: 'seal', name: typed } as const }]
    : []
  return [...asToken, ...asHash, ...asLeaf, ...asTick]
}
