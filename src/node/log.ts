import { pino } from 'pino'
import { createRepeats, type RepeatBounds } from '#core/repeats.ts'
import type { Log } from '#core/telemetry.ts'

/** Names of fields whose values never reach a log, at the two depths at which fields are logged. */
const SECRET_FIELDS = [
  'secret',
  'key',
  'api_key',
  'apiKey',
  'ownerKey',
  'token',
  'share_token',
  'session',
  'sig',
  'cookie',
  'authorization',
  'password',
  'seed',
  'handshake',
]

const KEPT = '[kept]'

/**
 * What a secret of this node looks like wherever it stands, also in the midst of an error's message: API keys of every
 * kind, whatever follows `Bearer`, and the token of an address.
 */
const SECRET_TEXT = new RegExp(
  [
    /\b(?:svc_demo_|svc_ak_|zsm_|sck_)[0-9A-Za-z]{43}/,
    /(?<=\bBearer +)[^\s"\\]+/,
    /(?<=[?&#](?:token|key|secret|sig|session)=)[^\s&"\\]+/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
)

const CLOCK_DIGITS = 12

/** One event may say this much in a minute; what is more is counted and told when the minute is over. */
const REPEATS: RepeatBounds = { timesMax: 60, windowMs: 60_000, keysMax: 256 }

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

/** A logger whose errors have name, stack and cause, and whose lines hold no secret. */
const loggerOf = (level: string, sink: LogSink) => {
  const write = (line: string): void => {
    const clean = line.replace(SECRET_TEXT, KEPT)
    sink.write(sink.isTTY === true ? pretty(clean) : clean)
  }
  return pino(
    {
      level,
      base: null,
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: KEPT },
      serializers: { error: pino.stdSerializers.err },
    },
    { write },
  )
}

/**
 * Lines at or above a level: JSON, or plain text when a person watches. stdout stays free for data. An event that
 * repeats itself is held back after its first lines, and a line `repeated` says how often; at debug level all is told.
 * Lines of the audit have `"log":"audit"` and are written whatever the level, unless that is silent. Files are not
 * rotated here: whoever runs the service owns its stderr.
 *
 * @param nowMs a clock in milliseconds that never falls.
 */
export const createLog = (level: string, sink: LogSink, nowMs = (): number => performance.now()): Log => {
  const logger = loggerOf(level, sink)
  const audit = logger.child({ log: 'audit' }, { level: level === 'silent' ? 'silent' : 'info' })
  const repeats = createRepeats(REPEATS)

  const tell = (severity: 'info' | 'warn' | 'error', fields: object, event: string): void => {
    if (!logger.isLevelEnabled(severity)) return
    const now = nowMs()
    for (const [of, times] of repeats.over(now)) logger.warn({ of, times }, 'repeated')
    if (logger.isLevelEnabled('debug') || repeats.admit(`${severity} ${event}`, now)) logger[severity](fields, event)
  }
  return {
    debug: (fields, event) => logger.debug(fields, event),
    info: (fields, event) => tell('info', fields, event),
    warn: (fields, event) => tell('warn', fields, event),
    error: (fields, event) => tell('error', fields, event),
    audit: (fields, event) => audit.info(fields, event),
  }
}

/** A log that keeps nothing. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  audit: () => undefined,
}
