import { readFileSync } from 'node:fs'
import type { Log } from '#core/telemetry.ts'

/** Files of the node itself: those of its database, which keeps a thousand open at most, and some more. */
const OWN_FILES = 1_280
/** Of all files, the part that sockets have where that is all there is. */
const LEAST_PART = 0.25

const LIMITS = '/proc/self/limits'
const OPEN_FILES = /^Max open files\s+(\d+)/m

/** What the system says that this process may have; undefined where it says nothing. */
const limitsOfProcess = (): string | undefined => {
  try {
    return readFileSync(LIMITS, 'utf8')
  } catch {
    return undefined
  }
}

interface Settings {
  readonly http: { readonly connectionsMax: number }
  readonly sockets: { readonly clientsMax: number }
}

/**
 * The settings, with no more sockets than files may be open beside calls and the node's own: with the last file gone
 * the database could open none, and everything would stand still.
 *
 * @param limits text of `/proc/self/limits`.
 */
export const bounded = <S extends Settings>(
  settings: S,
  log: Pick<Log, 'warn'>,
  limits: string | undefined = limitsOfProcess(),
): S => {
  const { http, sockets } = settings
  const files = Number(OPEN_FILES.exec(limits ?? '')?.[1] ?? Number.POSITIVE_INFINITY)
  const room = Math.max(Math.floor(files * LEAST_PART), files - http.connectionsMax - OWN_FILES)
  if (room >= sockets.clientsMax) return settings
  log.warn({ open_files: files, sockets: room, wanted: sockets.clientsMax }, 'sockets_bounded_by_open_files')
  return { ...settings, sockets: { ...sockets, clientsMax: room } }
}
