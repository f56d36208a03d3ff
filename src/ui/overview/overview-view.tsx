import { Asking } from '#ui/front/asking.tsx'
import { useReading } from '#ui/server/reading.ts'
import { remembered } from '#ui/server/remembered.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import type { ViewProps } from '#ui/view-props.ts'
import { readNode, readOwn } from './read.ts'
import { Jobs, Machines, NodeTile, Rate, Receipts, RememberedReceipts } from './tiles.tsx'

const READ_EVERY_MS = 3000

/** Where somebody comes back to: what the node does now, and what is theirs. */
export const OverviewView = ({ session, solvers, shown, query, runs }: ViewProps) => {
  const everyMs = shown ? READ_EVERY_MS : undefined
  const { key, kind, zid } = session.self
  const { value: node, problem } = useReading(readNode, { everyMs, on: [] })
  const { value: own } = useReading((signal) => readOwn(session, signal), { everyMs, on: [session, key, zid, runs] })
  const memory = kind === 'demo' ? remembered(session.node) : []
  return (
    <article class="overview">
      <h2>Overview</h2>
      <Asking session={session} solvers={solvers} shown={shown} query={query} at="overview" />
      {problem !== undefined && <ProblemCard problem={problem} />}
      <div class="overview-tiles">
        {node !== undefined && <Rate node={node} />}
        {node !== undefined && <NodeTile node={node} own={own} />}
        <Receipts own={own} solvers={solvers} />
        <Jobs own={own} solvers={solvers} />
        {node !== undefined && <Machines node={node} />}
        {memory.length > 0 && <RememberedReceipts all={memory} solvers={solvers} />}
      </div>
    </article>
  )
}
