import { FactBox } from '#ui/part/fact.tsx'
import type { MeshStatus } from './mesh.ts'

/** What became of the messages since the node started. */
export const Gossip = ({ mesh: { counters, redis } }: { readonly mesh: Pick<MeshStatus, 'counters' | 'redis'> }) => {
  const { received, repeated, dropped, published, unpublished } = counters
  const named = (of: Readonly<Record<string, number>>, words: (name: string) => string) =>
    Object.entries(of).map(([name, count]) => [words(name), count] as const)
  const rows = [
    ...named(received, (it) => `received by ${it}`),
    ...named(repeated, (it) => it),
    ['published', published] as const,
    ['not published', unpublished] as const,
    ...named(dropped, (it) => `dropped: ${it.replaceAll('_', ' ')}`),
  ].filter(([name, count]) => count > 0 || !name.startsWith('dropped'))
  return (
    <section class="card" aria-label="Gossip">
      <h3>Gossip since the start</h3>
      <dl class="facts">
        {redis.state !== 'off' && <FactBox name="Redis">{[redis.state, redis.reason ?? ''].join(' ').trim()}</FactBox>}
        {rows.map(([name, count]) => (
          <FactBox key={name} name={name}>
            {count}
          </FactBox>
        ))}
      </dl>
    </section>
  )
}
