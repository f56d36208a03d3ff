import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Query, tellQuery } from '#ui/address.ts'
import { isVisitor } from '#ui/server/self.ts'
import type { PageSession } from '#ui/session.ts'
import { Balances } from './balances.tsx'
import { Claim } from './claim.tsx'
import { EnvelopesPart } from './envelopes-part.tsx'
import { HistoryPart } from './history-part.tsx'
import { MovesPart } from './moves-part.tsx'
import { NONE, type Selection, turned, without } from './selection.ts'
import { SendPart } from './send-part.tsx'
import { useSend } from './use-send.ts'
import { isAccount } from './wallet.ts'
import './wallet.css'

const TOKEN = /^[0-9a-f]{32}$/

interface Props {
  readonly session: PageSession
  /** Runs that are over. */
  readonly runs: number
  /** `token`: whose history is shown; `send`: an envelope to send, or `form` for the form alone. */
  readonly query: Query
}

/** An envelope that the address asks to send is chosen, once. */
const useAskedFor = (session: PageSession, send: string, choose: (next: (old: Selection) => Selection) => void) => {
  useEffect(() => {
    if (!TOKEN.test(send)) return
    session.call('GET /api/envelopes/{token_id}', { token_id: send }).then(
      (it) => choose((old) => turned(old, [it], true)),
      // Of what is not there, or is not ours, nothing is chosen, and the form says so.
      () => undefined,
    )
  }, [session, send])
}

/** Everything of an account's: its envelopes, sending them, and what moved. */
const Account = ({ session, runs, query }: Props) => {
  const [selection, select] = useState<Selection>(NONE)
  const [changes, count] = useState(0)
  const [met, meet] = useState<ReadonlySet<string>>(new Set())
  const { send = '', token = '' } = query
  const [wanted, want] = useState(send === '' ? 0 : 1)
  useAskedFor(session, send, select)
  useEffect(() => {
    if (send !== '') want((it) => it + 1)
  }, [send])
  const again = (): void => {
    count((it) => it + 1)
    session.settled()
  }
  const sending = useSend(session, (tokens) => {
    select((old) => without(old, tokens))
    again()
  })
  const all = changes + runs
  return (
    <>
      {TOKEN.test(token) && (
        <HistoryPart session={session} token={token} changes={all} onClose={() => tellQuery('wallet', {}, true)} />
      )}
      <EnvelopesPart
        session={session}
        changes={all}
        selection={selection}
        onSelect={select}
        onSend={() => want((it) => it + 1)}
        onChange={again}
        onWay={(it) => tellQuery('wallet', { token: it }, true)}
      />
      <SendPart
        session={session}
        selection={selection}
        sending={sending}
        met={met}
        wanted={wanted}
        onStale={() => {
          select(NONE)
          again()
        }}
      />
      <MovesPart
        session={session}
        changes={all}
        onMet={(zids) => meet((old) => (zids.every((it) => old.has(it)) ? old : new Set([...old, ...zids])))}
      />
    </>
  )
}

/** Value of whoever the page acts as: balances, envelopes, what moved. */
export const WalletView = (props: Props) => {
  const { session, runs } = props
  const { self } = session
  const who = useMemo(() => `${self.kind} ${self.key ?? self.zid}`, [self])
  return (
    <article class="wallet">
      <h2>Wallet</h2>
      <p class="lead">What you have here, where it comes from, and where it went.</p>
      {!isVisitor(self) && <Balances session={session} changes={runs} />}
      <Claim session={session} runs={runs} />
      {isAccount(session) ? (
        <Account key={who} {...props} />
      ) : (
        <p class="card">
          {isVisitor(self) ? 'Nobody is signed in.' : 'A demo key’s envelopes belong to the house and never move.'} An
          account owns its envelopes, and can send them: make one, or sign in, under{' '}
          <a href="#settings?part=session">Settings</a>.
        </p>
      )}
    </article>
  )
}
