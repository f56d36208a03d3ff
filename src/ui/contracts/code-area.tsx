import type { Ref } from 'preact'
import { useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { JsonSpan } from './json-map.ts'
import type { JudgedText, ShownFault } from './judge.ts'

/** Marks that are drawn over a text. */
const MARKS_MAX = 200
/** Share of the area's height above a line that is jumped to. */
const ABOVE = 0.35

/** What others may ask of the area. */
export interface CodeHandle {
  /** Takes the caret to a piece of the text, and that into view. */
  go(span: JsonSpan): void
}

interface Props {
  readonly id: string
  readonly label: string
  readonly text: string
  readonly judged: JudgedText | undefined
  readonly handle: Ref<CodeHandle>
  readonly onText: (text: string) => void
  /** Id of what says the faults. */
  readonly describedBy: string
}

const firstOfLine = (faults: readonly ShownFault[]): ReadonlyMap<number, ShownFault> =>
  new Map(faults.flatMap((it) => (it.line === undefined ? [] : [[it.line, it] as const])).toReversed())

const Gutter = ({ lines, faults }: { readonly lines: number; readonly faults: ReadonlyMap<number, ShownFault> }) => {
  const flagged = [...faults.keys()].filter((it) => it <= lines).toSorted((a, b) => a - b)
  const run = (from: number, to: number): string =>
    Array.from({ length: Math.max(0, to - from) }, (_, i) => `${from + i}\n`).join('')
  return (
    <>
      {flagged.map((line, i) => [
        run((flagged[i - 1] ?? 0) + 1, line),
        <b key={line} class="wrong" title={faults.get(line)?.reason}>
          {line}
          {'\n'}
        </b>,
      ])}
      {run((flagged.at(-1) ?? 0) + 1, lines + 1)}
    </>
  )
}

/** A piece of the text to be marked, or what is said behind a line. */
type Mark = { readonly at: number; readonly to: number; readonly said?: string }

const marksOf = ({ text, faults }: JudgedText): readonly Mark[] => {
  const placed = faults.filter((it) => it.span !== undefined).slice(0, MARKS_MAX)
  const said = [...firstOfLine(placed)].map(([, { reason, span = { from: 0, to: 0 } }]): Mark => {
    const end = text.indexOf('\n', span.from)
    const at = end === -1 ? text.length : end
    return { at, to: at, said: reason }
  })
  const spans = placed.map(({ span }): Mark => ({ at: span?.from ?? 0, to: span?.to ?? 0 }))
  return [...spans, ...said].toSorted((a, b) => a.at - b.at || a.to - b.to)
}

/** The same text, unseen, with what is wrong in it marked, and said behind its line. */
const Marks = ({ judged }: { readonly judged: JudgedText }) => {
  const pieces: preact.ComponentChild[] = []
  let at = 0
  for (const mark of marksOf(judged)) {
    if (mark.at < at) continue
    pieces.push(judged.text.slice(at, mark.at))
    if (mark.said === undefined) pieces.push(<mark>{judged.text.slice(mark.at, mark.to)}</mark>)
    else pieces.push(<i>{mark.said}</i>)
    at = mark.to
  }
  return (
    <>
      {pieces}
      {judged.text.slice(at)}
    </>
  )
}

/** A text with numbers to its lines, whose faults are marked where they stand. */
export const CodeArea = ({ id, label, text, judged, handle, onText, describedBy }: Props) => {
  const area = useRef<HTMLTextAreaElement>(null)
  const gutter = useRef<HTMLPreElement>(null)
  const marks = useRef<HTMLPreElement>(null)
  const lines = useMemo(() => text.split('\n').length, [text])
  const faults = useMemo(() => firstOfLine(judged?.faults ?? []), [judged])
  const fresh = judged?.text === text
  const follow = (): void => {
    const { scrollLeft = 0, scrollTop = 0 } = area.current ?? {}
    if (gutter.current !== null) gutter.current.scrollTop = scrollTop
    if (marks.current !== null) marks.current.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`
  }
  useLayoutEffect(follow, [fresh, lines])
  useImperativeHandle(
    handle,
    () => ({
      go: ({ from, to }) => {
        const { current } = area
        if (current === null) return
        const line = current.value.slice(0, from).split('\n').length - 1
        const height = Number.parseFloat(getComputedStyle(current).lineHeight)
        current.focus({ preventScroll: true })
        current.setSelectionRange(from, to)
        current.scrollTop = line * height - current.clientHeight * ABOVE
        current.scrollLeft = 0
        current.scrollIntoView({ block: 'nearest' })
        follow()
      },
    }),
    [],
  )
  return (
    <div class="code-area">
      <pre ref={gutter} class="code-gutter" aria-hidden="true">
        <Gutter lines={lines} faults={faults} />
      </pre>
      <div class="code-body">
        {fresh && (
          <pre ref={marks} class="code-marks" aria-hidden="true">
            <Marks judged={judged} />
          </pre>
        )}
        <textarea
          ref={area}
          id={id}
          aria-label={label}
          aria-describedby={describedBy}
          aria-invalid={fresh && judged.faults.length > 0}
          wrap="off"
          spellcheck={false}
          autocapitalize="off"
          value={text}
          onScroll={follow}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      </div>
    </div>
  )
}
