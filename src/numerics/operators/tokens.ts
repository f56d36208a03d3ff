import { Fault } from '#core/fault.ts'

/** What every grammar of the house shares: its bounds, its tokens and the cursor over them. */

/** Characters of an expression. */
export const LENGTH_MAX = 2_000
/** Expressions within expressions. */
export const DEPTH_MAX = 64
/** Nodes of one expression. */
export const NODES_MAX = 512
/** Characters of a name. */
const NAME_MAX = 32
/** The kinds of tokens that are names. */
const NAMED: ReadonlySet<string> = new Set(['name', 'constant'])

/** A piece of an expression; `end` is the last. */
export interface Token<K extends string> {
  readonly kind: K | 'end'
  readonly text: string
  /** Characters before it. */
  readonly at: number
}

/** @throws Fault INVALID_INPUT with the position, counted from 0. */
export const refuseAt = (position: number, why: string): never => {
  throw new Fault('INVALID_INPUT', `Expression, character ${position + 1}: ${why}`, { position })
}

/**
 * The tokens of a text, `end` behind them.
 *
 * @param text of at most {@link LENGTH_MAX} characters.
 * @param pattern sticky, with white space before it and one group for each kind.
 * @throws Fault INVALID_INPUT with the position.
 */
export const tokensOf = <K extends string>(text: string, pattern: RegExp, kinds: readonly K[]): readonly Token<K>[] => {
  if (text.length > LENGTH_MAX) refuseAt(LENGTH_MAX, `longer than ${LENGTH_MAX} characters.`)
  const found: Token<K>[] = []
  const sticky = new RegExp(pattern.source, 'y')
  const end = text.trimEnd().length
  while (sticky.lastIndex < end) {
    const start = sticky.lastIndex
    const parts = sticky.exec(text)
    if (parts === null) {
      const at = start + (text.slice(start).length - text.slice(start).trimStart().length)
      return refuseAt(at, `“${String.fromCodePoint(text.codePointAt(at) ?? 0)}” has no place here.`)
    }
    const [whole, ...groups] = parts
    const which = groups.findIndex((it) => it !== undefined)
    const kind = kinds[which]
    const part = groups[which] ?? ''
    const at = start + whole.length - whole.trimStart().length
    if (kind === undefined) return refuseAt(at, 'nothing stands here.')
    if (NAMED.has(kind) && part.length > NAME_MAX) refuseAt(at, `a name has at most ${NAME_MAX} characters.`)
    found.push({ kind, text: part, at })
  }
  found.push({ kind: 'end', text: '', at: end })
  return found
}

/** A place in a list of tokens, which counts the nodes made of them. */
export interface TokenCursor<K extends string> {
  peek(): Token<K>
  take(): Token<K>
  /** Takes a sign. @throws Fault INVALID_INPUT where another token stands. */
  expect(sign: string): void
  /** Counts a node that begins at a place. @throws Fault INVALID_INPUT beyond {@link NODES_MAX}. */
  made<N>(node: N, at: number): N
  /** @throws Fault INVALID_INPUT beyond {@link DEPTH_MAX}. */
  deep(depth: number): void
  /** @throws Fault INVALID_INPUT where anything is left. */
  finish<N>(whole: N): N
}

/** Begins at the first token of a text. */
export const cursorOver = <K extends string>(text: string, tokens: readonly Token<K>[]): TokenCursor<K> => {
  const last: Token<K> = { kind: 'end', text: '', at: text.length }
  let next = 0
  let nodes = 0
  const peek = (): Token<K> => tokens[next] ?? last
  const take = (): Token<K> => {
    const token = peek()
    next += 1
    return token
  }
  return {
    peek,
    take,
    expect(sign) {
      const token = take()
      if (token.text !== sign) refuseAt(token.at, `“${sign}” is wanted${token.kind === 'end' ? ' at the end' : ''}.`)
    },
    made(node, at) {
      nodes += 1
      return nodes > NODES_MAX ? refuseAt(at, `more than ${NODES_MAX} parts.`) : node
    },
    deep(depth) {
      if (depth > DEPTH_MAX) refuseAt(peek().at, `nested deeper than ${DEPTH_MAX}.`)
    },
    finish(whole) {
      const token = peek()
      return token.kind === 'end' ? whole : refuseAt(token.at, `“${token.text}” is left over.`)
    },
  }
}
