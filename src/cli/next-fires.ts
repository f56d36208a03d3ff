import { isoOf, parseIsoMs } from '#core/iso.ts'
import { parseJson } from '#core/json.ts'
import { shortened } from '#core/near-names.ts'
import { MS_PER_SECOND, NS_PER_SECOND, SECONDS_PER_DAY, SECONDS_PER_HOUR } from '#core/time.ts'
import { nodeClock } from '#node/clock.ts'
import { noZone, ownZone, spanAround, type ZoneSpan, zoneTable } from '#node/zones.ts'
import {
  duesAfter,
  lastDue,
  offsetAt,
  onClock,
  readCron,
  readZoneTable,
  type ZoneTable,
  zoneDigest,
  zoneOf,
} from '#numerics/contracts/cron/cron.ts'
import type { Invocation } from './command.ts'
import { type Exit, exits } from './exit.ts'
import { readBounded } from './files.ts'
import { wholeOption } from './input.ts'
import { present, table } from './io.ts'
import { CliError, usageError } from './problem.ts'

const COUNT_DEFAULT = 10
const COUNT_MAX = 1_000
/** Unix seconds at the beginning of 1972 and of 9900: a table around them is of years that dates are written for. */
const [FROM_MIN, FROM_END] = [63_072_000, 250_246_627_200]
/** Bytes of a file that holds a table: one of all changes that there may be has a third of it. */
const TABLE_BYTES_MAX = 65_536
/** From the first day of Unix time on. */
const WEEKDAYS = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed']

/** A due instant as a person and a program read it. */
interface NextFire {
  readonly unix: number
  readonly utc: string
  /** By the clock of the pattern's zone, and of this machine's. */
  readonly zoned: string
  readonly local: string
  readonly mark: 'gap' | 'first' | 'again' | null
  /** Of `gap`: the due minute that the clock leaps over. */
  readonly wanted: string | null
}

const patternOf = (text: string) => {
  const { cron, faults } = readCron(text)
  if (cron !== undefined) return cron
  const lines = faults.map(({ field, reason }) => `${field}: ${reason}`)
  throw new CliError(exits.usage, lines.join('; '), { code: 'USAGE', details: { faults } })
}

const instantOf = (text: string | boolean | undefined): number => {
  if (text === undefined) return Number(nodeClock().now() / NS_PER_SECOND)
  const given = String(text)
  const ms = parseIsoMs(given) ?? (/^\d{1,12}$/.test(given) ? Number(given) * MS_PER_SECOND : undefined)
  const instant = Math.floor((ms ?? 0) / MS_PER_SECOND)
  if (instant >= FROM_MIN && instant < FROM_END) return instant
  throw usageError(
    `--from takes an instant of 1972 to 9899, such as 2027-03-28T00:00:00Z, or Unix seconds; got "${text}"`,
  )
}

/** A table from a file: itself, or the member `table` of an answer. @throws CliError, Fault */
const tableIn = async (file: string, signal: AbortSignal): Promise<ZoneTable> => {
  const bytes = await readBounded(file, TABLE_BYTES_MAX, signal)
  if (bytes === undefined) {
    throw new CliError(exits.failure, `${file} is larger than ${TABLE_BYTES_MAX} bytes`, { code: 'INPUT_TOO_LARGE' })
  }
  const read = parseJson(bytes, TABLE_BYTES_MAX)
  const isAnswer = typeof read === 'object' && read !== null && 'table' in read
  return readZoneTable(isAnswer ? read['table'] : read)
}

const tableNamed = (zone: string, span: ZoneSpan): ZoneTable => {
  const found = zoneTable(zone, span)
  if (found !== undefined) return found
  const { message, suggestions } = noZone(zone)
  throw new CliError(exits.usage, message, { code: 'USAGE', details: { zone: shortened(zone), suggestions } })
}

