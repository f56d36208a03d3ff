import { toBase64 } from '#core/bytes.ts'
import { Ago } from '#ui/part/ago.tsx'
import { FactBox } from '#ui/part/fact.tsx'
import { Short } from '#ui/part/short.tsx'
import type { ListedCheckpoint } from './checkpoint-list.tsx'
import { openPinned, type Pinned } from './trust.ts'

/** The note opened under the pinned key, or why it cannot be. */
const openedOr = (pinned: Pinned, note: string) => {
  try {
    return openPinned(pinned, note)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The present checkpoint: its signature checked here, and who else has signed it. */
export const HeadCard = ({ pinned, head, log }: { pinned: Pinned; head: ListedCheckpoint; log: string }) => {
  const opened = openedOr(pinned, head.note)
  const isGood = typeof opened !== 'string'
  return (
    <section class="card" aria-label="Present checkpoint" data-signature={isGood ? 'ok' : 'failed'}>
      <h3>Present checkpoint</h3>
      <dl class="facts">
        <FactBox name="leaves">{head.size}</FactBox>
        <FactBox name="signed">
          <Ago tick={head.made_tick} />
        </FactBox>
        <FactBox name="root">
          <Short text={isGood ? toBase64(opened.checkpoint.root) : head.root} />
        </FactBox>
        <FactBox name="read paths">
          <a href={`/log/${log}/checkpoint`}>checkpoint</a>
        </FactBox>
      </dl>
      {isGood ? (
        <p>
          <span class="ok-mark" aria-hidden="true">
            ✓
          </span>{' '}
          Signature checked here, under {opened.by}.
        </p>
      ) : (
        <p class="wrong">Signature not good: {opened}</p>
      )}
      {isGood && <Cosigners names={opened.witnesses} />}
    </section>
  )
}

const Cosigners = ({ names }: { readonly names: readonly string[] }) =>
  names.length === 0 ? (
    <p class="about">
      No witness has cosigned it yet. A witness signs that the log only grew; see <a href="#network">Network</a>.
    </p>
  ) : (
    <>
      <p>
        Cosigned by {names.length} {names.length === 1 ? 'witness' : 'witnesses'}, who saw that it only grew:
      </p>
      <ul>
        {names.map((name) => (
          <li key={name} data-witness={name}>
            <code class="wrap">{name}</code>
          </li>
        ))}
      </ul>
    </>
  )
