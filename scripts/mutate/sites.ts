import {
  type BinaryExpression,
  isBinaryExpression,
  isCallExpression,
  isNewExpression,
  isPrefixUnaryExpression,
  isPropertyAssignment,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast'

/** One change of one place in a file. */
export interface Mutant {
  readonly file: string
  readonly start: number
  readonly end: number
  /** What stands there, and what is put in its place. */
  readonly was: string
  readonly becomes: string
  /** Its line, from 1, and the text of that line without its margins. */
  readonly line: number
  readonly source: string
}

type Change = readonly [at: Node | readonly [start: number, end: number], becomes: string]

/** Signs and comparisons, each with what it is taken for. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '<<': ['>>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '+=': ['-='],
  '-=': ['+='],
}

/** Those of which either side may be left out. */
const JOINING = new Set(['+', '-', '*', '/', '&&', '||', '|', '&', '^'])

/** Members of a schema or of a row that are read by people: no test copies prose. */
const PROSE = new Set(['description', 'title', 'against'])

const isType = ({ kind }: Node): boolean =>
  (kind >= SyntaxKind.FirstTypeNode && kind <= SyntaxKind.LastTypeNode) ||
  [
    SyntaxKind.ImportDeclaration,
    SyntaxKind.ExportDeclaration,
    SyntaxKind.InterfaceDeclaration,
    SyntaxKind.TypeAliasDeclaration,
    SyntaxKind.TypeParameter,
  ].includes(kind)

/** What no test holds to the letter: sentences, and messages of what only a bug can reach. */
const isTold = (it: Node): boolean =>
  (isPropertyAssignment(it) && PROSE.has(it.name.getText())) ||
  (isNewExpression(it) && /Error$/.test(it.expression.getText())) ||
  (isCallExpression(it) && it.expression.getText() === 'assert')

const ofNumber = (text: string): readonly string[] => {
  const plain = text.replaceAll('_', '')
  if (plain.endsWith('n')) return [`${BigInt(plain.slice(0, -1)) + 1n}n`]
  const value = Number(plain)
  return value === 0 ? ['1'] : [String(value + 1), '0']
}

/** A word of the program becomes another; a sentence stays. */
const ofText = (text: string): readonly string[] => {
  const inner = text.slice(1, -1)
  if (/\s/.test(inner.trim())) return []
  return [inner === '' ? `'~'` : `''`]
}

const ofBinary = ({ left, operatorToken, right }: BinaryExpression): readonly Change[] => {
  const sign = operatorToken.getText()
  const others = (SIGNS[sign] ?? []).map((it): Change => [operatorToken, it])
  if (!JOINING.has(sign)) return others
  const alone: readonly Change[] = [
    [[left.getStart(), right.getStart()], sign === '-' ? '-' : ''],
    [[left.end, right.end], ''],
  ]
  return [...others, ...alone]
}

const changesOf = (it: Node): readonly Change[] => {
  if (it.kind === SyntaxKind.NumericLiteral || it.kind === SyntaxKind.BigIntLiteral) {
    return ofNumber(it.getText()).map((text) => [it, text])
  }
  if (it.kind === SyntaxKind.StringLiteral) return ofText(it.getText()).map((text) => [it, text])
  if (it.kind === SyntaxKind.TrueKeyword) return [[it, 'false']]
  if (it.kind === SyntaxKind.FalseKeyword) return [[it, 'true']]
  if (isPrefixUnaryExpression(it) && /^[-!~]/.test(it.getText())) return [[it, it.operand.getText()]]
  return isBinaryExpression(it) ? ofBinary(it) : []
}

/**
 * Every mutant of a file: literals, signs, comparisons and terms, none of them in a type, an import or a sentence.
 *
 * @param root as the compiler parsed it.
 */
export const mutantsOf = (file: string, root: Node, text: string): readonly Mutant[] => {
  const found: Mutant[] = []
  const add = ([at, becomes]: Change): void => {
    const [start, end] = 'kind' in at ? [at.getStart(), at.end] : at
    const line = text.slice(0, start).split('\n').length
    const source = (text.split('\n')[line - 1] ?? '').trim()
    found.push({ file, start, end, was: text.slice(start, end), becomes, line, source })
  }
  const walk = (it: Node): void => {
    if (isType(it) || isTold(it)) return
    for (const change of changesOf(it)) add(change)
    it.forEachChild((child) => void walk(child))
  }
  walk(root)
  return found
}

/** The text with a mutant in its place. */
export const mutated = (text: string, { start, end, becomes }: Mutant): string => {
  const before = text.slice(0, start)
  // A sign may not grow together with the one before it.
  const gap = /[-+]$/.test(before) && /^[-+]/.test(becomes) ? ' ' : ''
  return `${before}${gap}${becomes}${text.slice(end)}`
}
