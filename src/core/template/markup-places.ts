import { attributeKind, localName, type MarkupDialect } from './attributes.ts'
import type { PlaceKind } from './place.ts'
import { MARK, type Skeleton } from './skeleton.ts'

/** Elements of HTML whose content is no markup: what stands in them ends at their own end tag alone. */
const RAW: ReadonlySet<string> = new Set([
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
])

const HTML_DOCTYPE = /<!doctype[^<>]*>/iy
const GAP = '[ \\t\\r\\n]'
const LITERAL = `${GAP}+(?:"[^"<>]*"|'[^'<>]*')`
const XML_DOCTYPE = new RegExp(
  `<!DOCTYPE${GAP}+[\\w.:-]+(?:${GAP}+(?:SYSTEM|PUBLIC${LITERAL})${LITERAL})?${GAP}*>`,
  'y',
)
const DECLARATION = new RegExp(
  `<\\?xml${GAP}+version=(?:"1\\.0"|'1\\.0')(?:${GAP}+encoding=(?:"utf-8"|'utf-8'))?${GAP}*\\?>`,
  'iy',
)
const OPENING = /<([A-Za-z][A-Za-z0-9_.:-]*)(?=[ \t\r\n/>])/y
const ENDING = /<\/([A-Za-z][A-Za-z0-9_.:-]*)[ \t\r\n]*>/y
const SPACE = /[ \t\r\n]*/y
const NAME = /[A-Za-z_:][A-Za-z0-9_.:-]*(?=[ \t\r\n/>=])/y
const EQUALS = /[ \t\r\n]*=[ \t\r\n]*/y
const BARE = /[^ \t\r\n"'`=<>]+(?=[ \t\r\n>])/y
const TAG_END = /\/?>/y
/** References that XML knows without a document type. */
const REFERENCE = /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});/y
/** The beginning of a reference, which a value could end. */
const HALF_REFERENCE = /&[#A-Za-z0-9]{0,64}$/

interface Scan {
  readonly skeleton: Skeleton
  readonly dialect: MarkupDialect
  /** Elements of XML that are open. */
  readonly open: string[]
  /** Whether the one element that holds all of an XML document was met. */
  rooted: boolean
  /** Whether a document type was met. */
  typed: boolean
}

const match = (pattern: RegExp, text: string, at: number): RegExpExecArray | undefined => {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

const endOf = (pattern: RegExp, text: string, at: number): number | undefined => {
  const found = match(pattern, text, at)
  return found === undefined ? undefined : at + found[0].length
}

/** Where to go on after something that is refused as a whole. */
const past = (text: string, sign: string, at: number): number => {
  const found = text.indexOf(sign, at)
  return found < 0 ? text.length : found + sign.length
}

/** XML knows five names, and the rest is an error to it; HTML takes any sign as it stands. */
const inspectReferences = ({ skeleton: { text, refuse }, dialect }: Scan, from: number, end: number): void => {
  if (dialect === 'html') return
  for (let at = from; at < end; at++) {
    if (text[at] !== '&' || match(REFERENCE, text, at) !== undefined) continue
    refuse(at, 'This “&” begins no reference of XML: write &amp;.')
  }
}

const settleMarks = (scan: Scan, range: readonly [from: number, end: number], kind: PlaceKind): void => {
  const { text, settle, refuse } = scan.skeleton
  const [from, end] = range
  for (let at = from; at < end; at++) {
    if (text[at] !== MARK) continue
    // What comes before is looked at as far as the longest reference that is half written.
    const half = HALF_REFERENCE.test(text.slice(Math.max(from, at - 66), at))
    if (half) refuse(at, 'A place cannot stand in a reference that begins with “&”.')
    else settle(at, kind)
  }
}

const scanText = (scan: Scan, from: number, end: number): void => {
  const { text, refuse, refuseMarks } = scan.skeleton
  inspectReferences(scan, from, end)
  if (scan.dialect === 'html') return settleMarks(scan, [from, end], 'markup')
  // `]]>` is no text of XML, and a value could bring the brackets.
  for (let at = from + 1; at < end; at++) {
    if (text[at] === '>' && /[\]\0]/.test(text[at - 1] as string)) refuse(at, 'Here “>” is written &gt;.')
  }
  const closed = scan.open.find((name) => ['script', 'style'].includes(localName(name)))
  if (closed !== undefined) return refuseMarks(from, end, `A place cannot stand in <${closed}>.`)
  if (scan.open.length > 0) return settleMarks(scan, [from, end], 'markup')
  const stray = /[^ \t\r\n\0]/.exec(text.slice(from, end))
  if (stray !== null) refuse(from + stray.index, 'Text stands outside the one element that holds all.')
  refuseMarks(from, end, 'A place stands outside the one element that holds all.')
}

const takeComment = ({ skeleton: { text, refuse, refuseMarks }, dialect }: Scan, at: number): number => {
  const close = text.indexOf('-->', at + 4)
  const end = close < 0 ? text.length : close
  refuseMarks(at, end, 'A place cannot stand in a comment.')
  const inside = text.slice(at + 4, end)
  // Where readers of HTML end a comment early, no two of them need agree.
  const odd = dialect === 'html' ? /^-?>|--!>/.test(inside) : /--|-$/.test(inside)
  if (close < 0) refuse(at, 'This comment is not closed.')
  else if (odd) refuse(at, 'A comment holds no “--”, and does not begin with “>”.')
  return close < 0 ? end : close + 3
}

const takeCdata = ({ skeleton: { text, refuse, refuseMarks }, dialect, open }: Scan, at: number): number => {
  const close = text.indexOf(']]>', at)
  const end = close < 0 ? text.length : close + 3
  refuseMarks(at, end, 'A place cannot stand in CDATA.')
  if (dialect === 'html') refuse(at, 'HTML has no CDATA.')
  else if (close < 0) refuse(at, 'This CDATA is not closed.')
  else if (open.length === 0) refuse(at, 'CDATA stands outside the one element that holds all.')
  return end
}

/** Declarations and document types: taken where they are plain, and refused whole otherwise. */
const takeDeclaration = (scan: Scan, at: number): number => {
  const { text, refuse, refuseMarks } = scan.skeleton
  const html = scan.dialect === 'html'
  const isDeclaration = text[at + 1] === '?'
  const pattern = isDeclaration ? DECLARATION : html ? HTML_DOCTYPE : XML_DOCTYPE
  const found = match(pattern, text, at)
  const end = found === undefined ? past(text, '>', at) : at + found[0].length
  refuseMarks(at, end, 'A place cannot stand in a declaration.')
  const misplaced = isDeclaration ? html || at !== 0 : !html && (scan.rooted || scan.typed)
  scan.typed ||= !isDeclaration
  if (found === undefined || misplaced) refuse(at, 'This declaration is not taken here.')
  return end
}

const takeEnding = (scan: Scan, at: number): number => {
  const { text, refuse, refuseMarks } = scan.skeleton
  const found = match(ENDING, text, at)
  if (found === undefined) {
    const end = past(text, '>', at)
    refuseMarks(at, end, 'A place cannot stand in an end tag.')
    refuse(at, 'An end tag is written </name>.')
    return end
  }
  const [whole, name = ''] = found
  if (scan.dialect !== 'html' && scan.open.pop() !== name) refuse(at, `</${name}> closes no element that is open.`)
  return at + whole.length
}

/** A tag that is being read. */
interface Tag {
  readonly name: string
  readonly seen: Set<string>
}

/** The value of an attribute, from behind its `=`; undefined when it cannot be read. */
const takeValue = (scan: Scan, at: number, kind: PlaceKind | string): number | undefined => {
  const { text, refuse, refuseMarks } = scan.skeleton
  const quote = text[at]
  if (quote !== '"' && quote !== "'") {
    const bare = scan.dialect === 'html' ? match(BARE, text, at)?.[0].length : undefined
    if (bare === undefined) return undefined
    refuseMarks(at, at + bare, 'A place in an attribute stands between quotes.')
    return at + bare
  }
  const end = text.indexOf(quote, at + 1)
  if (end < 0) return undefined
  const less = text.slice(at, end).indexOf('<')
  if (scan.dialect !== 'html' && less >= 0) refuse(at + less, 'An attribute of XML holds no “<”: write &lt;.')
  inspectReferences(scan, at + 1, end)
  if (kind === 'markup' || kind === 'word') settleMarks(scan, [at + 1, end], kind)
  else refuseMarks(at + 1, end, kind)
  return end + 1
}

/** One attribute, from its name; undefined when it cannot be read. */
const takeAttribute = (scan: Scan, tag: Tag, at: number): number | undefined => {
  const { text, refuse } = scan.skeleton
  const [name] = match(NAME, text, at) ?? []
  if (name === undefined) return undefined
  const known = scan.dialect === 'html' ? name.toLowerCase() : name
  if (tag.seen.has(known)) refuse(at, `The attribute ${name} stands twice.`)
  tag.seen.add(known)
  const equals = match(EQUALS, text, at + name.length)
  if (equals === undefined) return scan.dialect === 'html' ? at + name.length : undefined
  const kind = attributeKind(scan.dialect, tag.name, name)
  const why = `A place cannot stand in the attribute ${name} of <${tag.name}>: no escape is safe there.`
  return takeValue(scan, at + name.length + equals[0].length, kind ?? why)
}

/** The attributes of a tag, from behind its name: where the tag ends, or undefined when it cannot be read. */
const takeAttributes = (scan: Scan, tag: Tag, from: number): number | undefined => {
  const { text } = scan.skeleton
  let at = from
  for (;;) {
    const end = endOf(TAG_END, text, endOf(SPACE, text, at) as number)
    if (end !== undefined) return end
    const begins = endOf(SPACE, text, at) as number
    const after = begins === at ? undefined : takeAttribute(scan, tag, begins)
    if (after === undefined) return undefined
    at = after
  }
}

/** The content of an element without markup, up to its end tag. */
const takeRaw = ({ skeleton: { text, refuse, refuseMarks } }: Scan, name: string, from: number): number => {
  const found = text.indexOf('<', from)
  const end = found < 0 ? text.length : found
  refuseMarks(from, end, `A place cannot stand in <${name}>.`)
  // A “<” inside would be read in one way where the element is raw, and in another where its tag is dropped.
  if (match(ENDING, text, end)?.[1]?.toLowerCase() !== name)
    refuse(end, `Here </${name}> is expected: no “<” before it.`)
  return end
}

const entered = (scan: Scan, name: string, at: number): void => {
  if (scan.open.length === 0 && scan.rooted) scan.skeleton.refuse(at, 'One element holds all: this is a second one.')
  scan.rooted = true
  scan.open.push(name)
}

const takeOpening = (scan: Scan, at: number): number => {
  const { text, refuse, refuseMarks } = scan.skeleton
  const [whole, name] = match(OPENING, text, at) ?? ['', '']
  const end = name === '' ? undefined : takeAttributes(scan, { name, seen: new Set() }, at + whole.length)
  if (end === undefined) {
    const on = past(text, '>', at)
    refuseMarks(at, on, 'A place stands in a tag, outside a quoted value.')
    refuse(at, 'This tag cannot be read: it is written <name attribute="value">, and a sign “<” is &lt;.')
    return Math.max(on, at + 1)
  }
  const known = name.toLowerCase()
  if (scan.dialect === 'html') {
    if (known === 'plaintext') refuse(at, '<plaintext> has no end.')
    return RAW.has(known) ? takeRaw(scan, known, end) : end
  }
  entered(scan, name, at)
  if (text[end - 2] === '/') scan.open.pop()
  return end
}

const takeMarkup = (scan: Scan, at: number): number => {
  const { text } = scan.skeleton
  if (text.startsWith('<!--', at)) return takeComment(scan, at)
  if (text.startsWith('<![CDATA[', at)) return takeCdata(scan, at)
  const sign = text[at + 1]
  if (sign === '!' || sign === '?') return takeDeclaration(scan, at)
  return sign === '/' ? takeEnding(scan, at) : takeOpening(scan, at)
}

/**
 * The places of a template of HTML, SVG or XML: in text, and in quoted attributes that hold no address, code or style.
 * Tags are taken in one strict spelling, in which all readers see the same elements; whatever is written otherwise is
 * refused, and so is a place anywhere else.
 */
export const findMarkupPlaces = (skeleton: Skeleton, dialect: MarkupDialect): void => {
  const { text, refuse } = skeleton
  const scan: Scan = { skeleton, dialect, open: [], rooted: false, typed: false }
  let at = 0
  while (at < text.length) {
    const found = text.indexOf('<', at)
    const end = found < 0 ? text.length : found
    scanText(scan, at, end)
    at = found < 0 ? end : takeMarkup(scan, found)
  }
  if (dialect === 'html') return
  const unclosed = scan.open.at(-1)
  if (unclosed !== undefined) refuse(text.length, `<${unclosed}> is not closed.`)
  else if (!scan.rooted) refuse(text.length, 'One element holds all: there is none.')
}
