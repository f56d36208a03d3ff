import type { ComponentChildren } from 'preact'
import { Since } from '#ui/part/ago.tsx'
import { Short } from '#ui/part/short.tsx'
import { nameOf } from './entry.ts'
import type { MachineMoment, MachineSnapshot } from './use-moment.ts'

interface Fact {
  readonly name: string
  /** What is compared. */
  key(of: MachineSnapshot): string
  show(of: MachineSnapshot): ComponentChildren
}

const facts: readonly Fact[] = [
  { name: 'entries', key: (it) => String(it.size), show: (it) => it.size },
  { name: 'status', key: (it) => it.status, show: (it) => it.status },
  {
    name: 'state hash',
    key: (it) => it.state_hash ?? '',
    show: (it) => (it.state_hash === null ? <span class="about">none yet</span> : <Short text={it.state_hash} />),
  },
  { name: 'last entry', key: (it) => `${it.seq}`, show: (it) => `#${it.seq} ${nameOf(it)}` },
  {
    name: 'moved',
    key: (it) => String(it.tickNumber),
    show: (it) => <Since iso={it.createdAt} tick={it.tickNumber} />,
  },
  { name: 'chain hash', key: (it) => it.stateHash, show: (it) => <Short text={it.stateHash} /> },
]

/** Where a machine stood, beside where it stood before; what changed is marked. */
export const MomentTable = ({ moment: { here, before } }: { readonly moment: MachineMoment }) => (
  <div class="scroll">
    <table class="list moment">
      <thead>
        <tr>
          <th scope="col">
            <span class="unseen">What</span>
          </th>
          <th scope="col">Here</th>
          <th scope="col">Before</th>
        </tr>
      </thead>
      <tbody>
        {facts.map(({ name, key, show }) => {
          const changed = before !== undefined && key(before) !== key(here)
          return (
            <tr key={name} data-fact={name} data-changed={changed} class={changed ? 'changed' : undefined}>
              <th scope="row">
                {name} {changed && <span class="unseen">(changed)</span>}
              </th>
              <td>{show(here)}</td>
              <td class="about">{before === undefined ? '–' : changed ? show(before) : 'the same'}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  </div>
)
