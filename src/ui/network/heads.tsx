import { Short } from '#ui/part/short.tsx'
import { Ago } from './ago.tsx'
import type { HeadShape } from './shapes.ts'

/** Heads that are drawn. */
const ROWS_MAX = 64

/** The newest head of each log, as it was announced: it decides nothing. */
export const Heads = ({ heads, now }: { readonly heads: readonly HeadShape[]; readonly now: number }) => (
  <section class="card" aria-label="Heads">
    <h3>Heads of logs</h3>
    {heads.length === 0 ? (
      <p class="about">No other log has announced a head yet.</p>
    ) : (
      <>
        <p class="about">As they were announced; a head that is gossiped decides nothing.</p>
        <div class="scroll">
          <table class="list stack">
            <thead>
              <tr>
                <th scope="col">Log</th>
                <th scope="col">Leaves</th>
                <th scope="col">Root</th>
                <th scope="col">Seen</th>
              </tr>
            </thead>
            <tbody>
              {heads.slice(0, ROWS_MAX).map(({ origin, size, root, seen }) => (
                <tr key={origin} data-head={origin}>
                  <th scope="row" class="wrap">
                    <code>{origin}</code>
                  </th>
                  <td data-label="leaves">{size}</td>
                  <td data-label="root">
                    <Short text={root} />
                  </td>
                  <td data-label="seen">
                    <Ago tick={seen} now={now} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </>
    )}
  </section>
)
