/** Places of contracts in the page's address, after `contracts/` or `contract/`. */
const ONE = /^contract\/([a-z0-9-]{1,64})\/([0-9a-f]{32})(?:\/([a-z]{1,16}))?$/
const TEMPLATE = /^contracts\/templates?(?:\/([a-z0-9-]{1,64}))?$/

/** What an address of contracts names. */
export type ContractPlace =
  | { readonly kind: 'all' | 'editor' }
  | { readonly kind: 'templates'; readonly id: string }
  | { readonly kind: 'one'; readonly slug: string; readonly id: string; readonly tab: string }

/** What an address names; undefined where it names nothing. */
export const placeIn = (at: string): ContractPlace | undefined => {
  if (at === 'contracts') return { kind: 'all' }
  if (at === 'contracts/editor') return { kind: 'editor' }
  const template = TEMPLATE.exec(at)
  if (template !== null) return { kind: 'templates', id: template[1] ?? '' }
  const [one, slug = '', id = '', tab = 'now'] = ONE.exec(at) ?? []
  return one === undefined ? undefined : { kind: 'one', slug, id, tab }
}

const titles = {
  all: 'Contracts',
  editor: 'Contract editor',
  templates: 'Templates of contracts',
  one: 'Contract',
} as const

/** What a place is called; undefined where there is none. */
export const titleOf = (at: string): string | undefined => {
  const place = placeIn(at)
  return place === undefined ? undefined : titles[place.kind]
}

/** What outlives a change of the address: a contract, whichever part of its page is open. */
export const keyOf = (at: string): string => at.split('/').slice(0, 3).join('/')
