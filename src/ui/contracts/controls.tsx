import { useRef, useState } from 'preact/hooks'
import type { InputAt, ResultAt } from '#api/result-of.ts'
import type { Json } from '#core/canonical.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import { ConfirmButton } from '#ui/part/confirm-button.tsx'
import { Select } from '#ui/part/select.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import { callOf, jsonOf } from '#ui/server/api.ts'
import { freshName } from '#ui/server/fresh-name.ts'
import type { PageSession } from '#ui/session.ts'
import { sampleData } from './happenings.ts'
import type { ShownContract } from './reads.ts'

interface Props {
  readonly session: PageSession
  readonly contract: ShownContract
  readonly onDone: () => void
}

type Fired = ResultAt<'POST /api/chain/{slug}/contracts/{id}/transition'>

const firedText = ({ row }: Fired): string => {
  const { outcome, no } = row
  const { from, to } = row as unknown as { readonly from?: string; readonly to?: string }
  return from === undefined ? `Row ${no}: ${outcome}.` : `Row ${no}: ${outcome}, ${from} → ${to}.`
}

const FIRE = 'POST /api/chain/{slug}/contracts/{id}/fire-now'
const TRANSITION = 'POST /api/chain/{slug}/contracts/{id}/transition'

/** Asks for a fire under a name of its own: the same words after a break are the same fire. */
const useFire = (session: PageSession) => {
  const last = useRef({ order: '', name: '' })
  return async <R extends typeof FIRE | typeof TRANSITION>(route: R, input: InputAt<R>): Promise<string> => {
    const call = callOf(route, input)
    const order = `${call.path} ${JSON.stringify(call.body)}`
    if (last.current.order !== order) last.current = { order, name: freshName() }
    const headers = { 'Idempotency-Key': last.current.name }
    const fired = await jsonOf<Fired>(await session.request(call, { headers }))
    last.current = { order: '', name: '' }
    return firedText(fired)
  }
}

/** Starts, pauses and ends a contract, and lets it fire now. */
export const Controls = ({ session, contract, onDone }: Props) => {
  const task = useTask()
  const fire = useFire(session)
  const { slug, id, status, next } = contract
  const which = { slug, id }
  const does = (work: () => Promise<string>) => (): void =>
    task.run(async () => {
      const said = await work()
      onDone()
      return said
    })
  const change = (verb: 'pause' | 'resume' | 'freeze' | 'skip-next', said: string) =>
    does(async () => {
      await session.call(`POST /api/chain/{slug}/contracts/{id}/${verb}`, which)
      return said
    })
  if (status === 'frozen') return null
  return (
    <>
      <div class="actions">
        {status === 'paused' && (
          <button type="button" class="primary" disabled={task.busy} onClick={change('resume', 'It is live.')}>
            {contract.paused_by === 'author' ? 'Start' : 'Resume'}
          </button>
        )}
        {status === 'live' && (
          <button type="button" disabled={task.busy} onClick={change('pause', 'It is paused.')}>
            Pause
          </button>
        )}
        <button type="button" disabled={task.busy} onClick={does(() => fire(FIRE, which))}>
          Fire now
        </button>
        {next !== null && (
          <button
            type="button"
            disabled={task.busy || contract.skip !== null}
            onClick={change('skip-next', 'The next due instant is left out.')}
          >
            Skip next
          </button>
        )}
        <ConfirmButton
          label="Freeze"
          ask="It ends for good, and cannot be taken up again."
          disabled={task.busy}
          onConfirm={change('freeze', 'It has ended.')}
        />
      </div>
      <TaskOutcome of={task} />
    </>
  )
}

/** What can be asked for in the present state: transitions, and events that they wait for. */
const choicesIn = ({ definition, state }: ShownContract): readonly string[] => {
  const { transitions } = definition as unknown as Definition
  const out = transitions.filter(({ from, trigger }) => from.includes(state) && trigger.kind !== 'always')
  const events = out.flatMap(({ trigger }) => (trigger.kind === 'event' ? [`event ${trigger.event}`] : []))
  return [...new Set([...events, ...out.map(({ id }) => `transition ${id}`)])]
}

const dataOf = (text: string): Readonly<Record<string, Json>> | undefined => {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text) as Readonly<Record<string, Json>>
  } catch {
    throw new Error('The data are no JSON.')
  }
}

/** Takes a transition by its name, or by an event that this contract alone is told. */
export const TransitionForm = ({ session, contract, onDone }: Props) => {
  const task = useTask()
  const fire = useFire(session)
  const choices = choicesIn(contract)
  const definition = contract.definition as unknown as Definition
  const [wanted, choose] = useState<string>()
  const chosen = wanted !== undefined && choices.includes(wanted) ? wanted : (choices[0] ?? '')
  const [typed, type] = useState<string>()
  const data = typed ?? (chosen.startsWith('event') ? sampleData(definition, chosen) : '')
  if (contract.status === 'frozen' || choices.length === 0) return null
  const submit = (event: Event): void => {
    event.preventDefault()
    task.run(async () => {
      const [kind, name = ''] = chosen.split(' ')
      const members = dataOf(data)
      const said = kind === 'event' ? { event: name } : { transition: name }
      const { slug, id } = contract
      const words = await fire(TRANSITION, {
        slug,
        id,
        ...said,
        ...(members !== undefined && { data: members }),
      } as InputAt<typeof TRANSITION>)
      onDone()
      return words
    })
  }
  return (
    <details class="card">
      <summary>Take a transition by hand</summary>
      <form onSubmit={submit}>
        <div class="form-grid two">
          <div class="form-row">
            <label for="transition-what">What</label>
            <Select
              id="transition-what"
              options={choices}
              value={chosen}
              onChoose={(it) => {
                choose(it)
                type(undefined)
              }}
            />
          </div>
          <TextRow
            id="transition-data"
            label="Data of the event, as JSON"
            spellcheck={false}
            value={data}
            onText={type}
          />
        </div>
        <div class="actions">
          <Submit disabled={task.busy}>Take it</Submit>
        </div>
      </form>
      <TaskOutcome of={task} />
    </details>
  )
}
