import { useState } from 'preact/hooks'
import type { TokenVerification } from '#core/token/verify.ts'
import { When } from '#ui/part/ago.tsx'
import { Short } from '#ui/part/short.tsx'
import { StateBadge } from '#ui/receipt/state-badge.tsx'
import type { PageSession } from '#ui/session.ts'
import { deedText, MoveCard } from './move-card.tsx'
import { useChecked, wordOf } from './use-checked.ts'
import type { MoveItem } from './wallet.ts'

const words = {
  verified: ['final', '✓ verified here'],
  failed: ['bad', '✗ does not verify'],
  unchecked: ['promised', 'not in a checkpoint yet'],
} as const

/** What this browser found of a move, in a word. */
const Proof = ({ of }: { readonly of: TokenVerification | undefined }) => {
  if (of === undefined) return <span class="badge">verifying …</span>
  const word = wordOf(of)
  const [look, text] = words[word]
  const failing = of.failing === undefined ? '' : `: ${of.failing}`
  return (
    <span class={`badge ${look}`} data-proof={word}>
      {text}
      {failing}
    </span>
  )
}

interface RowProps {
  readonly session: PageSession
  readonly move: MoveItem
  readonly found: TokenVerification | undefined
}

const Row = ({ session, move, found }: RowProps) => {
  const [open, turn] = useState(false)
  const other = move.direction === 'in' ? move.from : move.to
  return (
    <li class="wallet-row" data-op={move.op_digest}>
      <p class="row-head">
        <b>{deedText(move)}</b>
        <span>weight {move.weight}</span>
        {other !== null && (
          <span>
            {move.direction === 'in' ? 'from' : 'to'} <Short text={other} />
          </span>
        )}
        <When log={move.log} tick={move.tick} phase={0} />
        <StateBadge state={move.state} />
        <Proof of={found} />
        <button type="button" class="small" aria-expanded={open} onClick={() => turn(!open)}>
          {open ? 'Close' : 'Receipt'}
          <span class="unseen"> of {deedText(move)}</span>
        </button>
      </p>
      {open && <MoveCard session={session} move={move} />}
    </li>
  )
}

/** Moves, each verified in this browser as it is shown. */
export const MoveList = ({
  session,
  moves,
}: {
  readonly session: PageSession
  readonly moves: readonly MoveItem[]
}) => {
  const found = useChecked(session, moves)
  return (
    <ul class="rows">
      {moves.map((it) => (
        <Row key={it.op_digest} session={session} move={it} found={found(it)} />
      ))}
    </ul>
  )
}
