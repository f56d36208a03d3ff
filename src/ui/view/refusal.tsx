import { useEffect, useRef } from 'preact/hooks'
import { goToField } from '#ui/form/go-to-field.ts'
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
          <button key={name} type="button" class="link" onClick={(event) => goToField(event.currentTarget, name)}>
            Go to {name}
          </button>
        ))}
        {children}
      </ProblemWords>
    </div>
  )
}
