/** What a text in the box is, by its form alone. */
export type BoxText =
  | { readonly kind: 'nothing' }
  /** 32 digits in hex: the token of a receipt. */
  | { readonly kind: 'token'; readonly token: string }
  /** 64 of them: a leaf of a log. */
  | { readonly kind: 'leaf'; readonly hash: string }
  /** The JSON of a bundle or the text of a chain, to be verified. */
  | { readonly kind: 'evidence'; readonly text: string }
  /** Anything else: a question, or words of something that is here. */
  | { readonly kind: 'words'; readonly text: string }

const TOKEN = /^[0-9a-f]{32}$/
const LEAF = /^[0-9a-f]{64}$/
/** An address of the page's own, from which the token is taken. */
const LINK = /\/r\/([0-9a-f]{32})(?:#|\?|$)/i

/** Says what was typed or pasted. */
export const saidIn = (typed: string): BoxText => {
  const text = typed.trim()
  const hex = text.toLowerCase().replace(/^sha256:/, '')
  if (text === '') return { kind: 'nothing' }
  if (TOKEN.test(hex)) return { kind: 'token', token: hex }
  if (LEAF.test(hex)) return { kind: 'leaf', hash: hex }
  const linked = LINK.exec(text)?.[1]
  if (linked !== undefined) return { kind: 'token', token: linked.toLowerCase() }
  if (/^\{\s*"/.test(text)) return { kind: 'evidence', text }
  return { kind: 'words', text: text.replace(/\s+/g, ' ') }
}
