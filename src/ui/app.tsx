import { useEffect, useMemo, useState } from 'preact/hooks'
import { send } from './server/api.ts'
import { findSelf, type Self } from './server/credential.ts'
import type { Session } from './session.ts'
import { Clock } from './view/clock.tsx'
import { EnvelopesView } from './view/envelopes-view.tsx'
import { NetworkView } from './view/network-view.tsx'
import { OperatorsView } from './view/operators-view.tsx'
import { SolverView } from './view/solver-view.tsx'
import { VerifyView } from './view/verify-view.tsx'

interface Identity {
  readonly node: string
  readonly vkeys: { readonly log: string }
}

interface SolverName {
  readonly name: string
  readonly title: string
}

/** What the page knows before it shows anything. */
interface Opening {
  readonly self: Self
  readonly identity: Identity
  readonly solvers: readonly SolverName[]
}

const openPage = async (): Promise<Opening> => {
  const [self, identity, { solvers }] = await Promise.all([
    findSelf(),
    send<Identity>('/api/identity'),
    send<{ solvers: readonly SolverName[] }>('/api/solvers'),
  ])
  return { self, identity, solvers }
}

/** The part of the address after `#`, e.g. `solver/heat`; views are links, so they can be kept and shared. */
const usePlace = (first: string): string => {
  const read = (): string => location.hash.slice(1) || first
  const [place, go] = useState(read)
  useEffect(() => {
    const move = (): void => go(read())
    addEventListener('hashchange', move)
    return () => removeEventListener('hashchange', move)
  }, [])
  return place
}

interface ViewProps {
  readonly place: string
  readonly session: Session
  readonly sealed: number
}

const View = ({ place, session, sealed }: ViewProps) => {
  const [view, name = ''] = place.split('/')
  if (view === 'solver') return <SolverView key={name} name={name} session={session} />
  if (view === 'operators') return <OperatorsView session={session} />
  if (view === 'envelopes') return <EnvelopesView session={session} sealed={sealed} />
  if (view === 'verify') return <VerifyView vkey={session.vkey} />
  return <NetworkView vkey={session.vkey} />
}

const Navigation = ({ place, solvers }: { readonly place: string; readonly solvers: readonly SolverName[] }) => {
  const links = [
    ...solvers.map(({ name, title }) => [`solver/${name}`, title] as const),
    ['operators', 'Operators'],
    ['envelopes', 'Envelopes'],
    ['network', 'Network'],
    ['verify', 'Verify'],
  ] as const
  return (
    <nav aria-label="views">
      {links.map(([to, label]) => (
        <a key={to} href={`#${to}`} aria-current={to === place ? 'page' : undefined}>
          {label}
        </a>
      ))}
      <a href="/docs">API</a>
    </nav>
  )
}

const Opened = ({ opening }: { readonly opening: Opening }) => {
  const [sealed, count] = useState(0)
  const { self, identity, solvers } = opening
  const place = usePlace(`solver/${solvers[0]?.name ?? ''}`)
  const session = useMemo<Session>(
    () => ({ self, vkey: identity.vkeys.log, node: identity.node, minted: () => count((it) => it + 1) }),
    [self, identity],
  )
  return (
    <>
      <header>
        <h1>tickmesh</h1>
        <Clock />
        <p class="about who">
          {self.credential.kind === 'owner' ? 'owner' : 'demo key'} · <code>{identity.node.slice(-8)}</code>
        </p>
      </header>
      <Navigation place={place} solvers={solvers} />
      <main id="main" tabIndex={-1}>
        <View place={place} session={session} sealed={sealed} />
      </main>
    </>
  )
}

/** The page: opens once, then shows what the address names. */
export const App = () => {
  const [opening, show] = useState<Opening>()
  const [problem, complain] = useState<string>()
  useEffect(() => {
    openPage()
      .then(show)
      .catch((error: Error) => complain(error.message))
  }, [])
  if (problem !== undefined) {
    return (
      <main>
        <p class="card wrong" role="alert">
          The node does not answer: {problem}
        </p>
      </main>
    )
  }
  return opening === undefined ? <p class="about opening">opening …</p> : <Opened opening={opening} />
}
