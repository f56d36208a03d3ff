import { useEffect, useState } from 'preact/hooks'
import type { LogVerification } from '#core/log-trust.ts'
import { provenPast } from '#core/succession.ts'
import type { TokenReceiptFile } from '#core/token/receipt.ts'
import { verifyMove } from '#core/token/verify-move.ts'
import { pause } from '#core/wait.ts'
import type { PageSession } from '#ui/session.ts'
import type { Move } from './wallet.ts'

/** Verifies a move in this browser, under the key that was pinned when the page was opened. */
export const checkMove = ({ receipt }: Move, { vkey, past }: Pick<PageSession, 'vkey' | 'past'>): LogVerification =>
  verifyMove(receipt as TokenReceiptFile, { trusted: vkey, successions: provenPast(past) })

const nameOf = ({ op_digest, state }: Move): string => `${op_digest} ${state}`

/** What was found of moves so far, by {@link nameOf}. */
type Found = ReadonlyMap<string, LogVerification>

/** Verifies moves one after another, and lets the page draw between two. */
export const useChecked = (session: PageSession, moves: readonly Move[]) => {
  const [found, keep] = useState<Found>(new Map())
  const wanted = moves.map(nameOf).join()
  useEffect(() => {
    const over = new AbortController()
    const work = async (): Promise<void> => {
      for (const it of moves) {
        if (found.has(nameOf(it))) continue
        await pause(0, over.signal)
        const result = checkMove(it, session)
        keep((old) => new Map([...old, [nameOf(it), result]]))
      }
    }
    work().catch((error: unknown) => {
      if (!over.signal.aborted) throw error
    })
    return () => over.abort()
  }, [wanted, session])
  return (it: Move): LogVerification | undefined => found.get(nameOf(it))
}
