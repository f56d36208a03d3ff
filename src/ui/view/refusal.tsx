import { useEffect, useRef } from 'preact/hooks'
import { type Changes, ProblemWords, problemCode, type Units } from './problem-card.tsx'

interface Props {
  /** Its id: the fields that it is about say that it describes them. */
  readonly id: string
  readonly problem: Error
  /** Whether nothing ran yet: it is then said calmly, and takes no focus. */
  readonly before: boolean
  readonly units?: Units
  /** Inputs that it is about, by their names. */
  readonly fields?: readonly string[]
  readonly onUse?: (changes: Changes) => void
  readonly onRun?: (changes: Changes) => void
  readonly children?: preact.ComponentChildren
}

/** Puts the focus into the control of an input of the form that `from` stands in, and opens what it is folded in. */
const goTo = (from: HTMLElement, name: string): void => {
  const row = from.closest('form')?.querySelector(`[data-field="${CSS.escape(name)}"]`)
  for (let at = row?.closest('details'); at !== null && at !== undefined; at = at.parentElement?.closest('details')) {
    at.open = true
  }
  row?.querySelector<HTMLElement>('input, select, textarea')?.focus()
}

/** A refusal where the eye is: below the button that ran into it. One of a run takes the focus, and is read out. */
export const Refusal = ({ id, problem, before, fields = [], children, ...rest }: Props) => {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (before) return
    box.current?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [problem, before])
  return (
    <div
      ref={box}
      id={id}
      class={before ? 'problem calm' : 'problem'}
      role={before ? 'status' : 'alert'}
      tabIndex={-1}
      data-code={problemCode(problem)}
    >
      <ProblemWords problem={problem} before={before} {...rest}>
        {fields.map((name) => (
          <button key={name} type="button" class="link" onClick={(event) => goTo(event.currentTarget, name)}>
            Go to {name}
          </button>
        ))}
        {children}
      </ProblemWords>
    </div>
  )
}
