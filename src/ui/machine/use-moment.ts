import { useEffect, useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import { type ServerReading, useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'

/** Where a machine stood after one entry. */
export type MachineSnapshot = ResultAt<'GET /api/chain/{slug}/at'>['snapshot']

/** A place in a chain: after an entry, or at the end of a tick. */
export interface ChainPosition {
  readonly by: 'seq' | 'tick'
  readonly at: number
}

/** The state at a place, and the one before it, where there is one. */
export interface MachineMoment {
  readonly here: MachineSnapshot
  readonly before: MachineSnapshot | undefined
}

/** A value that changes no more often than this; the last one always comes. */
const useCalm = <T>(value: T, everyMs: number): T => {
  const [calm, show] = useState({ value, due: 0 })
  useEffect(() => {
    if (value === calm.value) return
    const wait = Math.max(0, calm.due - performance.now())
    const timer = setTimeout(() => show({ value, due: performance.now() + everyMs }), wait)
    return () => clearTimeout(timer)
  }, [value, calm, everyMs])
  return calm.value
}

interface Asked {
  readonly session: PageSession
  readonly slug: string
  readonly place: ChainPosition
  /** The least place: before it there is nothing. */
  readonly least: number
  /** How often the node is asked at most while the place moves. */
  readonly everyMs: number
}

/** Where a machine stood at a place, as the node says. */
export const useMoment = ({ session, slug, place, least, everyMs }: Asked): ServerReading<MachineMoment> => {
  // The two belong together: a number of one kind is never asked for as one of the other.
  const name = useCalm(`${place.by}=${place.at}`, everyMs)
  return useReading(
    async (signal) => {
      const [by = '', at = ''] = name.split('=')
      const read = async (number: number): Promise<MachineSnapshot> => {
        const asked = by === 'seq' ? { slug, seq: number } : { slug, tick: number }
        return (await session.call('GET /api/chain/{slug}/at', asked, { signal })).snapshot
      }
      const number = Number(at)
      const [here, before] = await Promise.all([read(number), number > least ? read(number - 1) : undefined])
      return { here, before }
    },
    { on: [session, slug, name, least] },
  )
}