const tableOf = async ({ options, signal }: Invocation, from: number): Promise<ZoneTable> => {
  const { zone = 'UTC', table: file } = options
  if (file === undefined) return tableNamed(String(zone), spanAround(from))
  if (options['zone'] !== undefined) throw usageError('a table names its zone: either --zone or --table')
  const found = await tableIn(String(file), signal)
  if (from >= found.from && from < found.until) return found
  throw usageError(`the table is for ${dateOf(found.from)} to ${dateOf(found.until)}: --from lies outside of it`)
}

const civilText = (civil: number): string => isoOf(BigInt(civil) * NS_PER_SECOND).slice(0, 19)
const dateOf = (instant: number): string => civilText(instant).slice(0, 10)

const offsetText = (offset: number): string => {
  const size = Math.abs(offset)
  const [hours, minutes, seconds] = [Math.floor(size / SECONDS_PER_HOUR), Math.floor(size / 60) % 60, size % 60]
  const parts = seconds === 0 ? [hours, minutes] : [hours, minutes, seconds]
  return `${offset < 0 ? '-' : '+'}${parts.map((it) => String(it).padStart(2, '0')).join(':')}`
}

const clockText = (instant: number, offset: number): string => `${civilText(instant + offset)}${offsetText(offset)}`

/** `Sun 2027-03-28 03:00 +02:00` */
const forPeople = (instant: number, offset: number): string => {
  const weekday = WEEKDAYS[Math.floor((instant + offset) / SECONDS_PER_DAY) % WEEKDAYS.length]
  const time = civilText(instant + offset)
    .replace('T', ' ')
    .replace(/:00$/, '')
  return `${weekday} ${time} ${offsetText(offset)}`
}

const noteOf = ({ mark, wanted }: NextFire): string => {
  if (mark === 'gap') return `gap: the clock leaps over ${wanted?.slice(0, 16).replace('T', ' ')}`
  if (mark === null) return ''
  return mark === 'first' ? 'comes twice: the first time' : 'comes twice: again'
}

/** `tickmesh contracts next`: due instants of a pattern, worked out here. */
export const showNextFires = async (invocation: Invocation): Promise<Exit> => {
  const { args, options, io } = invocation
  const cron = patternOf(args[0] ?? '')
  const from = instantOf(options['from'])
  const countMax = wholeOption(options['count'], '--count') ?? COUNT_DEFAULT
  if (countMax < 1 || countMax > COUNT_MAX) throw usageError(`--count takes 1 to ${COUNT_MAX}`)
  const pinned = await tableOf(invocation, from)
  const [own, zone] = [ownZone(), zoneOf(pinned)]
  const here = zoneOf(zoneTable(own, pinned) ?? tableNamed('UTC', pinned))
  const fireOf = (unix: number): NextFire => {
    const { offset, mark = null, wanted } = onClock(cron, zone, unix)
    const [zoned, local] = [clockText(unix, offset), clockText(unix, offsetAt(here, unix))]
    const utc = `${civilText(unix)}Z`
    return { unix, utc, zoned, local, mark, wanted: wanted === undefined ? null : civilText(wanted) }
  }
  const { until } = pinned
  const next = duesAfter(cron, zone, { after: from, until, countMax }).map(fireOf)
  const before = lastDue(cron, zone, from + 1)
  const answer = {
    ...{ ok: true, pattern: cron.pattern, zone: pinned.zone, digest: zoneDigest(pinned), from, until },
    ...{ local_zone: own, last: before === undefined ? null : fireOf(before), next, table: pinned },
  }
  const rowOf = (it: NextFire) => [
    forPeople(it.unix, offsetAt(zone, it.unix)),
    forPeople(it.unix, offsetAt(here, it.unix)),
    noteOf(it),
  ]
  present(io, answer, () => {
    const rows = [[pinned.zone, `here (${own})`, ''], ...next.map(rowOf)]
    const last = before === undefined ? [] : [`last: ${forPeople(before, offsetAt(zone, before))}`]
    const end =
      next.length < countMax ? [`the table of ${pinned.zone} ends ${dateOf(until)}: later ones are not known`] : []
    const lines = table(rows)
      .split('\n')
      .map((it) => it.trimEnd())
    return [...lines, ...last, ...end, `zone table ${answer.digest}`].join('\n')
  })
  return exits.ok
}
