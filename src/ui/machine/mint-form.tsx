import { useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import { Select } from '#ui/part/select.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { AccessProps } from './access-props.ts'

type Mint = ResultAt<'GET /api/chain/{slug}/tally/mint-rate'>

const kinds = ['ticks', 'transition'] as const
const words: Readonly<Record<Mint['state'], string>> = {
  off: 'nothing is minted by itself',
  on: 'minted by itself',
  paused: 'waits until the machine is active',
  ceiling: 'ended: no mint of the last rate fits below the ceiling',
}

const wholeOf = (text: string): number => {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new Error(`"${text}" is no whole number above zero.`)
}

interface Props extends AccessProps {
  readonly mint: Mint
}

/** How a token is minted; its machine's owner sets the rate. */
export const MintForm = ({ session, machine, onChange, mint }: Props) => {
  const [amount, count] = useState(String(mint.rate?.amount ?? 1))
  const [every, space] = useState(String(mint.rate?.every ?? 100))
  const [per, choose] = useState<(typeof kinds)[number]>(mint.rate?.per ?? 'ticks')
  const task = useTask()
  const { slug } = machine
  const set = (order: { amount?: number; per?: typeof per; every: number | null }): void =>
    task.run(async () => {
      await session.call('POST /api/chain/{slug}/tally/mint-rate', { slug, ...order })
      onChange()
      return order.every === null ? 'Nothing is minted by itself any more.' : 'The rate stands.'
    })
  const submit = (event: Event): void => {
    event.preventDefault()
    task.run(async () => {
      const order = { slug, amount: wholeOf(amount), per, every: wholeOf(every) }
      await session.call('POST /api/chain/{slug}/tally/mint-rate', order)
      onChange()
      return 'The rate stands.'
    })
  }
  const { rate } = mint
  return (
    <section class="card" aria-label="Mint" data-state={mint.state}>
      <h3>Mint</h3>
      <p>
        {rate !== null && `${rate.amount} units each ${rate.every} ${rate.per === 'ticks' ? 'ticks' : 'fires'} `}
        <span class="about">{words[mint.state]}</span>
      </p>
      {machine.role === 'owner' && (
        <form onSubmit={submit}>
          <TextRow id="mint-amount" label="Units of one mint" inputMode="numeric" value={amount} onText={count} />
          <div class="form-row">
            <label for="mint-per">What mints</label>
            <Select id="mint-per" options={kinds} value={per} onChoose={choose} />
          </div>
          <TextRow id="mint-every" label="Each so many" inputMode="numeric" value={every} onText={space} />
          <div class="actions">
            <Submit disabled={task.busy}>Set the rate</Submit>
            {rate !== null && (
              <button type="button" class="small" disabled={task.busy} onClick={() => set({ every: null })}>
                Stop
              </button>
            )}
          </div>
          <TaskOutcome of={task} />
        </form>
      )}
    </section>
  )
}
