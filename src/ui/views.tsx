import type { JSX } from 'preact'
import { type Address, type Query, readAddress } from './address.ts'
import { keyOf as keyOfContracts, titleOf as titleOfContracts } from './contracts/place.ts'
import { AskView } from './front/ask-view.tsx'
import { titleOf as titleOfLog } from './log/place.ts'
import type { Solvers } from './server/solvers.ts'
import type { ViewProps } from './view-props.ts'

/** What the pattern of a view found: the whole place, then its parts. */
type Found = readonly [at: string, first?: string, second?: string]

/** How a view is drawn. */
type Show = (props: ViewProps, found: Found) => JSX.Element

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
  /** Its code; all but where the page begins comes when an address of it is opened. */
  readonly show: Show | { readonly load: () => Promise<Show> }
}

/** A view whose code is fetched when an address of it is opened. */
const lazy = (load: () => Promise<Show>): { readonly load: () => Promise<Show> } => ({ load })

/** Its address is the one word. */
const plain = (word: string, group: string, rest: Pick<View, 'show' | 'kept'>): View => ({
  ...{ group, pattern: new RegExp(`^${word}$`), title: () => group },
  ...rest,
})

const idOf = ([, id = '']: Found): string => id.toUpperCase()

const logView = lazy(async () => {
  const { LogView } = await import('./log/log-view.tsx')
  return ({ session, query }, [, at = '']) => <LogView session={session} at={at} query={query} />
})

const contractsView = lazy(async () => {
  const { RoomView } = await import('./contracts/room-view.tsx')
  return ({ session, query }, [at]) => <RoomView session={session} at={at} query={query} />
})

const streamsView = lazy(async () => {
  const { StreamsRoom } = await import('./channels/streams-room.tsx')
  return ({ session }, [, id]) => <StreamsRoom session={session} id={id} />
})

