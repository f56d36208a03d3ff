/** Form of a machine's slug, as JSON Schema and RegExp share it; apart from the other names, which need digests. */
export const slugPattern = '^[a-z0-9](-?[a-z0-9])*$'

const slug = new RegExp(slugPattern)

export const SLUG_CHARS_MAX = 64

/** Literal words that stand beside `/api/chain/{slug}`; a machine of that name could not be reached. */
export const reservedSlugs: ReadonlySet<string> = new Set([
  'state-machines',
  'verify-anchor',
  'active',
  'newest',
  'recent',
  'fleet',
  'seal',
  'aggregate',
  'rejection-log',
])

/** Whether a text may name a machine: the form, the length, and not a reserved word. */
export const isSlug = (text: string): boolean =>
  text.length >= 1 && text.length <= SLUG_CHARS_MAX && slug.test(text) && !reservedSlugs.has(text)
