import { useEffect, useState } from 'preact/hooks'
import { provenPast } from '#core/succession.ts'
import { type TokenVerification, verifyTokenReceipt } from '#core/token/verify.ts'
import { pause } from '#core/wait.ts'
import type { PageSession } from '#ui/session.ts'
import type { MoveItem } from './wallet.ts'

/** Verifies a move in this browser, under the key that was pinned when the page was opened. */
export const checkMove = (
  { receipt }: MoveItem,
  { vkey, past }: Pick<PageSession, 'vkey' | 'past'>,
): TokenVerification => verifyTokenReceipt(receipt, { trusted: vkey, successions: provenPast(past) })

/** What was found of a move, in a word. A list of moves leaves out which envelopes they are; its receipt has them. */
export const wordOf = ({ outcome, unchecked }: TokenVerification): TokenVerification['outcome'] =>
  outcome === 'unchecked' && unchecked.every((step) => step === 'list') ? 'verified' : outcome

const nameOf = ({ op_digest, state }: MoveItem): string => `${op_digest} ${state}`

/** What was found of moves so far, by {@link nameOf}. */
type Found = ReadonlyMap<string, TokenVerification>

/** Verifies moves one after another, and lets the page draw between two. */
export const useChecked = (session: PageSession, moves: readonly MoveItem[]) => {
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
  return (it: MoveItem): TokenVerification | undefined => found.get(nameOf(it))
}
