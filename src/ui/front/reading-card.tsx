import { spellAddress } from '#ui/address.ts'
import { valueText, waitText, withUnit } from '#ui/text/numbers.ts'
import { Chip } from './chip.tsx'
import { type BoundValue, type BoxQuestion, type Read, replaced, type ShownReading } from './reading.ts'

type Sure = Extract<Read, { readonly kind: 'read' }>

interface Props {
  readonly read: Sure
  readonly asked: BoxQuestion
  readonly onAsked: (asked: BoxQuestion) => void
  readonly busy: boolean
  readonly onRun: () => void
}

/** The kernel operator stands first in every computation and says nothing of which. */
const KERNEL_ID = 'KO42'

const flat = (value: unknown, path: string, into: Record<string, string>): Readonly<Record<string, string>> => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [name, part] of Object.entries(value)) flat(part, path === '' ? name : `${path}.${name}`, into)
  } else if (path !== '') into[path] = typeof value === 'string' ? value : JSON.stringify(value)
  return into
}

/** The page of what a reading goes to, with what was read as its input. */
export const pageOf = ({ solver, operators, input }: ShownReading): string =>
  solver === null
    ? `operators/${operators.find((it) => it !== KERNEL_ID) ?? KERNEL_ID}`
    : spellAddress(`solver/${solver}`, flat(input, '', {}))

/** What a value was taken from: `earth: mass of the Earth, …` is said in full in the tooltip. */
const shortly = (given: unknown): string =>
  String(given)
    .replace(/^[^:]{1,24}: /, '')
    .split(/[,(]/)[0] ?? ''

const textOf = ({ given, from, value, unit }: BoundValue): string => {
  if (from === 'query' || from === 'constants') return String(given)
  return `${typeof value === 'number' ? withUnit(valueText(value), unit) : String(value)}`
}

const Values = ({ read: { reading }, asked, onAsked }: Props) => (
  <>
    {reading.bound.map((it) => {
      const { input: name, value, unit, from, given } = it
      const whole = typeof value === 'number' ? withUnit(valueText(value), unit) : JSON.stringify(value)
      const set = replaced(asked, it, '')
      return set === undefined ? (
        <span key={name} class="chip fixed" data-chip={name} title={`${whole}; change it in the question`}>
          <span class="chip-name">{name}</span> {textOf(it)}
        </span>
      ) : (
        <span key={name}>
          <Chip
            name={name}
            text={textOf(it)}
            unit={unit}
            title={from === 'query' ? whole : `${whole}, from ${String(given)}`}
            onValue={(text) => onAsked(replaced(asked, it, text) ?? asked)}
          />
          {from !== 'query' && from !== 'constants' && <span class="about"> {shortly(given)}</span>}
        </span>
      )
    })}
    {reading.settings.map(({ input, value, because }) => (
      <span key={input} class="chip fixed" data-chip={input} title={`because of “${because}”`}>
        <span class="chip-name">{input}</span> {String(value)}
      </span>
    ))}
  </>
)

/** Inputs that nothing was said of. */
const Defaults = ({ read: { reading }, asked, onAsked }: Props) => {
  const defaults = Object.entries(reading.defaults).filter(([, value]) => ['number', 'string'].includes(typeof value))
  if (defaults.length === 0) return null
  return (
    <details class="defaults">
      <summary>
        {defaults.length} {defaults.length === 1 ? 'input' : 'inputs'} at their usual value
      </summary>
      <div class="chips">
        {defaults.map(([name, value]) => (
          <Chip
            key={name}
            name={name}
            text={String(value)}
            unit=""
            onValue={(text) => onAsked({ ...asked, given: { ...asked.given, [name]: text } })}
          />
        ))}
      </div>
    </details>
  )
}

const priceText = ({ quote: { price, expected_seconds: seconds } }: Sure): string =>
  `${price} credits, about ${seconds < 1 ? 'a second' : waitText(seconds)}`

const Notes = ({ reading: { corrections, unread, because, alternatives } }: { readonly reading: ShownReading }) => (
  <p class="about">
    {because.length > 0 && `because of “${because.slice(0, 3).join('”, “')}”`}
    {corrections.map(({ from, to }) => (
      <span key={from}>
        {' '}
        · “{from}” taken for “{to}”
      </span>
    ))}
    {unread.length > 0 && <span class="wrong"> · not read: {unread.join(', ')}</span>}
    {alternatives.length > 0 && (
      <>
        {' '}
        · or did you mean{' '}
        {alternatives.slice(0, 3).map(({ kind, name, title }, at) => (
          <span key={name}>
            {at > 0 && ', '}
            <a href={`#${kind === 'solver' ? 'solver' : 'operators'}/${name}`}>{title}</a>
          </span>
        ))}
        ?
      </>
    )}
  </p>
)

/** How a question was read: where it goes, a chip for each value, what it costs, and the button that runs it. */
export const ReadingCard = (props: Props) => {
  const { read, busy, onRun } = props
  return (
    <section class="reading" aria-label="How it is read" data-reading={read.reading.route}>
      <p class="reading-head">
        <span class="about">I read</span> <a href={`#${pageOf(read.reading)}`}>{read.reading.title}</a>
      </p>
      <div class="chips">
        <Values {...props} />
      </div>
      <Defaults {...props} />
      <Notes reading={read.reading} />
      <div class="actions">
        <button type="button" class="primary" aria-disabled={busy} onClick={onRun}>
          {busy ? 'Running …' : 'Run'}
        </button>
        <span class="about quote">{priceText(read)}</span>
      </div>
    </section>
  )
}
