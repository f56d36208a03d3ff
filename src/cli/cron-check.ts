import { NS_PER_SECOND } from '#core/time.ts'
import { nodeClock } from '#node/clock.ts'
import { noZone, spanAround, zoneTable } from '#node/zones.ts'
import { readCron } from '#numerics/contracts/cron/cron.ts'

/** Why a pattern of cron says no times by the clock of a zone, as this machine knows zones; undefined where it does. */
export const cronCheck = (pattern: string, zone: string): string | undefined => {
  const reasons = readCron(pattern).faults.map(({ field, reason }) => `${field}: ${reason}`)
  const now = Number(nodeClock().now() / NS_PER_SECOND)
  if (zoneTable(zone, spanAround(now)) === undefined) reasons.push(noZone(zone).message)
  return reasons.length === 0 ? undefined : reasons.join('; ')
}
