import { Ago, MeshTime } from '#ui/part/ago.tsx'
import { type ContractLine, placeOf, statusClass } from './contract.ts'

/** Contracts, a card each. */
export const ContractList = ({ contracts }: { readonly contracts: readonly ContractLine[] }) => (
  <ul class="machines">
    {contracts.map((it) => (
      <li key={it.id} class="card machine" data-contract={it.id}>
        <p class="machine-name">
          <a href={`#${placeOf(it)}`}>{it.name}</a>
        </p>
        <p class="row-head">
          <span class={`badge ${statusClass[it.status]}`}>{it.status}</span>
          <span>
            in <b>{it.state}</b>
          </span>
          {it.done && <span class="badge">done</span>}
        </p>
        <p class="about">
          {it.fire_count} {it.fire_count === 1 ? 'fire' : 'fires'} · version {it.version_no} · of{' '}
          <a href={`#machine/${it.slug}`}>{it.slug}</a> · made <Ago tick={it.created_tick} />
        </p>
        {it.next !== null && it.status === 'live' && (
          <p class="about">
            next by the clock: <MeshTime tick={it.next} />
          </p>
        )}
      </li>
    ))}
  </ul>
)
