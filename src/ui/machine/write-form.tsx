import { useRef, useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import type { Json } from '#core/canonical.ts'
import type { Outgoing } from '#core/route.ts'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import { callOf, jsonOf } from '#ui/server/api.ts'
import { freshName } from '#ui/server/fresh-name.ts'
import type { PageSession } from '#ui/session.ts'
import type { Machine } from './machine.ts'

type Kind = 'event' | 'state'

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new Error('This is not JSON.')
  }
}

interface Typed {
  readonly kind: Kind
  readonly name: string
  readonly json: string
  readonly note: string
}

/** What both answer. */
type Written = ResultAt<'POST /api/chain/{slug}/event' | 'POST /api/chain/{slug}/state'>

/** The call that writes it. Of a state only the hash leaves this browser. @throws Error, Fault NOT_CANONICAL */
const callOfEntry = async (slug: string, { kind, name, json, note }: Typed): Promise<Outgoing> => {
  if (kind === 'state') {
    const { stateHash } = await import('./state-hash.ts')
    return callOf('POST /api/chain/{slug}/state', { slug, state_hash: stateHash(parsed(json)) })
  }
  return callOf('POST /api/chain/{slug}/event', {
    slug,
    ...(name.trim() !== '' && { type: name.trim() }),
    ...(json.trim() !== '' && { payload: parsed(json) }),
    ...(note.trim() !== '' && { note: note.trim() }),
  })
}

const EventFields = ({ typed, onType }: { readonly typed: Typed; readonly onType: (part: Partial<Typed>) => void }) => (
  <>
    <TextRow
      id="event-name"
      label="Name"
      maxLength={64}
      placeholder="event"
      value={typed.name}
      onText={(name) => onType({ name })}
    />
    <TextRow
      id="event-note"
      label="Note"
      maxLength={1024}
      placeholder="sealed, for the owner alone"
      value={typed.note}
      onText={(note) => onType({ note })}
    />
  </>
)

const JsonField = ({ typed, onType }: { readonly typed: Typed; readonly onType: (part: Partial<Typed>) => void }) => (
  <div class="form-row wide">
    <label for="event-json">{typed.kind === 'event' ? 'Payload' : 'State'}</label>
    <textarea
      id="event-json"
      rows={3}
      spellcheck={false}
      placeholder={typed.kind === 'event' ? '{"pressure_Pa": 101325}' : '{"valve": "open"}'}
      value={typed.json}
      onInput={(event) => onType({ json: event.currentTarget.value })}
    />
    <p class="about">
      {typed.kind === 'event'
        ? 'JSON, if any. The node hashes it and keeps the hash; the payload itself is not kept.'
        : 'JSON. It is hashed here, SHA-256 of its canonical form, and only the hash is sent.'}
    </p>
  </div>
)

/** Writes an event or a state into a machine's chain. */
export const WriteForm = ({ session, machine }: { readonly session: PageSession; readonly machine: Machine }) => {
  const [typed, type] = useState<Typed>({ kind: 'event', name: '', json: '', note: '' })
  const task = useTask()
  // The same words after a break are the same entry: they go under the name that they went under before.
  const last = useRef({ order: '', name: '' })
  const change = (part: Partial<Typed>): void => type((old) => ({ ...old, ...part }))
  const submit = (event: Event): void => {
    event.preventDefault()
    task.run(async () => {
      const call = await callOfEntry(machine.slug, typed)
      const order = `${call.path} ${JSON.stringify(call.body)}`
      if (last.current.order !== order) last.current = { order, name: freshName() }
      const headers = { 'Idempotency-Key': last.current.name }
      const { seq } = await jsonOf<Written>(await session.request(call, { headers }))
      last.current = { order: '', name: '' }
      change({ json: '', note: '' })
      return `Written as entry ${seq}.`
    })
  }
  const idle = machine.status !== 'active'
  return (
    <details class="card write">
      <summary>Write to the chain</summary>
      {idle && <p class="about">The machine is {machine.status}: it takes no entries until it is active again.</p>}
      <form onSubmit={submit}>
        <fieldset class="choices">
          <legend class="unseen">What to write</legend>
          {(['event', 'state'] as const).map((kind) => (
            <label key={kind}>
              <input type="radio" name="write" checked={kind === typed.kind} onChange={() => change({ kind })} />
              {kind === 'event' ? 'an event' : 'a state'}
            </label>
          ))}
        </fieldset>
        <div class="form-grid two">
          {typed.kind === 'event' && <EventFields typed={typed} onType={change} />}
          <JsonField typed={typed} onType={change} />
        </div>
        <div class="actions">
          <Submit disabled={task.busy || idle}>Write</Submit>
        </div>
      </form>
      <TaskOutcome of={task} />
    </details>
  )
}
