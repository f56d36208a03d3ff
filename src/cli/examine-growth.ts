import type { Growth } from '#node/growth.ts'
import { type Finding, findings } from './finding.ts'

/** Under a month: time to order a disk, or to think about what ticks how often. */
const WARN_DAYS = 30
/** Under two: it may be full before anybody looks again, as over a weekend, and a full disk stops all sealing. */
const FAIL_DAYS = 2
const HOURS_PER_DAY = 24
const DAYS_TOLD_MAX = 3_650

const units = [
  ['TB', 1e12],
  ['GB', 1e9],
  ['MB', 1e6],
] as const

const bytesText = (bytes: number): string => {
  const [unit, size] = units.find(([, from]) => bytes >= from) ?? ['kB', 1e3]
  return `${Number((bytes / size).toPrecision(3))} ${unit}`
}

const daysText = (days: number): string => {
  if (days < FAIL_DAYS) return `${Math.floor(days * HOURS_PER_DAY)} hours`
  return days > DAYS_TOLD_MAX ? 'more than ten years' : `${Math.floor(days)} days`
}

/** How long the disk lasts with the channels that tick by themselves. */
export const examineGrowth = (growth: Growth): Finding => {
  const { ok, warn, fail } = findings('growth')
  const { channels, days, bytes_per_tick: perTick, bytes_per_day: perDay, measured } = growth
  if (channels === 0 || days === null) return ok('no stream ticks by itself: the data grow by what is asked for alone')
  const found = `${perTick.toLocaleString('en')} bytes a tick${measured ? '' : ', a guess while the data are few'}`
  const ticks = Math.round(growth.ticks_per_day).toLocaleString('en')
  const streams = channels === 1 ? '1 stream ticks by itself' : `${channels} streams tick by themselves`
  const rate = `${streams}, ${ticks} ticks a day: ${bytesText(perDay)} a day`
  const detail = `${rate} (${found}); the disk lasts ${daysText(days)}`
  if (days >= WARN_DAYS) return ok(detail)
  // What is sealed stays: there is nothing to prune.
  const hint =
    '`tickmesh streams patch <id> --interval <n>` (or --autotick false) seals less; ' +
    '`tickmesh backup create` and `backup restore` move the data to a larger disk'
  return days < FAIL_DAYS ? fail(detail, hint) : warn(detail, hint)
}
