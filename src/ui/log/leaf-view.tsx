import { Ago } from '#ui/part/ago.tsx'
import { Fact } from '#ui/part/fact.tsx'
import { Verdict } from '#ui/part/verdict.tsx'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { checkLeaf, type LeafCheck } from './check-leaf.ts'
import { holds, type LeafRow } from './leaf-list.tsx'
import { PathSteps, PathTree } from './path-tree.tsx'
import { nameOf, spellPlace } from './place.ts'
import { SearchBox } from './search-box.tsx'

/** How often a leaf is asked for that is not under a checkpoint yet. */
const READ_EVERY_MS = 1_000

interface Props {
  readonly session: PageSession
  readonly log: string
  readonly index: number
}

const About = ({ leaf, log }: { readonly leaf: LeafRow; readonly log: string }) => (
  <section class="card" aria-label="What the log shows">
    <dl>
      <Fact name="holds">
        {holds(leaf)}
        {leaf.type === null && (
          <span class="about"> — the log shows its place, its hash and its time, and nothing else of it</span>
        )}
        {leaf.token_id !== null && (
          <>
            {' '}
            <a href={`/r/${leaf.token_id}`}>open the receipt</a>
          </>
        )}
      </Fact>
      <Fact name="when">
        <Ago tick={leaf.tick} />,{' '}
        <a href={`#${spellPlace({ show: 'tick', log, number: leaf.tick })}`}>tick {leaf.tick}</a>
      </Fact>
      <Fact name="leaf hash">
        <code class="wrap">{leaf.hash}</code>
      </Fact>
      {leaf.token_id !== null && (
        <Fact name="token">
          <code class="wrap">{leaf.token_id}</code>
        </Fact>
      )}
    </dl>
  </section>
)

/** An event as it stands in its leaf, behind the purpose. */
const Entry = ({ text }: { readonly text: string }) => {
  const [purpose = '', body = ''] = text.split('\n', 2)
  return (
    <section class="card" aria-label="Entry">
      <h3>Entry</h3>
      <p class="about">
        What the leaf hash is of: <code>{purpose}</code>, a line feed, and
      </p>
      <pre class="log-entry">{body}</pre>
    </section>
  )
}

const Way = ({ index, check }: { readonly index: number; readonly check: LeafCheck }) => (
  <section class="card" aria-label="The way to the root">
    <h3>The way to the root</h3>
    <p>
      Each pair of hashes gives the one above it. Beside each sibling stands what it covers, and the tile that this
      browser took it from.
    </p>
    <PathTree index={index} of={check} />
    <details>
      <summary>Each step in words</summary>
      <PathSteps path={check.path} />
    </details>
  </section>
)

const Checked = ({ session, log, leaf, era }: { session: PageSession; log: string; leaf: LeafRow; era: number }) => {
  const { index, hash, token_id: token } = leaf
  const place = `${log.split('.')[0]}.${era}`
  const { value: check, problem } = useReading(
    (signal) => checkLeaf({ reading: { log: place, signal }, pinned: session, index, hash, token }),
    { on: [place, index, hash, token] },
  )
  return (
    <>
      <section class="card" aria-label="Checked in this browser">
        <h3>Checked in this browser</h3>
        {problem !== undefined && <ProblemCard problem={problem} />}
        {check === undefined && problem === undefined && <p class="about">checking …</p>}
        {check !== undefined && <Verdict of={check.found} subject={`leaf ${index} of the ${nameOf(log)}`} />}
      </section>
      {check !== undefined && check.checkpoint !== undefined && <Way index={index} check={check} />}
      {check?.entry !== undefined && <Entry text={check.entry} />}
    </>
  )
}

const Neighbours = ({ log, index, size }: { readonly log: string; readonly index: number; readonly size: number }) => (
  <nav class="actions" aria-label="leaves beside this one">
    {index > 0 && <a href={`#${spellPlace({ show: 'leaf', log, number: index - 1 })}`}>Leaf {index - 1}</a>}
    {index + 1 < size && <a href={`#${spellPlace({ show: 'leaf', log, number: index + 1 })}`}>Leaf {index + 1}</a>}
  </nav>
)

/** One leaf: what the log shows of it, and its way to the root, checked here. */
export const LeafView = ({ session, log, index }: Props) => {
  const { value: page, problem } = useReading(
    (signal) => session.call('GET /api/log/{log}/leaves', { log, index, limit: 1 }, { signal }),
    { everyMs: READ_EVERY_MS, on: [log, index, session.self] },
  )
  const leaf = page?.leaves[0]
  return (
    <>
      <p class="crumb">
        <a href={`#log/${log}`}>{nameOf(log)}</a> › leaf {index}
      </p>
      <h2>
        Leaf {index} of the {nameOf(log)}
      </h2>
      {page !== undefined && <Neighbours log={log} index={index} size={page.size} />}
      {problem !== undefined && <ProblemCard problem={problem} />}
      {page === undefined && problem === undefined && <p class="card about">reading …</p>}
      {page !== undefined && leaf === undefined && (
        <p class="card" role="status" data-waiting>
          No signed checkpoint covers leaf {index} yet: the newest has {page.size} leaves. A leaf that was just made is
          under one within a second; this page looks again by itself.
        </p>
      )}
      {page !== undefined && leaf !== undefined && (
        <>
          <About leaf={leaf} log={log} />
          <Checked session={session} log={log} leaf={leaf} era={page.era} />
        </>
      )}
      <SearchBox log={log} />
    </>
  )
}
