import { useEffect, useState } from 'preact/hooks'
import { lazyPart } from '#ui/part/arriving.tsx'
import { ApiProblem } from '#ui/server/api.ts'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { AccessTab } from './access-tab.tsx'
import { ActivityTab } from './activity-tab.tsx'
import { AuditTab } from './audit-tab.tsx'
import { ChainTab } from './chain-tab.tsx'
import { type Machine, type Role, reaches } from './machine.ts'
import { MachineHead } from './machine-head.tsx'
import { MachineSettings } from './machine-settings.tsx'
import { Unlock } from './unlock.tsx'
import { useFeed } from './use-feed.ts'

/** How often the machine's own record is read: status and settings change seldom. */
const READ_EVERY_MS = 5_000

/** Quiet after which the record is read again. */
const QUIET_MS = 500

const tabs = [
  { name: 'chain', title: 'Chain', needed: 'none' },
  { name: 'activity', title: 'Activity', needed: 'none' },
  { name: 'contracts', title: 'Contracts', needed: 'viewer' },
  { name: 'tally', title: 'Token', needed: 'none' },
  { name: 'oracles', title: 'Oracles', needed: 'none' },
  { name: 'site', title: 'Site', needed: 'none' },
  { name: 'access', title: 'Access', needed: 'viewer' },
  { name: 'audit', title: 'Audit', needed: 'owner' },
  { name: 'settings', title: 'Settings', needed: 'operator' },
] as const satisfies readonly { name: string; title: string; needed: Role }[]
type TabName = (typeof tabs)[number]['name']

const MachineContracts = lazyPart('Contracts', async () => {
  const { MachineContracts: Part } = await import('#ui/contracts/machine-contracts.tsx')
  return Part
})

const Tally = lazyPart('Token', async () => {
  const { TallyTab } = await import('./tally-tab.tsx')
  return TallyTab
})

const Site = lazyPart('Site', async () => {
  const { SiteTab: Part } = await import('./site/site-tab.tsx')
  return Part
})

const Oracles = lazyPart('Oracles', async () => {
  const { OraclesTab: Part } = await import('./oracles-tab.tsx')
  return Part
})

const Tabs = ({ machine, tab }: { readonly machine: Machine; readonly tab: TabName }) => (
  <nav class="tabs" aria-label="machine">
    {tabs
      .filter(({ needed }) => reaches(machine.role, needed))
      .map(({ name, title }) => (
        <a key={name} href={`#machine/${machine.slug}/${name}`} aria-current={name === tab ? 'page' : undefined}>
          {title}
        </a>
      ))}
  </nav>
)

const Absent = ({ session, slug, onIn }: { session: PageSession; slug: string; onIn: () => void }) => (
  <div class="card" data-code="NOT_FOUND" role="alert">
    <p>
      <b>There is no machine {slug} that you may see.</b>
    </p>
    <p>
      It does not exist, or it is private and this browser acts as somebody who is no member. The node answers the same
      for both, so that nobody learns which private machines there are.
    </p>
    <Unlock session={session} slug={slug} onIn={onIn} />
    <p>
      <a href="#machines">All machines you may see</a> · <a href="#settings">Sign in as somebody else</a>
    </p>
  </div>
)

interface OpenProps {
  readonly session: PageSession
  readonly machine: Machine
  readonly tab: TabName
  readonly onChange: () => void
}

const Open = ({ session, machine, tab, onChange }: OpenProps) => {
  const live = useFeed(session, machine.slug)
  const { came } = live.feed
  useEffect(() => {
    if (came === 0) return
    // What came may have changed the machine's own record: it is read again once the chain is quiet.
    const timer = setTimeout(onChange, QUIET_MS)
    return () => clearTimeout(timer)
  }, [came])
  return (
    <>
      <MachineHead machine={machine} live={live} />
      <Tabs machine={machine} tab={tab} />
      <div hidden={tab !== 'chain'}>
        <ChainTab session={session} machine={machine} live={live} />
      </div>
      {tab === 'activity' && <ActivityTab session={session} machine={machine} />}
      {tab === 'contracts' && <MachineContracts session={session} slug={machine.slug} />}
      {tab === 'tally' && <Tally session={session} machine={machine} onChange={onChange} />}
      {tab === 'oracles' && <Oracles session={session} machine={machine} />}
      {tab === 'site' && <Site session={session} machine={machine} />}
      {tab === 'access' && <AccessTab session={session} machine={machine} onChange={onChange} />}
      {tab === 'audit' && <AuditTab session={session} machine={machine} />}
      {tab === 'settings' && (
        <MachineSettings key={machine.slug} session={session} machine={machine} onChange={onChange} />
      )}
    </>
  )
}

interface Props {
  readonly session: PageSession
  readonly slug: string
  readonly tab: string
}

/** One machine: where it stands, its chain as it grows, and whatever the visitor's role permits. */
export const MachineView = ({ session, slug, tab }: Props) => {
  const [changes, count] = useState(0)
  const { key = session.self.kind } = session.self
  const { value, problem } = useReading(
    (signal) => session.call('GET /api/chain/state-machines/{slug}', { slug }, { signal }),
    {
      everyMs: READ_EVERY_MS,
      on: [session, slug, key, changes],
    },
  )
  const absent = problem instanceof ApiProblem && problem.status === 404
  const machine = value?.machine.slug === slug && !absent ? value.machine : undefined
  const shown = tabs.find(({ name, needed }) => name === tab && machine !== undefined && reaches(machine.role, needed))
  const changed = (): void => count((it) => it + 1)
  return (
    <article data-machine={slug}>
      <p class="crumb">
        <a href="#machines">All machines</a>
      </p>
      {absent && <Absent session={session} slug={slug} onIn={changed} />}
      {!absent && problem !== undefined && <ProblemCard problem={problem} />}
      {machine === undefined && problem === undefined && <p class="card about">reading …</p>}
      {machine !== undefined && (
        <Open session={session} machine={machine} tab={shown?.name ?? 'chain'} onChange={changed} />
      )}
    </article>
  )
}
