import { useState } from 'preact/hooks'
import { lazyPart } from '#ui/part/arriving.tsx'
import { useReading } from '#ui/server/reading.ts'
import { unitText } from '#ui/text/numbers.ts'
import { altered, changedDigit, readWorked, type Worked } from './worked.ts'

const Verification = lazyPart('The verifier', async () => (await import('./proof-steps.tsx')).ProofSteps)

/** The value, with the changed digit marked. */
const Value = ({ worked, changed }: { readonly worked: Worked; readonly changed: boolean }) => {
  const { value, unit } = worked.bundle.envelope.claim
  const { text, at } = changedDigit(value)
  const shown = changed ? text : String(value)
  return (
    <p class="proof-value" data-value={shown}>
      {shown.slice(0, at)}
      {changed ? <mark>{shown[at]}</mark> : shown[at]}
      {shown.slice(at + 1)} {unitText(unit)}
    </p>
  )
}

const Shown = ({ worked }: { readonly worked: Worked }) => {
  const [which, choose] = useState<'none' | 'genuine' | 'changed'>('none')
  const [times, count] = useState(0)
  const start = (it: 'genuine' | 'changed'): void => {
    choose(it)
    count((old) => old + 1)
  }
  const { bundle, trusted } = worked
  return (
    <>
      <p class="about">
        A question asked of another node: <b>{worked.question}</b>
      </p>
      <Value worked={worked} changed={which === 'changed'} />
      <div class="actions">
        <button type="button" class={which === 'none' ? 'primary' : undefined} onClick={() => start('genuine')}>
          Verify it here
        </button>
        <button type="button" onClick={() => start('changed')}>
          Change one digit
        </button>
      </div>
      {which === 'none' ? (
        <p class="about">
          This browser checks the signature, the place in the log and the question, and computes the value again, bit
          for bit. No server is asked; the verifier is loaded once, about 1 MB.
        </p>
      ) : (
        <Verification
          key={times}
          bundle={which === 'changed' ? altered(bundle) : bundle}
          trusted={trusted}
          about={
            which === 'changed'
              ? 'One digit of the value was changed here. The signature is over every byte: it does not hold.'
              : undefined
          }
        />
      )}
    </>
  )
}

/** A worked receipt: verified here, and again with one digit changed. */
export const ProofCard = () => {
  const { value: worked, problem } = useReading(readWorked, { on: [] })
  return (
    <section class="card proof" aria-label="A worked receipt">
      <h3>See what a receipt proves</h3>
      {worked !== undefined && <Shown worked={worked} />}
      {worked === undefined && <p class="about">{problem === undefined ? 'reading …' : problem.message}</p>}
    </section>
  )
}
