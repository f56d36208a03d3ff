import { When } from '#ui/part/ago.tsx'
import { Short } from '#ui/part/short.tsx'
import type { EnvelopeSummary } from '#ui/server/answer.ts'
import { figure, valueText, withUnit } from '#ui/text/numbers.ts'
import type { OpenedReceipt } from './opened.ts'

interface Props {
  readonly envelope: EnvelopeSummary
  readonly opened: OpenedReceipt | undefined
  /** Of the solver, for people. */
  readonly title: string
  readonly node: string
}

/** What the node signed, in a sentence or two. */
export const Statement = ({ envelope, opened, title, node }: Props) => {
  const { value, unit, precisionActual } = envelope
  const claim = opened?.bundle.envelope.claim
  const found = value === null ? 'the result below' : withUnit(valueText(value), unit)
  return (
    <section class="card statement" aria-label="What was signed">
      {opened?.bundle.question !== undefined && (
        <p>
          The question was: <q>{opened.bundle.question.query}</q>
        </p>
      )}
      <p>
        This node (<Short text={node} />) computed <b>{title}</b> and found <b>{found}</b>.{' '}
        {claim !== undefined && <>It checked that against {claim.check.against}, </>}
        {claim === undefined ? 'It' : 'and'} measured an error of <b>{figure(precisionActual)} %</b>; nothing above{' '}
        {claim?.check.bound ?? 0.1} % is sealed. It signed this <When {...envelope} />.
      </p>
    </section>
  )
}

/** What a receipt is good for, and what not, in two short lists. */
export const ProvesLists = () => (
  <div class="proves">
    <section class="card" aria-label="What it proves">
      <h3>It proves</h3>
      <ul>
        <li>that the node of this key signed this result for these inputs, made by this program;</li>
        <li>that another way of computing it was compared, and how far the two were apart;</li>
        <li>that it stands in the node’s public log, from which nothing can be taken back unseen.</li>
      </ul>
    </section>
    <section class="card" aria-label="What it does not prove">
      <h3>It does not prove</h3>
      <ul>
        <li>that the equations fit the world: the error is that of the computation;</li>
        <li>when it was, in anyone’s time but the node’s own;</li>
        <li>who runs the node: take its key from somebody you trust.</li>
      </ul>
    </section>
  </div>
)
