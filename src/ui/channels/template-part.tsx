import { useMemo, useRef, useState } from 'preact/hooks'
import { type FillingType, fillingTypes } from '#core/template/place.ts'
import { CodeArea, type CodeHandle } from '#ui/contracts/code-area.tsx'
import { useSettled } from '#ui/front/use-settled.ts'
import { Select } from '#ui/part/select.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { PageSession } from '#ui/session.ts'
import type { ShownStream } from './channel.ts'
import { filledFrom, type JudgedTemplate, judgeTemplate, typeOf } from './template-judge.ts'
import type { StreamOutput } from './use-stream.ts'

/** A text is looked at once nothing was typed for this long. */
const SETTLE_MS = 150

/** What a stream without a template begins with. */
const FIRST = '{{value|fixed:3}} {{unit}}\n'

interface OutputProps extends StreamOutput {
  readonly label: string
}

const pictureOf = (text: string): string =>
  `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text.toWellFormed())}`

/**
 * An output as it looks. A picture is one: it runs and loads nothing. A page stands in a frame without an origin in
 * which nothing runs, and which has the policy of this page, so that its styles do not hold. All else is text.
 */
export const OutputView = ({ label, contentType, text }: OutputProps) => {
  if (contentType === 'image/svg+xml') return <img class="output" alt={label} src={pictureOf(text)} />
  if (contentType === 'text/html') {
    return (
      <>
        <iframe class="output" title={label} sandbox="" srcdoc={text} />
        <p class="about">Its own styles hold where a link opens it, and not in this frame.</p>
      </>
    )
  }
  return <textarea class="output" aria-label={label} readOnly rows={6} spellcheck={false} value={text} />
}

const Faults = ({ of, onGo }: { readonly of: JudgedTemplate; readonly onGo: CodeHandle['go'] }) => (
  <div id="stream-template-faults" class="fault-list" data-faults={of.faults.length}>
    <p role="status">
      {of.faults.length === 0 ? (
        <b class="right">No fault.</b>
      ) : (
        <b class="wrong">{of.faults.length === 1 ? '1 fault' : `${of.faults.length} faults`}</b>
      )}
    </p>
    {of.faults.length > 0 && (
      <ol class="plain">
        {of.faults.map(({ line, column, reason, span }) => (
          <li key={`${line} ${column} ${reason}`}>
            <button type="button" class="link" onClick={() => span !== undefined && onGo(span)}>
              Line {line}, column {column}
            </button>{' '}
            {reason}
          </li>
        ))}
      </ol>
    )}
  </div>
)

interface Props {
  readonly session: PageSession
  readonly stream: ShownStream
  readonly output: StreamOutput | undefined
  readonly onDone: () => void
}

/** What the text that stands in the editor makes of the newest tick. */
const Sample = ({ of, type, stream, output }: Omit<Props, 'session' | 'onDone'> & SampleOf) => {
  const { parsed } = of
  if (stream.head === null) return <p class="about">There is no tick yet that could be shown.</p>
  if (parsed === undefined) return <p class="about">A template with faults shows nothing.</p>
  const isSaved = stream.outputFormat === 'template' && stream.template === of.judged.text
  if (isSaved && stream.contentType === type && output !== undefined) return <OutputView {...output} label="preview" />
  const filled = filledFrom(parsed, { stream, head: stream.head, output })
  if ('wrong' in filled)
    return filled.wrong.map((it) => (
      <p key={it} class="wrong">
        {it}
      </p>
    ))
  return <OutputView contentType={type} text={filled.text} label="preview" />
}

interface SampleOf {
  readonly of: JudgedTemplate
  readonly type: FillingType
}

/** Writes the template of a stream: faults show at their lines while it is typed; the newest tick is tried on it. */
export const TemplatePart = ({ session, stream, output, onDone }: Props) => {
  const [text, write] = useState(stream.template ?? FIRST)
  const [type, choose] = useState(typeOf(stream))
  const task = useTask()
  const area = useRef<CodeHandle>(null)
  const settled = useSettled(text, SETTLE_MS)
  const of = useMemo(() => judgeTemplate(settled, type), [settled, type])
  const change = (said: string, body: object) =>
    task.run(async () => {
      await session.call('PATCH /api/svc/streams/{id}', { id: stream.id, ...body })
      onDone()
      return said
    })
  return (
    <section class="card contracts" aria-label="Template">
      <h3>Template</h3>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (judgeTemplate(text, type).parsed === undefined) return
          change('Saved.', { outputFormat: 'template', contentType: type, template: text })
        }}
      >
        <div class="form-row">
          <label for="stream-type">Type of the output</label>
          <Select id="stream-type" options={fillingTypes} value={type} onChoose={choose} />
        </div>
        <CodeArea
          id="stream-template"
          label="Template"
          text={text}
          judged={of.judged}
          handle={area}
          onText={write}
          describedBy="stream-template-faults"
        />
        <Faults of={of} onGo={(span) => area.current?.go(span)} />
        <div class="actions">
          <Submit disabled={of.faults.length > 0 || task.busy || stream.status === 'closed'}>Save the template</Submit>
          {stream.outputFormat === 'template' && (
            <button type="button" onClick={() => change('Its output is JSON.', { outputFormat: 'json' })}>
              Show JSON again
            </button>
          )}
        </div>
        <TaskOutcome of={task} />
      </form>
      <h4>Preview</h4>
      <Sample of={of} type={type} stream={stream} output={output} />
    </section>
  )
}
