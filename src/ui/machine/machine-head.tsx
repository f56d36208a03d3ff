import { Since } from '#ui/part/ago.tsx'
import { FactBox } from '#ui/part/fact.tsx'
import { Short } from '#ui/part/short.tsx'
import type { Machine } from './machine.ts'
import type { LiveFeed } from './use-feed.ts'

/** How a status is coloured. */
export const statusClass = { active: 'final', paused: 'promised', archived: '' } as const

const roleWords = {
  none: 'you may read it, like everyone',
  viewer: 'you are a viewer: you may read',
  operator: 'you are an operator: you may write',
  admin: 'you are an admin: you may write, and make keys',
  owner: 'you are its owner',
} as const

/** What a machine is and where it stands. */
export const MachineHead = ({ machine, live }: { readonly machine: Machine; readonly live: LiveFeed }) => {
  const { slug, display_name: name, purpose, status, is_public: open, role } = machine
  const size = Math.max(machine.head.size, live.feed.size)
  return (
    <section class="machine-head" aria-label="Machine">
      <h2>{name ?? slug}</h2>
      <p class="row-head">
        <span class={`badge ${statusClass[status]}`} data-status={status}>
          {status}
        </span>
        <span class="badge" data-public={open}>
          {open ? 'public' : 'private'}
        </span>
        {machine.shared === true && <span class="badge">shared</span>}
        <span class="about">{roleWords[role]}</span>
      </p>
      {purpose !== null && purpose !== '' && <p class="lead">{purpose}</p>}
      <dl class="facts">
        <div>
          <dt>entries</dt>
          <dd data-entries={size}>{size}</dd>
        </div>
        <FactBox name="genesis">
          <Since iso={machine.created_at} tick={machine.genesis_tick} />
        </FactBox>
        <FactBox name="state hash">
          {machine.head.state_hash === null ? 'none yet' : <Short text={machine.head.state_hash} />}
        </FactBox>
        <FactBox name="id hash">
          <Short text={machine.id_hash} />
        </FactBox>
        {machine.owner_zid !== null && (
          <FactBox name="owner">
            <Short text={machine.owner_zid} />
          </FactBox>
        )}
      </dl>
    </section>
  )
}
