import { pino } from 'pino'
import type { Log } from '#core/telemetry.ts'

/** Names of fields whose values never reach a log, at the two depths at which fields are logged. */
const SECRET_FIELDS = ['secret', 'key', 'token', 'cookie', 'authorization', 'password', 'seed', 'handshake']

const CLOCK_DIGITS = 12

/** One line a person can read: time, level, event, then the fields as they are. */
const pretty = (line: string): string => {
  const { level, time, event, ...fields } = JSON.parse(line) as Record<string, unknown>
  const rest = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `${String(time).slice(11, 11 + CLOCK_DIGITS)} ${String(level).padEnd(5)} ${String(event)} ${rest.join(' ')}\n`
}

/** Where log lines are written, e.g. `process.stderr`. */
export interface LogSink {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Lines at or above a level: JSON, or plain text when a person watches. stdout stays free for data. */
export const createLog = (level: string, sink: LogSink): Log => {
  const destination = { write: (line: string) => void sink.write(sink.isTTY === true ? pretty(line) : line) }
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: '[kept]' },
      serializers: { error: pino.stdSerializers.err },
    },
    destination,
  )
  return {
    debug: (fields, event) => logger.debug(fields, event),
    info: (fields, event) => logger.info(fields, event),
    warn: (fields, event) => logger.warn(fields, event),
    error: (fields, event) => logger.error(fields, event),
  }
}

/** A log that keeps nothing. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}
