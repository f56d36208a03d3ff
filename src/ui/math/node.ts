/** An element of MathML Core, as data: a leaf has a text, any other its parts. */
export interface MathNode {
  readonly tag: 'math' | 'mrow' | 'mi' | 'mn' | 'mo' | 'mtext' | 'mfrac' | 'msqrt' | 'mroot' | Script
  readonly attributes?: Readonly<Record<string, string>>
  readonly text?: string
  readonly parts?: readonly MathNode[]
}

type Script = 'msub' | 'msup' | 'msubsup' | 'mover'

/** A name, a number, an operator or a unit. */
export const leaf = (tag: MathNode['tag'], text: string, attributes?: MathNode['attributes']): MathNode => ({
  tag,
  text,
  ...(attributes !== undefined && { attributes }),
})

/** An element of parts. */
export const of = (
  tag: MathNode['tag'],
  parts: readonly MathNode[],
  attributes?: MathNode['attributes'],
): MathNode => ({ tag, parts, ...(attributes !== undefined && { attributes }) })

/** Parts side by side; one alone stands for itself. */
export const row = (...parts: readonly MathNode[]): MathNode =>
  parts.length === 1 && parts[0] !== undefined ? parts[0] : of('mrow', parts)

/** The product that is not written: readers aloud say “times”. */
export const TIMES = leaf('mo', '\u2062', { lspace: '0', rspace: '0.15em' })
/** Between a function and its brackets. */
export const APPLY = leaf('mo', '\u2061')
export const MINUS = '−'

/** Elements that are higher than a line, and bracket what is in them by their shape. */
export const TALL: readonly MathNode['tag'][] = ['mfrac', 'msqrt', 'mroot']

const isTall = ({ tag, parts = [] }: MathNode): boolean => TALL.includes(tag) || parts.some(isTall)

/** Brackets round parts, as high as these; round a line of letters they are letters themselves. */
export const fenced = (inner: MathNode, open = '(', close = ')'): MathNode => {
  const high = isTall(inner) ? {} : { stretchy: 'false' }
  const side = (text: string, form: string): MathNode => leaf('mo', text, { form, ...high })
  return of('mrow', [side(open, 'prefix'), inner, side(close, 'postfix')])
}
