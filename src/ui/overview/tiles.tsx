import type { ComponentChildren } from 'preact'
import { Ago } from '#ui/part/ago.tsx'
import { FactBox } from '#ui/part/fact.tsx'
import { useReceiptName } from '#ui/receipt/name.ts'
import type { EnvelopeSummary } from '#ui/server/answer.ts'
import type { RememberedReceipt } from '#ui/server/remembered.ts'
import type { Solvers } from '#ui/server/solvers.ts'
import { bytesText } from '#ui/text/bytes.ts'
import { valueText, waitText, withUnit } from '#ui/text/numbers.ts'
import { MINUTES } from './rate.ts'
import { RateChart } from './rate-chart.tsx'
import { type NodeNow, type OwnNow, ROWS } from './read.ts'

interface TileProps {
  readonly title: string
  /** Where the rest of it is. */
  readonly at: string
  readonly children: ComponentChildren
}

const Tile = ({ title, at, children }: TileProps) => (
  <section class="card tile" aria-label={title}>
    <h3>
      <a href={`#${at}`}>{title}</a>
    </h3>
    {children}
  </section>
)

/** How busy the log is. */
export const Rate = ({ node: { minutes, status } }: { readonly node: NodeNow }) => (
  <Tile title="Sealed a minute" at="log/seal">
    <RateChart minutes={minutes} />
    <p class="about">
      The last {MINUTES} minutes: {minutes.reduce((sum, it) => sum + it, 0)} leaves. The log has{' '}
      {status.log.leaves.toLocaleString('en')}.
    </p>
  </Tile>
)

interface NodeTileProps {
  readonly node: NodeNow
  readonly own: OwnNow | undefined
}

/** Peers, storage, credits. */
export const NodeTile = ({ node: { status }, own }: NodeTileProps) => (
  <Tile title="This node" at="settings">
    <dl class="facts">
      <FactBox name="peers">
        <a href="#network">{status.peers}</a>
      </FactBox>
      <FactBox name="data">
        <a href="#settings">{bytesText(status.storage.used_bytes)}</a>
      </FactBox>
      <FactBox name="free on disk">{bytesText(status.storage.free_bytes)}</FactBox>
      <FactBox name="up for">{waitText(status.uptime_seconds)}</FactBox>
      {own !== undefined && (
        <FactBox name="your credits">
          <a href="#settings">{own.credits.available.toLocaleString('en')}</a>
        </FactBox>
      )}
    </dl>
  </Tile>
)

interface OwnProps {
  readonly own: OwnNow | undefined
  readonly solvers: Solvers
}

/** A solver's title; its own name, and that of operators, as it is. */
const titleIn = (solvers: Solvers, kind: string): string => solvers.find(({ name }) => name === kind)?.title ?? kind

const ReceiptLine = ({ envelope, solvers }: { readonly envelope: EnvelopeSummary; readonly solvers: Solvers }) => {
  const { token_id: token, kind, value, unit, tick } = envelope
  return (
    <li data-token={token}>
      <a href={`#r/${token}`}>{useReceiptName(envelope, titleIn(solvers, kind))}</a>{' '}
      {value !== null && <span class="about">{withUnit(valueText(value), unit)}</span>} <Ago tick={tick} />
    </li>
  )
}

/** The newest receipts of whoever this is. */
export const Receipts = ({ own, solvers }: OwnProps) => (
  <Tile title="Newest receipts" at="envelopes">
    {(own === undefined || own.receipts.envelopes.length === 0) && (
      <p class="about">None yet: ask something above, and its receipt is here.</p>
    )}
    <ul class="rows-plain">
      {own?.receipts.envelopes.map((it) => (
        <ReceiptLine key={it.token_id} envelope={it} solvers={solvers} />
      ))}
    </ul>
  </Tile>
)

/** Computations that go on, or are just over. */
export const Jobs = ({ own, solvers }: OwnProps) => (
  <Tile title="Computations" at="envelopes">
    {(own === undefined || own.jobs.length === 0) && <p class="about">None is running.</p>}
    <ul class="rows-plain">
      {own?.jobs.map(({ id, kind, state, fraction, token_id: token, created_tick: tick }) => (
        <li key={id} data-job={id}>
          <a href={token === null ? `#solver/${kind}` : `#r/${token}`}>{titleIn(solvers, kind)}</a>{' '}
          <span class="badge">{state === 'running' ? `${Math.floor(fraction * 100)} %` : state}</span>{' '}
          <Ago tick={tick} />
        </li>
      ))}
    </ul>
  </Tile>
)

/** Public machines that moved last. */
export const Machines = ({ node: { moved } }: { readonly node: NodeNow }) => (
  <Tile title="Machines that moved" at="machines">
    {moved.length === 0 && <p class="about">No public machine has an entry yet.</p>}
    <ul class="rows-plain">
      {moved.map(({ slug, tickNumber, transitionType }) => (
        <li key={slug}>
          <a href={`#machine/${slug}`}>{slug}</a> <span class="about">{transitionType}</span> <Ago tick={tickNumber} />
        </li>
      ))}
    </ul>
  </Tile>
)

interface RememberedProps {
  readonly all: readonly RememberedReceipt[]
  readonly solvers: Solvers
}

/** What this browser had sealed with demo keys, also with those it no longer has. */
export const RememberedReceipts = ({ all, solvers }: RememberedProps) => (
  <Tile title="Remembered in this browser" at="envelopes">
    <p class="about">Sealed with demo keys. Who has such a link can open the receipt; only this browser keeps them.</p>
    <ul class="rows-plain">
      {all.slice(0, ROWS).map(({ token, nonce, kind, value, unit, tick }) => (
        <li key={token}>
          <a href={`/r/${token}#${nonce}`}>
            {titleIn(solvers, kind)}
            {value !== null && `: ${withUnit(valueText(value), unit)}`}
          </a>{' '}
          <Ago tick={tick} />
        </li>
      ))}
    </ul>
  </Tile>
)
