import { useEffect, useRef, useState } from 'preact/hooks'
import { ZID_END_CHARS, zidEnd, zidFault, zidText } from '#core/zid-text.ts'
import { Submit } from '#ui/part/submit.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import type { PageSession } from '#ui/session.ts'
import { MoveCard } from './move-card.tsx'
import { type Selection, sorted } from './selection.ts'
import { SendPreview } from './send-preview.tsx'
import { chosenOrder, type Sending, type SendWish } from './use-send.ts'
import { envelopesText } from './wallet.ts'

/** The node's own bound on one sending. */
const COUNT_MAX = 2_000_000

interface Typed {
  readonly to: string
  readonly end: string
  readonly count: string
  readonly mode: SendWish['kind']
}

const NOTHING: Typed = { to: '', end: '', count: '', mode: 'chosen' }

/** What is wrong with what was typed, by the field that it stands in. */
const faultsOf = ({ to, end, count, mode }: Typed, { zid, chosen }: { zid: string; chosen: number }) => {
  const whom = zidText(to)
  const number = Number(count)
  const fits = /^\d+$/.test(count.trim()) && number >= 1 && number <= COUNT_MAX
  const empty = chosen === 0 ? 'Nothing that can be sent is chosen in the list above.' : undefined
  return {
    to:
      whom === ''
        ? 'Say to whom.'
        : (zidFault(whom) ?? (whom === zid ? 'These envelopes are yours already.' : undefined)),
    end:
      zidText(end) === zidEnd(whom)
        ? undefined
        : `They are not the last ${ZID_END_CHARS} characters of the ZID above: one of the two is wrong.`,
    what: mode === 'count' ? (fits ? undefined : `A whole number from 1 to ${COUNT_MAX}.`) : empty,
  }
}

const Fault = ({ id, text }: { readonly id: string; readonly text: string | undefined }) => (
  <p id={id} class="about wrong" role="status">
    {text}
  </p>
)

interface FormProps {
  readonly session: PageSession
  readonly selection: Selection
  readonly onShow: (order: SendWish, to: string) => void
}

const SendForm = ({ session, selection, onShow }: FormProps) => {
  const [typed, type] = useState<Typed>(NOTHING)
  const [tried, attempt] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const set = (part: Partial<Typed>): void => type((old) => ({ ...old, ...part }))
  const { movable } = sorted(selection)
  const faults = faultsOf(typed, { zid: session.self.zid, chosen: movable.length })
  const { to, end, count, mode } = typed
  const submit = (event: Event): void => {
    event.preventDefault()
    attempt(true)
    const [wrong] = Object.entries(faults).find(([, text]) => text !== undefined) ?? []
    if (wrong === undefined)
      onShow(mode === 'count' ? { kind: 'count', count: Number(count) } : chosenOrder(selection), zidText(to))
    else form.current?.querySelector<HTMLElement>(`[data-field=${wrong}] input:not([disabled])`)?.focus()
  }
  // A field that is not complete yet is no reason to complain.
  const told = (text: string | undefined, ripe: boolean): string | undefined => (tried || ripe ? text : undefined)
  return (
    <form ref={form} onSubmit={submit} aria-label="Send envelopes" noValidate>
      <fieldset class="group" data-field="what">
        <legend>What</legend>
        <label class="check">
          <input type="radio" name="send-what" checked={mode === 'chosen'} onChange={() => set({ mode: 'chosen' })} />
          Those chosen above ({envelopesText(movable.length)} that can be sent)
        </label>
        <label class="check">
          <input type="radio" name="send-what" checked={mode === 'count'} onChange={() => set({ mode: 'count' })} />A
          number of them, drawn at random
        </label>
        {mode === 'count' && (
          <TextRow
            id="send-count"
            label="How many"
            inputMode="numeric"
            autocomplete="off"
            aria-invalid={told(faults.what, count !== '') !== undefined}
            value={count}
            onText={(it) => set({ count: it })}
          />
        )}
        <Fault id="send-what-fault" text={told(faults.what, mode === 'count' && count !== '')} />
      </fieldset>
      <div data-field="to">
        <TextRow
          id="send-to"
          label="To (ZID)"
          autocomplete="off"
          spellcheck={false}
          placeholder="zid1…"
          aria-invalid={told(faults.to, zidText(to).length >= 4) !== undefined}
          value={to}
          onText={(it) => set({ to: it })}
        >
          <Fault id="send-to-fault" text={told(faults.to, zidText(to).length >= 4)} />
        </TextRow>
      </div>
      <div data-field="end">
        <TextRow
          id="send-end"
          label={`Its last ${ZID_END_CHARS} characters, from its owner`}
          size="narrow"
          autocomplete="off"
          spellcheck={false}
          maxLength={ZID_END_CHARS}
          aria-invalid={told(faults.end, zidText(end).length === ZID_END_CHARS) !== undefined}
          value={end}
          onText={(it) => set({ end: it })}
        >
          <p class="about">Read them from the message or the voice that gave you the ZID, not from the field above.</p>
          <Fault id="send-end-fault" text={told(faults.end, zidText(end).length === ZID_END_CHARS)} />
        </TextRow>
      </div>
      <div class="actions">
        <Submit disabled={false}>Preview</Submit>
      </div>
    </form>
  )
}

interface Props extends Pick<FormProps, 'session' | 'selection'> {
  readonly sending: Sending
  /** ZIDs that envelopes moved to or from. */
  readonly met: ReadonlySet<string>
  /** Rises when somebody asks for the form: it then takes the focus. */
  readonly wanted: number
  readonly onStale: () => void
}

/** Sending envelopes: whom, what, a preview, a receipt. */
export const SendPart = ({ session, selection, sending, met, wanted, onStale }: Props) => {
  const { preview, done } = sending
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (wanted === 0) return
    box.current?.scrollIntoView({ block: 'start' })
    box.current?.querySelector<HTMLElement>('#send-to')?.focus({ preventScroll: true })
  }, [wanted])
  return (
    <section ref={box} class="card" aria-label="Send">
      <h3>Send</h3>
      <div hidden={preview !== undefined}>
        <SendForm
          key={done?.op_digest ?? ''}
          session={session}
          selection={selection}
          onShow={(order, to) => sending.show(order, to)}
        />
      </div>
      {preview !== undefined && (
        <SendPreview session={session} sending={sending} known={met.has(preview.to)} onStale={onStale} />
      )}
      {done !== undefined && preview === undefined && <MoveCard session={session} move={done} sent />}
    </section>
  )
}