const views: readonly View[] = [
  plain('ask', 'Ask', { kept: true, show: (props) => <AskView {...props} /> }),
  plain('overview', 'Overview', {
    kept: true,
    show: lazy(async () => {
      const { OverviewView } = await import('./overview/overview-view.tsx')
      return (props) => <OverviewView {...props} />
    }),
  }),
  plain('solvers', 'Solvers', {
    kept: true,
    show: lazy(async () => {
      const { SolversView } = await import('./view/solvers-view.tsx')
      return ({ session, solvers }) => <SolversView session={session} solvers={solvers} />
    }),
  }),
  {
    group: 'Solvers',
    pattern: /^solver\/([^/]+)$/,
    title: ([, name], solvers) => solvers.find((it) => it.name === name)?.title,
    kept: true,
    show: lazy(async () => {
      const { SolverView } = await import('./view/solver-view.tsx')
      return ({ session, shown }, [, name = '']) => <SolverView name={name} session={session} shown={shown} />
    }),
  },
  plain('operators', 'Operators', {
    kept: true,
    show: lazy(async () => {
      const { OperatorsView } = await import('./operators/operators-view.tsx')
      return ({ session, solvers }) => <OperatorsView session={session} solvers={solvers} />
    }),
  }),
  {
    group: 'Operators',
    // One operator, in any case, and the variable that is wanted of it.
    pattern: /^operators\/([\w.-]{1,64})(?:\/(\w{1,32}))?$/,
    title: idOf,
    spelled: (found) => ['operators', idOf(found), found[2]].filter(Boolean).join('/'),
    kept: true,
    show: lazy(async () => {
      const { OperatorView } = await import('./operators/operator-view.tsx')
      return ({ session, shown }, found) => (
        <OperatorView session={session} shown={shown} id={idOf(found)} symbol={found[2]} />
      )
    }),
  },
  plain('proposals', 'Proposals', {
    show: lazy(async () => {
      const { ProposalsView } = await import('./proposals/proposals-view.tsx')
      return ({ session }) => <ProposalsView session={session} />
    }),
  }),
  {
    group: 'Proposals',
    pattern: /^proposal\/([0-9a-f]{64})$/,
    title: () => 'Proposal',
    show: lazy(async () => {
      const { ProposalView } = await import('./proposals/proposal-view.tsx')
      return ({ session }, [, id = '']) => <ProposalView session={session} id={id} />
    }),
  },
  plain('reactors', 'Reactors', {
    show: lazy(async () => {
      const { ReactorsView } = await import('./reactor/reactors-view.tsx')
      return ({ session }) => <ReactorsView session={session} />
    }),
  }),
  {
    group: 'Reactors',
    pattern: /^reactor\/([0-9a-f]{32})$/,
    title: () => 'Reactor',
    show: lazy(async () => {
      const { ReactorView } = await import('./reactor/reactor-view.tsx')
      return ({ session }, [, id = '']) => <ReactorView session={session} id={id} />
    }),
  },
  plain('streams', 'Streams', { show: streamsView }),
  { group: 'Streams', pattern: /^stream\/([0-9a-f]{32})$/, title: () => 'Stream', show: streamsView },
  plain('machines', 'Machines', {
    show: lazy(async () => {
      const { MachinesView } = await import('./machine/machines-view.tsx')
      return ({ session }) => <MachinesView session={session} />
    }),
  }),
  {
    group: 'Machines',
    // One machine, and the part of its page that is open: the parts share what was read.
    pattern: /^machine\/([a-z0-9-]{1,64})(?:\/([a-z]{1,16}))?$/,
    title: ([, slug]) => slug,
    key: ([, slug = '']) => `machine/${slug}`,
    show: lazy(async () => {
      const { MachineView } = await import('./machine/machine-view.tsx')
      return ({ session }, [, slug = '', tab = 'chain']) => <MachineView session={session} slug={slug} tab={tab} />
    }),
  },
  plain('contracts', 'Contracts', { show: contractsView }),
  {
    group: 'Contracts',
    pattern: /^contracts?\/[\w./-]{1,160}$/,
    title: ([at]) => titleOfContracts(at),
    key: ([at]) => keyOfContracts(at),
    show: contractsView,
  },
  plain('envelopes', 'Receipts', {
    show: lazy(async () => {
      const { EnvelopesView } = await import('./view/envelopes-view.tsx')
      return ({ session, solvers, runs }) => <EnvelopesView session={session} solvers={solvers} runs={runs} />
    }),
  }),
  plain('wallet', 'Wallet', {
    show: lazy(async () => {
      const { WalletView } = await import('./wallet/wallet-view.tsx')
      return ({ session, runs, query }) => <WalletView session={session} runs={runs} query={query} />
    }),
  }),
  plain('log', 'Log', { show: logView }),
  {
    group: 'Log',
    pattern: /^log\/([\w./-]{1,96})$/,
    title: ([, at = '']) => titleOfLog(at),
    show: logView,
  },
  {
    group: 'Receipts',
    pattern: /^compare$/,
    title: () => 'Compare two receipts',
    show: lazy(async () => {
      const { CompareView } = await import('./plot/compare-view.tsx')
      return ({ session, query }) => <CompareView session={session} query={query} />
    }),
  },
  {
    group: 'Receipts',
    // One receipt: in the page, or at the path that others are sent to, whose fragment may carry its nonce.
    pattern: /^(?:r|receipt)\/([0-9a-f]{32})$/,
    title: () => 'Receipt',
    show: lazy(async () => {
      const { ReceiptPage } = await import('./receipt/receipt-page.tsx')
      return ({ session, query }, [, token = '']) => (
        <ReceiptPage session={session} token={token} nonce={query['nonce']} />
      )
    }),
  },
  plain('network', 'Network', {
    show: lazy(async () => {
      const { NetworkView } = await import('./network/network-view.tsx')
      return ({ session }) => <NetworkView vkey={session.vkey} />
    }),
  }),
  {
    group: 'Network',
    pattern: /^registers$/,
    title: () => 'Registers',
    show: lazy(async () => {
      const { RegistersView } = await import('./registers/registers-view.tsx')
      return ({ session }) => <RegistersView session={session} />
    }),
  },
  plain('contribute', 'Contribute', {
    show: lazy(async () => {
      const { ContributeView } = await import('./contribute/contribute-view.tsx')
      return ({ session }) => <ContributeView session={session} />
    }),
  }),
  {
    group: 'Contribute',
    pattern: /^dispute\/([0-9a-f]{64})$/,
    title: () => 'Dispute',
    show: lazy(async () => {
      const { DisputeView } = await import('./dispute/dispute-view.tsx')
      return ({ session }, [, id = '']) => <DisputeView session={session} id={id} />
    }),
  },
  plain('verify', 'Verify', {
    kept: true,
    show: lazy(async () => {
      const { VerifyView } = await import('./view/verify-view.tsx')
      return ({ session }) => <VerifyView vkey={session.vkey} past={session.past} />
    }),
  }),
  plain('api', 'API', {
    show: lazy(async () => {
      const { ApiView } = await import('./view/api-view.tsx')
      return () => <ApiView />
    }),
  }),
  plain('settings', 'Settings', {
    show: lazy(async () => {
      const { SettingsView } = await import('./settings/settings-view.tsx')
      return ({ session, query }) => <SettingsView session={session} part={query['part']} />
    }),
  }),
]

