import { FactBox } from '#ui/part/fact.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import type { MeshStatus } from './mesh.ts'

const nameOf = (origin: string): string => (origin.includes('.events/') ? 'event log' : 'seal log')

const behindText = (size: number | null, cosigned: number): string =>
  size === null || cosigned >= size ? 'the newest' : `${size - cosigned} behind`

const Log = ({ log, quorum }: { readonly log: MeshStatus['witness']['logs'][number]; readonly quorum: string }) => (
  <li data-log={log.origin}>
    <h4>
      {nameOf(log.origin)}{' '}
      <span class={`badge ${log.witnessed > 0 ? 'final' : ''}`} data-witnessed={log.witnessed}>
        {log.witnessed} {log.witnessed === 1 ? 'witness' : 'witnesses'}
      </span>
    </h4>
    <dl class="facts">
      <FactBox name="newest checkpoint">{log.size === null ? 'none yet' : `${log.size} leaves`}</FactBox>
      <FactBox name={quorum === 'asked' ? 'quorum reached' : 'cosigned'}>
        {log.quorum_size === null ? 'not yet' : `${log.quorum_size} leaves`}
      </FactBox>
    </dl>
    {log.witnesses.length > 0 && (
      <RowTable heads={['Witness', 'Cosigned', 'Is']}>
        {log.witnesses.map(({ name, size }) => (
          <tr key={name} data-witness={name}>
            <th scope="row" class="wrap">
              <code>{name}</code>
            </th>
            <td data-label="cosigned">{size} leaves</td>
            <td data-label="is">{behindText(log.size, size)}</td>
          </tr>
        ))}
      </RowTable>
    )}
  </li>
)

const stateWords: Readonly<Record<string, string>> = {
  growing: 'its logs grow as witnesses saw them',
  unconfirmed: 'just started: its witnesses are being asked how far they saw it',
  rolled_back: 'it has lost what it signed',
}

/** Who has cosigned this node's logs, and what it is as a witness itself. */
export const Witnesses = ({ witness }: { readonly witness: MeshStatus['witness'] }) => {
  const { logs, quorum, vkey, logs_known: known, state } = witness
  return (
    <section class="card" aria-label="Witnesses" data-state={state}>
      <h3>Witnesses</h3>
      <p>
        {quorum === 'asked' ? 'The policy asks for a quorum.' : 'No policy asks for cosignatures; they are kept.'}{' '}
        <span class="about">State: {stateWords[state] ?? state.replaceAll('_', ' ')}.</span>
      </p>
      <ul class="rows">
        {logs.map((log) => (
          <Log key={log.origin} log={log} quorum={quorum} />
        ))}
      </ul>
      <h4>As a witness itself</h4>
      <p>
        It has cosigned {known} {known === 1 ? 'log' : 'logs'} of others.
      </p>
      <p class="about">
        <code>{vkey}</code>
      </p>
    </section>
  )
}
