import type { JsonSpan } from './json-map.ts'
import type { JudgedText, ShownFault } from './judge.ts'

/** Faults that are listed; the others show once these are gone. */
const ROWS_MAX = 100

interface Props {
  readonly id: string
  readonly judged: JudgedText | undefined
  readonly problem: string | undefined
  readonly onGo: (span: JsonSpan) => void
}

const countText = (count: number): string => (count === 1 ? '1 fault' : `${count} faults`)

const Place = ({
  fault: { line, path, position },
  onGo,
  span,
}: Pick<Props, 'onGo'> & { fault: ShownFault; span: JsonSpan | undefined }) => {
  const where = path === '' ? 'the whole' : path
  const sign = position === undefined ? '' : `, character ${position + 1}`
  if (line === undefined || span === undefined)
    return (
      <code>
        {where}
        {sign}
      </code>
    )
  return (
    <button type="button" class="link" onClick={() => onGo(span)}>
      Line {line}: {where}
      {sign}
    </button>
  )
}

/** Everything that is wrong with a definition, each with a way to its place. */
export const FaultList = ({ id, judged, problem, onGo }: Props) => {
  const { faults = [], earlier = false, contract, text = '' } = judged ?? {}
  return (
    <div id={id} class="fault-list" data-faults={judged === undefined ? undefined : faults.length}>
      <p role="status">
        {problem !== undefined && <span class="wrong">{problem}</span>}
        {problem === undefined && judged === undefined && <span class="about">reading …</span>}
        {judged !== undefined && text.trim() === '' && <span class="about">There is nothing yet.</span>}
        {faults.length > 0 && <b class="wrong">{countText(faults.length)}</b>}
        {contract !== undefined && <b class="right">No fault.</b>}
        {earlier && ' This is of the earlier shape; paths point into what it means now.'}
      </p>
      {faults.length > 0 && (
        <ol class="plain">
          {faults.slice(0, ROWS_MAX).map((it, i) => (
            <li key={`${i} ${it.path} ${it.reason}`}>
              <Place fault={it} span={it.span} onGo={onGo} /> {it.reason}
            </li>
          ))}
        </ol>
      )}
      {faults.length > ROWS_MAX && <p class="about">{faults.length - ROWS_MAX} more are not shown.</p>}
    </div>
  )
}