/** The groups of views: their words, and where each leads. */
export const groups: readonly { readonly title: string; readonly home: string }[] = [
  ...new Map(views.toReversed().map(({ group, pattern }) => [group, pattern.source.slice(1, -1)])),
]
  .map(([title, home]) => ({ title, home }))
  .toReversed()

/** What draws a place of the page. */
export type ShowSpot = (props: ViewProps) => JSX.Element

/** A place of the page: a view, and what its address names in it. */
export interface Spot {
  /** Its address without what is said to it: a kept view is one, whatever it is told. */
  readonly at: string
  readonly query: Query
  readonly group: string
  readonly title: string
  readonly key: string
  readonly kept: boolean
  /** What draws it, where its code is here. */
  readonly ready: () => ShowSpot | undefined
  /** Fetches its code. @throws whatever the browser makes of a piece that does not come. */
  readonly load: () => Promise<ShowSpot>
}

/** What came already, so that a view is drawn at once when it is opened again. */
const loaded = new Map<View, Show>()

const codeOf = (it: View, found: Found): Pick<Spot, 'ready' | 'load'> => {
  const bound =
    (show: Show): ShowSpot =>
    (props) =>
      show(props, found)
  const { show } = it
  if (typeof show === 'function') return { ready: () => bound(show), load: () => Promise.resolve(bound(show)) }
  return {
    ready: () => {
      const here = loaded.get(it)
      return here === undefined ? undefined : bound(here)
    },
    load: async () => {
      const come = await show.load()
      loaded.set(it, come)
      return bound(come)
    },
  }
}

const spotIn = (it: View, { place, query }: Address, solvers: Solvers): Spot | undefined => {
  const found = it.pattern.exec(place) as Found | null
  const title = found === null ? undefined : it.title(found, solvers)
  if (found === null || title === undefined) return undefined
  const at = it.spelled?.(found) ?? place
  const { group, kept = false } = it
  return { at, query, group, title, kept, key: it.key?.(found) ?? at, ...codeOf(it, found) }
}

/** What an address names, e.g. `solver/heat?nx=64`; nothing where no view has it. */
export const spotOf = (address: string | Address, solvers: Solvers): Spot | undefined => {
  const read = typeof address === 'string' ? readAddress(address) : address
  for (const it of views) {
    const spot = spotIn(it, read, solvers)
    if (spot !== undefined) return spot
  }
  return undefined
}
