import { useState } from 'preact/hooks'
import type { TokenVerification } from '#core/token/verify.ts'
import { MeshTime, When } from '#ui/part/ago.tsx'
import { Fact } from '#ui/part/fact.tsx'
import { Short } from '#ui/part/short.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { useTask } from '#ui/part/use-task.ts'
import { Verdict } from '#ui/part/verdict.tsx'
import { download } from '#ui/receipt/evidence.ts'
import { StateBadge } from '#ui/receipt/state-badge.tsx'
import { TICK_MS } from '#ui/server/pulse.ts'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { checkMove } from './use-checked.ts'
import { envelopesText, homeText, type MoveItem } from './wallet.ts'

/** What an op did, in words of whoever sees it. */
export const deedText = ({ op, direction, count, ref }: MoveItem): string => {
  const what = envelopesText(count)
  if (op === 'transfer' || op === 'redeem') {
    if (direction === 'in') return `${what} came${op === 'redeem' ? ' by a package' : ''}`
    return `${what} ${op === 'redeem' ? 'left by a package' : 'sent'}`
  }
  const words = { lock: 'locked', unlock: 'unlocked', bearer: 'put into a package', reclaim: 'taken back' } as const
  return `${what} ${words[op]}${ref === null || op === 'bearer' || op === 'reclaim' ? '' : ` (${ref})`}`
}

/** Where a leaf of a log of this node is seen in the page. */
const leafAddress = ({ log, index }: MoveItem, { vkey }: PageSession): string | undefined =>
  vkey.startsWith(`${log}+`) ? `#log/seal/leaf/${index}` : undefined

/** The move whole, with its list and its proof, as soon as a checkpoint holds it. */
const useWhole = (session: PageSession, { op_digest }: MoveItem) => {
  const [waits, wait] = useState(true)
  return useReading(
    async (signal) => {
      const whole = await session.call('GET /api/tally/moves/{op_digest}', { op_digest }, { signal })
      wait(whole.state !== 'final')
      return whole
    },
    { everyMs: waits ? TICK_MS : undefined, on: [session, op_digest] },
  )
}

interface Props {
  readonly session: PageSession
  readonly move: MoveItem
  /** Whether it was made just now, here. */
  readonly sent?: true
}

/** One move with its receipt: what it says, saved as a file, verified here. */
export const MoveCard = ({ session, move, sent }: Props) => {
  const { value } = useWhole(session, move)
  const [found, show] = useState<TokenVerification>()
  const task = useTask()
  const it = value ?? move
  const leaf = leafAddress(it, session)
  const save = (): void =>
    task.run(async () => {
      const whole = await session.call('GET /api/tally/moves/{op_digest}', { op_digest: move.op_digest })
      const name = `move-${move.op_digest.slice(0, 16)}.json`
      download(name, new Blob([JSON.stringify(whole.receipt)], { type: 'application/json' }))
      return `Saved as ${name}.`
    })
  return (
    <section class="wallet-move" aria-label={`Receipt: ${deedText(it)}`} data-move={it.op_digest} data-state={it.state}>
      {sent === true && (
        <p role="status">
          <b>Done.</b> {deedText(it)}; this is the receipt.
        </p>
      )}
      <dl>
        <Fact name="weight">{it.weight}</Fact>
        {it.to !== null && (
          <>
            <Fact name="from">
              <code>{it.from}</code>
            </Fact>
            <Fact name="to">
              <code>{it.to}</code>
            </Fact>
          </>
        )}
        {it.until !== null && (
          <Fact name="until">
            <MeshTime tick={it.until} />
          </Fact>
        )}
        <Fact name="when">
          <When log={it.log} tick={it.tick} phase={0} />
        </Fact>
        <Fact name="home">{homeText(it.home, session)}</Fact>
        <Fact name="state">
          <StateBadge state={it.state} /> leaf {leaf === undefined ? it.index : <a href={leaf}>{it.index}</a>} of its
          log
        </Fact>
        <Fact name="op">
          <Short text={it.op_digest} />
        </Fact>
      </dl>
      <div class="actions">
        <button type="button" onClick={() => show(checkMove(it, session))}>
          Verify here
        </button>
        <button type="button" onClick={save}>
          Download
        </button>
      </div>
      <TaskOutcome of={task} />
      {found !== undefined && <Verdict of={found} subject={deedText(it)} />}
    </section>
  )
}
