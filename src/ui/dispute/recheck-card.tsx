import { Fact } from '#ui/part/fact.tsx'
import { Short } from '#ui/part/short.tsx'
import { Steps } from '#ui/part/verdict.tsx'
import type { Rechecking, ShownDispute } from './use-recheck.ts'
import { useRecheck } from './use-recheck.ts'
import { foundWords } from './words.ts'

/** What the check found, and each thing that it looked at. */
const Found = ({ of: { found } }: { readonly of: Rechecking }) => {
  if (found === undefined) return null
  const digests = [
    ['this browser', found.recomputed],
    ['the worker', found.claimed],
    ['the challenger', found.own],
  ] as const
  return (
    <div
      class={`verdict ${found.outcome === 'unchecked' ? 'unchecked' : 'verified'}`}
      role="status"
      data-found={found.outcome}
    >
      <p class="verdict-line">{foundWords[found.outcome]}</p>
      <dl>
        {digests.map(([who, digest]) => (
          <Fact key={who} name={who}>
            {digest === null ? 'none' : <Short text={digest} />}
          </Fact>
        ))}
      </dl>
      <Steps of={found.steps} />
    </div>
  )
}

/** The disputed part, run again in this browser: who asks need not believe the node. */
export const RecheckCard = ({ dispute }: { readonly dispute: ShownDispute }) => {
  const check = useRecheck(dispute)
  return (
    <section class="card" aria-label="Check it yourself">
      <h3>Check it yourself</h3>
      <p class="about">
        This browser checks what was signed and runs the disputed part again, bit for bit. No server is asked; the
        solvers are loaded once, about 1 MB.
      </p>
      <div class="actions">
        {check.share === undefined ? (
          <button type="button" class="primary" onClick={check.start}>
            {check.found === undefined ? 'Check it here' : 'Check it again'}
          </button>
        ) : (
          <button type="button" onClick={check.stop}>
            Stop
          </button>
        )}
      </div>
      {check.share !== undefined && <progress value={check.share} max={1} aria-label="run in this browser" />}
      {check.problem !== undefined && (
        <p class="wrong" role="alert">
          {check.problem}
        </p>
      )}
      <Found of={check} />
    </section>
  )
}
