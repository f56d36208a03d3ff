import { useState } from 'preact/hooks'
import { spellAddress } from '#ui/address.ts'
import { Fact } from '#ui/part/fact.tsx'
import { PlotList } from '#ui/plot/plot-list.tsx'
import { usePlots } from '#ui/plot/use-plots.ts'
import type { EnvelopeSummary } from '#ui/server/answer.ts'
import { ApiProblem } from '#ui/server/api.ts'
import { TICK_MS } from '#ui/server/pulse.ts'
import { useReading } from '#ui/server/reading.ts'
import type { ShownSolver } from '#ui/server/solver.ts'
import type { PageSession } from '#ui/session.ts'
import { figure, withUnit } from '#ui/text/numbers.ts'
import { Headline } from '#ui/view/figures.tsx'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { againAddress } from './again.ts'
import { EnvelopeActions } from './envelope-actions.tsx'
import { type NamedReceipt, readEnvelope } from './evidence.ts'
import { useReceiptName } from './name.ts'
import { type OpenedReceipt, useOpened, useSolverOf } from './opened.ts'
import { ReceiptRows } from './receipt-rows.tsx'
import { ShareCard } from './share-card.tsx'
import { ProvesLists, Statement } from './statement.tsx'

interface ResultProps {
  readonly opened: OpenedReceipt
  readonly solver: ShownSolver | undefined
  readonly envelope: EnvelopeSummary
  /** What the receipt is of. */
  readonly title: string
}

/** The result: its value, what a practitioner reads off it, and its plots. */
const Result = ({ opened, solver, envelope, title }: ResultProps) => {
  const { input, answer } = opened
  const plots = usePlots(envelope.kind, input, answer)
  const members = answer as unknown as Readonly<Record<string, unknown>>
  const headline = (solver?.guide?.headline ?? []).filter(({ member }) => typeof members[member] === 'number')
  const note = `token ${envelope.token_id}, measured error ${figure(envelope.precisionActual)} %`
  return (
    <section class="card result" aria-label="Result">
      <Headline answer={answer} {...(solver !== undefined && { schema: solver.output })} />
      {headline.length > 0 && (
        <dl>
          {headline.map(({ member, label }) => (
            <Fact key={member} name={label}>
              {withUnit(figure(members[member] as number), solver?.output.properties?.[member]?.['x-unit'])}
            </Fact>
          ))}
        </dl>
      )}
      <PlotList
        plots={plots}
        source={{ title, note, stem: [envelope.kind, envelope.token_id] }}
        run={{ name: envelope.kind, input }}
      />
      <p>
        <a href={againAddress(envelope, opened)}>Run it again with other inputs</a>{' '}
        {solver !== undefined && (
          <a href={`#${spellAddress('compare', { a: envelope.token_id })}`}>Compare it with another</a>
        )}
      </p>
    </section>
  )
}

interface Props {
  readonly session: PageSession
  readonly token: string
  /** Opens a receipt that is another's. */
  readonly nonce?: string | undefined
}

const Shown = ({
  envelope,
  session,
  named,
}: { readonly envelope: EnvelopeSummary } & Omit<Props, 'token'> & {
    readonly named: NamedReceipt
  }) => {
  const { value: opened, problem } = useOpened(session, named)
  const solver = useSolverOf(envelope)
  const title = useReceiptName(envelope, solver?.title)
  const claim = opened?.bundle.envelope.claim
  const guest = named.nonce !== undefined
  return (
    <>
      <p class="crumb">
        <a href="#envelopes">All receipts</a>
      </p>
      <h2>{title}: a receipt</h2>
      <Statement envelope={envelope} opened={opened} title={title} node={envelope.log.split('/').at(1) ?? ''} />
      {problem !== undefined && <ProblemCard problem={problem} />}
      {opened !== undefined && <Result {...{ opened, solver, envelope, title }} />}
      <ProvesLists />
      <section class="card receipt" aria-label="Receipt" data-token={envelope.token_id}>
        <h3>Receipt</h3>
        <ReceiptRows envelope={envelope} check={claim?.check} stamp={opened?.bundle.envelope.tick_receipt} />
        <EnvelopeActions envelope={envelope} session={session} nonce={named.nonce} />
      </section>
      <ShareCard key={envelope.token_id} {...{ envelope, session, guest }} nonce={claim?.nonce ?? named.nonce} />
    </>
  )
}

/** The page of one receipt: what was signed, what it looks like, what it proves, and its address to be sent on. */
export const ReceiptPage = ({ session, token, nonce }: Props) => {
  const named = { token, nonce }
  const { zid, key } = session.self
  const [waits, wait] = useState(true)
  const { value: envelope, problem } = useReading(
    async (signal) => {
      const found = await readEnvelope(session, named, signal)
      wait(found.state !== 'final')
      return found
    },
    { on: [session, token, nonce, zid, key], everyMs: waits ? TICK_MS : undefined },
  )
  const absent = problem instanceof ApiProblem && problem.code === 'NOT_FOUND'
  return (
    <article class="receipt-page">
      {envelope !== undefined && <Shown {...{ envelope, session, named }} />}
      {envelope === undefined && absent && (
        <>
          <h2>No receipt here</h2>
          <p class="card" role="alert">
            There is no receipt with this token on this node, or its owner has not opened it to you. If you were sent a
            link, it must be whole, with the part behind <code>#</code>. A file of a receipt can be{' '}
            <a href="#verify">verified</a> without any link.
          </p>
        </>
      )}
      {problem !== undefined && !absent && <ProblemCard problem={problem} />}
    </article>
  )
}
