import { useState } from 'preact/hooks'
import { TextRow } from '#ui/part/text-row.tsx'
import { unitText } from '#ui/text/numbers.ts'
import { Chip } from './chip.tsx'
import type { BoxQuestion, OfferedChoice, Read } from './reading.ts'

type Asks = Extract<Read, { readonly kind: 'asks' }>

interface ChoiceProps {
  readonly choice: OfferedChoice
  readonly busy: boolean
  readonly onRun: (choice: OfferedChoice, input: object) => void
}

const inputsOf = ({ input }: OfferedChoice): Readonly<Record<string, unknown>> =>
  (input['inputs'] ?? {}) as Readonly<Record<string, unknown>>

const numberOr = (text: string): string | number => (Number.isFinite(Number(text)) ? Number(text) : text)

/** A call that the question may stand for: what it lacks can be filled in, and then it runs. */
const OneChoice = ({ choice, busy, onRun }: ChoiceProps) => {
  const { title, name, kind, reads, assumed, leaves, missing } = choice
  const [texts, type] = useState<Readonly<Record<string, string>>>({})
  const lacks = missing.some(({ symbol }) => (texts[symbol] ?? '').trim() === '')
  const run = (event: Event): void => {
    event.preventDefault()
    if (lacks || busy) return
    const filled = Object.fromEntries(missing.map(({ symbol }) => [symbol, numberOr((texts[symbol] ?? '').trim())]))
    const inputs = { ...inputsOf(choice), ...filled }
    onRun(choice, missing.length === 0 ? choice.input : { ...choice.input, inputs })
  }
  return (
    <li data-choice={name}>
      <form onSubmit={run} noValidate>
        <p>
          <a href={`#${kind === 'solver' ? 'solver' : 'operators'}/${name}`}>{title}</a>{' '}
          <span class="about">{reads}</span>
        </p>
        {assumed.length > 0 && <p class="about">taking {assumed.join('; ')}</p>}
        {leaves.length > 0 && <p class="about">leaving out {leaves.map((it) => `“${it}”`).join(', ')}</p>}
        <div class="inline">
          {missing.map(({ symbol, name: what, unit }) => (
            <TextRow
              key={symbol}
              id={`choice-${name}-${symbol}`}
              label={`${symbol}, ${what}`}
              placeholder={`value${unit === '1' || unit === '' ? '' : `, e.g. 1 ${unitText(unit)}`}`}
              autocomplete="off"
              value={texts[symbol] ?? ''}
              onText={(text) => type((old) => ({ ...old, [symbol]: text }))}
            />
          ))}
          <button type="submit" aria-disabled={lacks || busy}>
            Run this
          </button>
        </div>
      </form>
    </li>
  )
}

interface Props extends Pick<ChoiceProps, 'busy' | 'onRun'> {
  readonly read: Asks
  readonly asked: BoxQuestion
  readonly onAsked: (asked: BoxQuestion) => void
}

/** What a question that is asked back may mean: choices ready to run, what is missing, and what is near. */
export const Choices = ({ read: { why, choices, missing, near }, asked, onAsked, busy, onRun }: Props) => (
  <section class="reading" aria-label="What may be meant">
    <p>{why}</p>
    {missing.length > 0 && (
      <div class="chips">
        {missing.map(({ symbol, name, unit }) => (
          <Chip
            key={symbol}
            empty
            name={symbol}
            text=""
            unit={unit}
            title={name}
            onValue={(text) => onAsked({ ...asked, given: { ...asked.given, [symbol]: text } })}
          />
        ))}
      </div>
    )}
    {choices.length > 0 && (
      <ul class="plain choice-list">
        {choices.map((it) => (
          <OneChoice key={it.name} choice={it} busy={busy} onRun={onRun} />
        ))}
      </ul>
    )}
    {choices.length === 0 && near.length > 0 && (
      <p>
        Near are{' '}
        {near.map(({ kind, name, title }, at) => (
          <span key={name}>
            {at > 0 && ', '}
            <a href={`#${kind === 'solver' ? 'solver' : 'operators'}/${name}`}>{title}</a>
          </span>
        ))}
        .
      </p>
    )}
  </section>
)
