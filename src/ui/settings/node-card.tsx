import type { ResultAt } from '#api/result-of.ts'
import { SECONDS_PER_DAY, secondsOf } from '#core/time.ts'
import { Ago } from '#ui/part/ago.tsx'
import { Fact } from '#ui/part/fact.tsx'
import { call } from '#ui/server/api.ts'
import { useReading } from '#ui/server/reading.ts'
import { bytesText } from '#ui/text/bytes.ts'
import { waitText } from '#ui/text/numbers.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'

const READ_EVERY_MS = 10_000
const BYTES_PER_MIB = 1_048_576
/** Jumps that are shown, newest first. */
const JUMPS_MAX = 8

const Jumps = ({ jumps }: { readonly jumps: ResultAt<'GET /api/daemon/status'>['clock_jumps'] }) =>
  jumps.length === 0 ? (
    <>none since the start</>
  ) : (
    <ul class="plain">
      {jumps
        .slice(-JUMPS_MAX)
        .reverse()
        .map(({ tick, step_ns: step }) => (
          <li key={tick}>
            <Ago tick={tick} />: {secondsOf(BigInt(step)).toFixed(1)} s forward
          </li>
        ))}
    </ul>
  )

/** Why a disk is full: what of it is this node's, of which parts, and what is not. */
const Storage = ({ of }: { readonly of: ResultAt<'GET /api/daemon/status'>['storage'] }) => {
  const { used_bytes: used, free_bytes: free, disk_bytes: disk, parts, growth } = of
  return (
    <>
      {bytesText(used)}: database {bytesText(parts.database)}, archives from before upgrades {bytesText(parts.backups)},
      keys and other files {bytesText(parts.other)}
      <br />
      <span class="about">
        On a disk of {bytesText(disk)}, {bytesText(Math.max(0, disk - free - used))} is not this node’s and{' '}
        {bytesText(free)} is free.
        {growth.days !== null && (
          <>
            {' '}
            Streams that tick by themselves take {bytesText(growth.bytes_per_day)} a day: it lasts{' '}
            {waitText(growth.days * SECONDS_PER_DAY)}.
          </>
        )}
      </span>
    </>
  )
}

interface Props {
  readonly vkey: string
  readonly node: string
}

/** Which node this is: release, build, registry, clock. */
export const NodeCard = ({ vkey, node }: Props) => {
  const { value: it, problem } = useReading((signal) => call('GET /api/daemon/status', {}, { signal }), {
    everyMs: READ_EVERY_MS,
    on: [],
  })
  return (
    <section class="card" aria-label="This node">
      <h3>This node</h3>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {it !== undefined && (
        <dl>
          <Fact name="version">
            {it.version}, kernel {it.kernel_version}, {it.endpoints} endpoints
          </Fact>
          <Fact name="build">
            <code>{it.build}</code>
          </Fact>
          <Fact name="registry">
            <code>{it.registry_version}</code>
          </Fact>
          <Fact name="node">
            <code>{node}</code>
          </Fact>
          <Fact name="log key">
            <code>{vkey}</code>
          </Fact>
          <Fact name="state">
            {it.state} for {waitText(it.uptime_seconds)}{' '}
            <span class="about">
              (tick {it.tick} of its own clock, {it.mesh_tick} of all nodes’)
            </span>
          </Fact>
          <Fact name="runs on">
            {it.node_version}, {it.platform}, {Math.round(it.rss_bytes / BYTES_PER_MIB)} MiB
          </Fact>
          <Fact name="data">
            <Storage of={it.storage} />
          </Fact>
          <Fact name="clock jumps">
            <Jumps jumps={it.clock_jumps} />
          </Fact>
        </dl>
      )}
    </section>
  )
}
