import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import { Navigation } from './navigation.tsx'
import { Palette } from './palette/palette.tsx'
import { usePalette } from './palette/use-palette.ts'
import { Arriving } from './part/arriving.tsx'
import { call, NodeGone } from './server/api.ts'
import { tellLink, useLink } from './server/link.ts'
import { remembered } from './server/remembered.ts'
import { findSelf, type Self } from './server/self.ts'
import type { Solvers } from './server/solvers.ts'
import { createSession } from './session.ts'
import { useScroll } from './use-scroll.ts'
import { HOME, useSpot } from './use-spot.ts'
import { Clock } from './view/clock.tsx'
import { Who } from './view/who.tsx'
import type { ViewProps } from './view-props.ts'
import type { Spot } from './views.tsx'

/** Whether somebody was here before: they come back to the overview. */
const isReturning = ({ kind }: Self, node: string): boolean => kind !== 'demo' || remembered(node).length > 0

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

/** Kept views at a time; the one longest not begun goes first. */
const KEPT_MAX = 48

/** The same with the spot in the place where one of its address is, else at the end. */
const withSpot = (kept: readonly Spot[], spot: Spot): readonly Spot[] =>
  kept.some(({ at }) => at === spot.at) ? kept.map((it) => (it.at === spot.at ? spot : it)) : [...kept, spot]

/** What is drawn: the view that is seen, as its address tells it to be, and the kept ones that were seen before. */
const useDrawn = (spot: Spot | undefined): readonly Spot[] => {
  const [kept, keep] = useState<readonly Spot[]>([])
  useEffect(() => {
    if (spot?.kept === true) keep((old) => withSpot(old, spot).slice(-KEPT_MAX))
  }, [spot])
  return spot === undefined ? kept : withSpot(kept, spot)
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

/** A view, as soon as its code is here. */
const Seen = ({ spot, props }: { readonly spot: Spot; readonly props: ViewProps }) => {
  const ready = () => {
    const show = spot.ready()
    return show === undefined ? undefined : () => show(props)
  }
  return <Arriving name={spot.title} id={spot.key} ready={ready} load={spot.load} />
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
  const spot = useSpot(solvers, isReturning(first, identity.node) ? 'overview' : HOME)
  const palette = usePalette()
  const drawn = useDrawn(spot)
  useScroll(spot?.at ?? HOME)
  return (
    <>
      <header>
        <h1>
          <a href={`#${HOME}`}>tickmesh</a>
        </h1>
        <Clock />
        <button type="button" class="small palette-open" onClick={() => palette.show(true)}>
          Find <kbd>Ctrl K</kbd>
        </button>
        <Who key={self.key ?? self.kind} session={session} runs={runs} />
      </header>
      {palette.open && <Palette session={session} solvers={solvers} onClose={() => palette.show(false)} />}
      {spot !== undefined && <Navigation spot={spot} />}
      {!up && (
        <p class="banner" role="alert">
          The node does not answer. This page tries again every two seconds.
        </p>
      )}
      <main id="main" tabIndex={-1}>
        {drawn.map((it) => (
          <div key={it.key} hidden={it.at !== spot?.at}>
            <Seen spot={it} props={{ session, solvers, runs, shown: it.at === spot?.at, query: it.query }} />
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
