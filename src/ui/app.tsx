import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import { MachineView } from './machine/machine-view.tsx'
import { MachinesView } from './machine/machines-view.tsx'
import { Navigation, type ViewGroup } from './navigation.tsx'
import { NetworkView } from './network/network-view.tsx'
import { OperatorView } from './operators/operator-view.tsx'
import { OperatorsView } from './operators/operators-view.tsx'
import { ReactorView } from './reactor/reactor-view.tsx'
import { ReactorsView } from './reactor/reactors-view.tsx'
import { call, NodeGone } from './server/api.ts'
import { tellLink, useLink } from './server/link.ts'
import { findSelf, type Self } from './server/self.ts'
import { createSession, type Session } from './session.ts'
import { SettingsView } from './settings/settings-view.tsx'
import { machineIn, operatorIn, reactorIn, usePlace } from './use-place.ts'
import { useScroll } from './use-scroll.ts'
import { ApiView } from './view/api-view.tsx'
import { Clock } from './view/clock.tsx'
import { EnvelopesView } from './view/envelopes-view.tsx'
import { SolverView } from './view/solver-view.tsx'
import { type Solvers, SolversView } from './view/solvers-view.tsx'
import { VerifyView } from './view/verify-view.tsx'
import { Who } from './view/who.tsx'

type Identity = ResultAt<'GET /api/identity'>

/** What the page knows before it shows anything. */
interface Opening {
  readonly self: Self
  readonly identity: Identity
  readonly solvers: Solvers
}

/** The node's name and key, past the browser's cache: another node may have taken the address. */
const readIdentity = (): Promise<Identity> =>
  call('GET /api/identity', {}, { headers: { 'Cache-Control': 'no-cache' } })

const openPage = async (): Promise<Opening> => {
  const [self, identity, { solvers }] = await Promise.all([findSelf(), readIdentity(), call('GET /api/solvers', {})])
  return { self, identity, solvers }
}

const alone = (place: string, title: string): ViewGroup => ({ title, views: [{ place, title }] })

const groupsOf = (solvers: Solvers): readonly ViewGroup[] => [
  {
    title: 'Solvers',
    views: [
      { place: 'solvers', title: 'Solvers' },
      ...solvers.map(({ name, title }) => ({ place: `solver/${name}`, title })),
    ],
  },
  alone('operators', 'Operators'),
  alone('reactors', 'Reactors'),
  alone('machines', 'Machines'),
  alone('envelopes', 'Envelopes'),
  alone('network', 'Network'),
  alone('verify', 'Verify'),
  alone('api', 'API'),
  alone('settings', 'Settings'),
]

interface PlaceProps {
  readonly place: string
  readonly shown: boolean
  readonly session: Session
  readonly solvers: Solvers
  /** Runs that are over. */
  readonly runs: number
}

const Place = ({ place, shown, session, solvers, runs }: PlaceProps) => {
  const [view, name = ''] = place.split('/')
  if (view === 'solvers') return <SolversView solvers={solvers} />
  if (view === 'solver') return <SolverView name={name} session={session} shown={shown} />
  const operator = operatorIn(place)
  if (operator !== undefined) return <OperatorView session={session} shown={shown} {...operator} />
  if (view === 'operators') return <OperatorsView />
  if (view === 'envelopes') return <EnvelopesView session={session} runs={runs} />
  const machine = machineIn(place)
  if (machine !== undefined) return <MachineView key={machine.slug} session={session} {...machine} />
  const reactor = reactorIn(place)
  if (reactor !== undefined) return <ReactorView key={reactor} session={session} id={reactor} />
  if (view === 'reactors') return <ReactorsView session={session} />
  if (view === 'machines') return <MachinesView session={session} />
  if (view === 'settings') return <SettingsView session={session} />
  if (view === 'api') return <ApiView />
  return view === 'verify' ? (
    <VerifyView vkey={session.vkey} past={session.past} />
  ) : (
    <NetworkView vkey={session.vkey} />
  )
}

/** Views whose state outlives a look at another one: what was typed, what runs, what came out. */
const isKept = (place: string): boolean => /^(?:solver|operators|verify)/.test(place)

/** Kept views at a time; the one longest not begun goes first. */
const KEPT_MAX = 48

/** The places to be drawn: the one that is seen, and the kept ones that were seen before. */
const useDrawn = (place: string): readonly string[] => {
  const [kept, keep] = useState<readonly string[]>([])
  useEffect(() => {
    if (isKept(place)) keep((old) => (old.includes(place) ? old : [...old, place].slice(-KEPT_MAX)))
  }, [place])
  return kept.includes(place) ? kept : [...kept, place]
}

/** A node that comes back under another identity is another node: everything is read anew. */
const useSameNode = (node: string, up: boolean): void => {
  useEffect(() => {
    if (!up) return
    readIdentity().then(
      (identity) => {
        if (identity.node !== node) location.reload()
      },
      () => undefined,
    )
  }, [node, up])
}

const Opened = ({ opening: { self: first, identity, solvers } }: { readonly opening: Opening }) => {
  const [runs, count] = useState(0)
  const [self, become] = useState(first)
  const up = useLink()
  useSameNode(identity.node, up)
  const session = useMemo(
    () =>
      createSession({
        self: first,
        vkey: identity.vkeys.log,
        node: identity.node,
        past: identity.key_supersessions,
        onSelf: become,
        onSettled: () => count((it) => it + 1),
      }),
    [first, identity],
  )
  const groups = useMemo(() => groupsOf(solvers), [solvers])
  const views = useMemo(() => groups.flatMap((it) => it.views), [groups])
  const place = usePlace(views)
  const drawn = useDrawn(place)
  useScroll(place)
  return (
    <>
      <header>
        <h1>
          <a href={`#${views[0]?.place ?? 'network'}`}>tickmesh</a>
        </h1>
        <Clock />
        <Who key={self.key ?? self.kind} session={session} runs={runs} />
      </header>
      <Navigation groups={groups} place={place} />
      {!up && (
        <p class="banner" role="alert">
          The node does not answer. This page tries again every two seconds.
        </p>
      )}
      <main id="main" tabIndex={-1}>
        {drawn.map((it) => (
          // The parts of one machine's page share what it has read.
          <div key={machineIn(it)?.slug ?? it} hidden={it !== place}>
            <Place place={it} shown={it === place} session={session} solvers={solvers} runs={runs} />
          </div>
        ))}
      </main>
    </>
  )
}

/** Time between attempts to open the page. */
const OPEN_EVERY_MS = 2000

/** The page: opens as soon as the node answers, then shows what the address names. */
export const App = () => {
  const [opening, show] = useState<Opening>()
  const [problem, complain] = useState<Error>()
  const [attempt, again] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    openPage().then(show, (error: Error) => {
      complain(error)
      timer = setTimeout(() => again(attempt + 1), OPEN_EVERY_MS)
    })
    return () => clearTimeout(timer)
  }, [attempt])
  useEffect(() => {
    const offline = (): void => tellLink(false)
    addEventListener('offline', offline)
    return () => removeEventListener('offline', offline)
  }, [])
  if (opening !== undefined) return <Opened opening={opening} />
  if (problem === undefined) return <p class="opening about">opening …</p>
  return (
    <p class="banner" role="alert">
      {problem instanceof NodeGone ? 'The node does not answer.' : `The page cannot be opened: ${problem.message}`}{' '}
      Trying again.
    </p>
  )
}
