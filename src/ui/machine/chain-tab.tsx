import { useState } from 'preact/hooks'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { ChainList } from './chain-list.tsx'
import { type Machine, reaches } from './machine.ts'
import { TimeSlider } from './time-slider.tsx'
import type { LiveFeed } from './use-feed.ts'
import { WriteForm } from './write-form.tsx'

interface Props {
  readonly session: PageSession
  readonly machine: Machine
  readonly live: LiveFeed
}

/** Tick of the newest entry that is known. */
const tickOf = ({ feed }: LiveFeed, machine: Machine): number => {
  const last = feed.items.at(-1)
  return Math.max(machine.head.tick, last?.kind === 'entry' ? last.row.tickNumber : 0)
}

/** The chain as it grows, and the slider over it. */
export const ChainTab = ({ session, machine, live }: Props) => {
  const [at, move] = useState<number>()
  const size = Math.max(machine.head.size, live.feed.size)
  const { problem, link } = live
  return (
    <>
      {link === 'refused' && problem !== undefined && <ProblemCard problem={problem} />}
      {reaches(machine.role, 'operator') && <WriteForm session={session} machine={machine} />}
      <div class="split">
        <TimeSlider
          session={session}
          machine={machine}
          size={size}
          tick={tickOf(live, machine)}
          at={at}
          onMove={move}
        />
        <ChainList
          session={session}
          slug={machine.slug}
          genesis={machine.genesis_hash}
          live={live}
          chosen={at}
          onChoose={move}
        />
      </div>
    </>
  )
}
