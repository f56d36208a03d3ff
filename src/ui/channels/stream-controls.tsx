import { useState } from 'preact/hooks'
import { ConfirmButton } from '#ui/part/confirm-button.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { type ChangeState, useTask } from '#ui/part/use-task.ts'
import { call } from '#ui/server/api.ts'
import { freshName } from '#ui/server/fresh-name.ts'
import { useReading } from '#ui/server/reading.ts'
import { isVisitor } from '#ui/server/self.ts'
import type { PageSession } from '#ui/session.ts'
import type { ShownStream } from './channel.ts'
import { INTERVAL_FIRST, INTERVAL_WORDS, isInterval } from './create-terms.ts'
import { costText } from './stream-facts.tsx'

interface Props {
  readonly session: PageSession
  readonly stream: ShownStream
  /** Reads the stream anew. */
  readonly onDone: () => void
}

/** Credits of whoever looks; they pay where the stream is theirs. */
const useCredits = (session: PageSession, on: unknown) =>
  useReading(
    async (signal) => {
      if (isVisitor(session.self)) return undefined
      return (await session.call('GET /api/credits/status', {}, { signal })).available
    },
    { on: [session, session.self.key, on] },
  ).value

/** Bytes that a sealed tick takes on the disk of the node. */
const useTickBytes = () =>
  useReading(async (signal) => (await call('GET /api/daemon/status', {}, { signal })).storage.growth.bytes_per_tick, {
    on: [],
  }).value

const Autotick = ({ session, stream, task, onDone }: Props & { readonly task: ChangeState }) => {
  const { id, autotick, tickIntervalTicks: interval, price } = stream
  const [typed, type] = useState(autotick ? String(interval) : INTERVAL_FIRST)
  const means = { available: useCredits(session, stream.sealed), tickBytes: useTickBytes() }
  const wanted = Number(typed)
  const fits = isInterval(typed)
  const over = stream.status === 'closed' || task.busy
  const change = (body: { readonly autotick: boolean; readonly tickIntervalTicks?: number }, said: string): void =>
    task.run(async () => {
      await session.call('PATCH /api/svc/streams/{id}', { id, ...body })
      onDone()
      return said
    })
  return (
    <form
      class="inline"
      aria-label="By itself"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (fits && !over) change({ autotick: true, tickIntervalTicks: wanted }, 'It ticks by itself.')
      }}
    >
      <TextRow
        id="stream-interval"
        label="Interval, in mesh ticks"
        inputMode="numeric"
        value={typed}
        aria-invalid={!fits}
        onText={(text) => type(text.trim())}
      />
      <button type="submit" disabled={!fits || over || (autotick && wanted === interval)}>
        {autotick ? 'Change the interval' : 'Let it tick by itself'}
      </button>
      {autotick && (
        <button type="button" disabled={over} onClick={() => change({ autotick: false }, 'It ticks when asked.')}>
          Stop ticking by itself
        </button>
      )}
      <p class={fits ? 'about' : 'about wrong'} data-cost>
        {fits ? costText(price, wanted, means) : INTERVAL_WORDS}
      </p>
    </form>
  )
}

/** Ticks a stream, lets it tick by itself, and closes it. */
export const StreamControls = ({ session, stream, onDone }: Props) => {
  const task = useTask()
  const { id, status } = stream
  const does = (work: () => Promise<string>) => (): void =>
    task.run(async () => {
      try {
        return await work()
      } finally {
        // A refusal is kept with the stream as well.
        onDone()
      }
    })
  const named = () => ({ headers: { 'Idempotency-Key': freshName() } })
  const tick = does(async () => {
    const answer = await session.call('POST /api/svc/streams/{id}/tick', { id }, named())
    session.settled()
    return `Tick ${answer.stream.count} of epoch ${answer.stream.epoch} is sealed.`
  })
  const goOn = does(async () => {
    await session.call('PATCH /api/svc/streams/{id}', { id, status: 'open' })
    return 'It goes on.'
  })
  const close = does(async () => {
    await session.call('POST /api/svc/streams/{id}/close', { id }, named())
    return 'It is closed.'
  })
  return (
    <>
      <div class="actions">
        <button type="button" class="primary" disabled={status === 'closed' || task.busy} onClick={tick}>
          Tick
        </button>
        {(status === 'stopped' || status === 'starved') && (
          <button type="button" disabled={task.busy} onClick={goOn}>
            Let it go on
          </button>
        )}
        <ConfirmButton
          label="Close"
          ask="It takes no ticks any more, and its links open nothing. What it sealed stays."
          disabled={status === 'closed' || task.busy}
          onConfirm={close}
        />
      </div>
      <Autotick session={session} stream={stream} task={task} onDone={onDone} />
      <TaskOutcome of={task} />
    </>
  )
}
