import type { JSX } from 'preact'
import { MachineView } from './machine/machine-view.tsx'
import { MachinesView } from './machine/machines-view.tsx'
import { NetworkView } from './network/network-view.tsx'
import { OperatorView } from './operators/operator-view.tsx'
import { OperatorsView } from './operators/operators-view.tsx'
import { ReactorView } from './reactor/reactor-view.tsx'
import { ReactorsView } from './reactor/reactors-view.tsx'
import type { PageSession } from './session.ts'
import { SettingsView } from './settings/settings-view.tsx'
import { ApiView } from './view/api-view.tsx'
import { EnvelopesView } from './view/envelopes-view.tsx'
import { SolverView } from './view/solver-view.tsx'
import { type Solvers, SolversView } from './view/solvers-view.tsx'
import { VerifyView } from './view/verify-view.tsx'

/** What every view may show. */
interface ViewProps {
  readonly session: PageSession
  readonly solvers: Solvers
  /** Whether it is seen now: a kept view may be behind another one. */
  readonly shown: boolean
  /** Runs that are over. */
  readonly runs: number
}

/** What the pattern of a view found: the whole address, then its parts. */
type Found = readonly [at: string, first?: string, second?: string]

/** A view of the page, whole: routing, navigation and titles derive from it. */
interface View {
  /** The word among the links; the first view of a group is where its word leads. */
  readonly group: string
  /** The addresses that it has, without the `#`. */
  readonly pattern: RegExp
  /** Its name for people; without one there is no such view. */
  readonly title: (found: Found, solvers: Solvers) => string | undefined
  /** How the address is spelled, where it may be written in several ways. */
  readonly spelled?: (found: Found) => string
  /** What outlives a change of the address within the view; its address, unless it says. */
  readonly key?: (found: Found) => string
  /** Whether its state outlives a look at another one: what was typed, what runs, what came out. */
  readonly kept?: true
  readonly show: (props: ViewProps, found: Found) => JSX.Element
}

/** Its address is the one word. */
const plain = (word: string, group: string, rest: Pick<View, 'show' | 'kept'>): View => ({
  ...{ group, pattern: new RegExp(`^${word}$`), title: () => group },
  ...rest,
})

const idOf = ([, id = '']: Found): string => id.toUpperCase()

const views: readonly View[] = [
  plain('solvers', 'Solvers', { kept: true, show: ({ solvers }) => <SolversView solvers={solvers} /> }),
  {
    group: 'Solvers',
    pattern: /^solver\/([^/]+)$/,
    title: ([, name], solvers) => solvers.find((it) => it.name === name)?.title,
    kept: true,
    show: ({ session, shown }, [, name = '']) => <SolverView name={name} session={session} shown={shown} />,
  },
  plain('operators', 'Operators', { kept: true, show: () => <OperatorsView /> }),
  {
    group: 'Operators',
    // One operator, in any case, and the variable that is wanted of it.
    pattern: /^operators\/([\w.-]{1,64})(?:\/(\w{1,32}))?$/,
    title: idOf,
    spelled: (found) => ['operators', idOf(found), found[2]].filter(Boolean).join('/'),
    kept: true,
    show: ({ session, shown }, found) => (
      <OperatorView session={session} shown={shown} id={idOf(found)} symbol={found[2]} />
    ),
  },
  plain('reactors', 'Reactors', { show: ({ session }) => <ReactorsView session={session} /> }),
  {
    group: 'Reactors',
    pattern: /^reactor\/([0-9a-f]{32})$/,
    title: () => 'Reactor',
    show: ({ session }, [, id = '']) => <ReactorView session={session} id={id} />,
  },
  plain('machines', 'Machines', { show: ({ session }) => <MachinesView session={session} /> }),
  {
    group: 'Machines',
    // One machine, and the part of its page that is open: the parts share what was read.
    pattern: /^machine\/([a-z0-9-]{1,64})(?:\/([a-z]{1,16}))?$/,
    title: ([, slug]) => slug,
    key: ([, slug = '']) => `machine/${slug}`,
    show: ({ session }, [, slug = '', tab = 'chain']) => <MachineView session={session} slug={slug} tab={tab} />,
  },
  plain('envelopes', 'Envelopes', { show: ({ session, runs }) => <EnvelopesView session={session} runs={runs} /> }),
  plain('network', 'Network', { show: ({ session }) => <NetworkView vkey={session.vkey} /> }),
  plain('verify', 'Verify', {
    kept: true,
    show: ({ session }) => <VerifyView vkey={session.vkey} past={session.past} />,
  }),
  plain('api', 'API', { show: () => <ApiView /> }),
  plain('settings', 'Settings', { show: ({ session }) => <SettingsView session={session} /> }),
]

/** The groups of views: their words, and where each leads. */
export const groups: readonly { readonly title: string; readonly home: string }[] = [
  ...new Map(views.toReversed().map(({ group, pattern }) => [group, pattern.source.slice(1, -1)])),
]
  .map(([title, home]) => ({ title, home }))
  .toReversed()

/** A place of the page: a view, and what its address names in it. */
export interface Spot {
  readonly at: string
  readonly group: string
  readonly title: string
  readonly key: string
  readonly kept: boolean
  readonly show: (props: ViewProps) => JSX.Element
}

const spotIn = (it: View, at: string, solvers: Solvers): Spot | undefined => {
  const found = it.pattern.exec(at) as Found | null
  const title = found === null ? undefined : it.title(found, solvers)
  if (found === null || title === undefined) return undefined
  const spelled = it.spelled?.(found) ?? at
  const { group, kept = false } = it
  return { at: spelled, group, title, kept, key: it.key?.(found) ?? spelled, show: (props) => it.show(props, found) }
}

/** What an address names, e.g. `solver/heat`; nothing where no view has it. */
export const spotOf = (address: string, solvers: Solvers): Spot | undefined => {
  for (const it of views) {
    const spot = spotIn(it, address, solvers)
    if (spot !== undefined) return spot
  }
  return undefined
}
