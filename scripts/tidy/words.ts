import { codeOf, lineAt } from './scan.ts'
import { type Breach, breach, codeFiles, type Source, withoutKernels } from './source.ts'

const LINES_MAX = 400
const COLUMNS_MAX = 120

/** A pattern that may not stand in some files. */
interface Ban {
  readonly pattern: RegExp
  readonly say: string
  /** Whether it is looked for in the code alone; otherwise comments and strings count too. */
  readonly codeOnly: boolean
  readonly applies: (file: string) => boolean
}

const under = (...places: readonly string[]): ((file: string) => boolean) => {
  return (file) => places.some((place) => file === place || (place.endsWith('/') && file.startsWith(place)))
}
const except = (inside: (file: string) => boolean, ...places: readonly string[]): ((file: string) => boolean) => {
  const outside = under(...places)
  return (file) => inside(file) && !outside(file)
}

const everywhere = (): boolean => true
const src = under('src/')
/** The one file that has timers. */
const WAIT = 'src/core/wait.ts'
const pure = under('src/core/', 'src/numerics/', 'src/routing/')
const MATH = 'abs|sqrt|floor|ceil|trunc|round|min|max|sign|imul|clz32|fround'
const GLOBALS =
  'process|Buffer|Date|performance|setTimeout|setInterval|setImmediate|queueMicrotask|fetch|globalThis|console|Intl'

const bans: readonly Ban[] = [
  {
    pattern: new RegExp(`\\bMath\\b(?!\\.(?:${MATH})\\b)`, 'g'),
    say: 'not the same bits on every engine: use #numerics/math.ts, or core alone where no such function is needed',
    codeOnly: true,
    applies: pure,
  },
  { pattern: /\*\*/g, say: '** is not the same bits on every engine: multiply', codeOnly: true, applies: pure },
  {
    pattern: new RegExp(`(?<![.\\w$#])(?:${GLOBALS})\\b(?!\\s*\\??:)`, 'g'),
    say: 'core, numerics and routing are pure: no clock, no zones, no process, no waiting',
    codeOnly: true,
    applies: except(pure, WAIT),
  },
  {
    pattern: /\bawait\b/g,
    say: 'numerics does not wait',
    codeOnly: true,
    applies: under('src/numerics/', 'src/routing/'),
  },
  { pattern: /\busing\s+\w+\s*=/g, say: 'core and numerics run on Node 22 too', codeOnly: true, applies: pure },
  { pattern: /\bRegExp\.escape\b/g, say: 'core and numerics run on Node 22 too', codeOnly: true, applies: pure },
  {
    pattern: /(?<![.\w$])Date\b(?!\s*\??:)/g,
    say: 'time comes from the clock port',
    codeOnly: true,
    applies: except(src, 'src/node/clock.ts', 'src/core/', 'src/numerics/', 'src/routing/'),
  },
  {
    pattern: /\bset(?:Timeout|Interval)\b|\btimers\/promises\b/g,
    say: 'waiting stands once, in core/wait.ts; the page has timers for what is drawn',
    codeOnly: false,
    applies: except(src, WAIT, 'src/ui/', 'src/cli/signals.ts'),
  },
  {
    pattern: /\bprocess\.env\b/g,
    say: 'only the configuration and the command line see the environment',
    codeOnly: true,
    applies: except(src, 'src/node/', 'src/cli/'),
  },
  {
    pattern: /\bconsole\b/g,
    say: 'log with fields, through the log',
    codeOnly: true,
    applies: except(src, 'src/cli/', 'src/node/'),
  },
  {
    pattern: /\bMath\.random\b/g,
    say: 'randomness comes from the system or from a seed',
    codeOnly: true,
    applies: everywhere,
  },
  { pattern: /\b(?:TO[D]O|FIX[M]E|X[X]X)\b/g, say: 'finish it or drop it', codeOnly: false, applies: everywhere },
  { pattern: /@ts-(?:ig[n]ore|noch[e]ck)\b/g, say: 'types are not switched off', codeOnly: false, applies: everywhere },
  {
    pattern: /\bsetTimeout\b/g,
    say: 'no sleeping in tests: wait for the event, or until() of the kit',
    codeOnly: true,
    applies: except(under('test/'), 'test/kit/'),
  },
  { pattern: /\.only\b/g, say: 'tests left out by .only count as skipped', codeOnly: true, applies: under('test/') },
  {
    pattern: /\b(?:const|let|function|class|interface|type)\s+\w*(?:Manager|Helper|Utils?|Impl)(?![a-z])\w*/g,
    say: 'name what it does, not Manager, Helper, Utils or Impl',
    codeOnly: true,
    applies: everywhere,
  },
]

const banned = ({ file, text, code }: Source): readonly Breach[] =>
  bans
    .filter((ban) => ban.applies(file))
    .flatMap((ban) => {
      const found = (ban.codeOnly ? code : text).matchAll(ban.pattern)
      return [...found].map((it) => breach(file, `${it[0]}: ${ban.say}`, lineAt(text, it.index)))
    })

/** A path of the interface, as a service would say it to a caller. */
const ROUTE = /(?<![\w.#])\/(?:api|control|witness|owner)\b[/\w{}]*/g

/** A service knows what it means; what that is called stands in the literals (api/told-routes.ts hands it over). */
export const routeBreaches = (sources: readonly Source[]): readonly Breach[] =>
  withoutKernels(sources)
    .filter(({ file }) => under('src/domain/', 'src/routing/', 'src/store/')(file))
    .flatMap(({ file, text }) =>
      [...codeOf(text, true).matchAll(ROUTE)].map((it) =>
        breach(file, `${it[0]}: a service knows kinds of work, and no routes`, lineAt(text, it.index)),
      ),
    )

/** Words that may not stand where they stand. */
export const wordBreaches = (sources: readonly Source[]): readonly Breach[] => withoutKernels(sources).flatMap(banned)

/** Files and lines have an end. Rows of data and the text of documents may be as long as they are. */
export const sizeBreaches = (sources: readonly Source[]): readonly Breach[] =>
  codeFiles(sources).flatMap(({ file, text }) => {
    const lines = text.replace(/\n$/, '').split('\n')
    const long = lines.flatMap((line, at) =>
      line.length > COLUMNS_MAX ? [breach(file, `${line.length} columns; the limit is ${COLUMNS_MAX}`, at + 1)] : [],
    )
    return lines.length > LINES_MAX ? [...long, breach(file, `${lines.length} lines; the limit is ${LINES_MAX}`)] : long
  })

const EXPORTED_FUNCTION =
  /^export (?:async )?(?:function\b|const \w+(?::[^=\n]+)? = (?:async )?(?:<[^>\n]*>\s*)?(?:\(|\w+ =>))/gm

/** Whether a comment stands above an offset, or above the paragraph of one-line exports that it belongs to. */
const isDescribed = (text: string, offset: number): boolean => {
  const above = text.slice(0, offset).split('\n').slice(0, -1)
  return (
    above
      .findLast((line) => !line.startsWith('export '))
      ?.trim()
      .endsWith('*/') ?? false
  )
}

/** Every exported function says what it does: meaning, units, faults, source. The ports' interface says it for both. */
export const commentBreaches = (sources: readonly Source[]): readonly Breach[] =>
  withoutKernels(sources)
    .filter(({ file }) => src(file) && !file.startsWith('src/ports/crypto.'))
    .flatMap(({ file, text, code }) =>
      [...code.matchAll(EXPORTED_FUNCTION)]
        .filter((it) => !isDescribed(text, it.index))
        .map((it) => breach(file, 'an exported function has a doc comment', lineAt(text, it.index))),
    )

const TEST_IMPORTS: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^(?:node:)?timers(?:\/promises)?$/, 'no sleeping in tests: wait for the event, or until() of the kit'],
  [/^(?:uvu|node:test)$/, 'takes suite from the kit, which has time limits'],
]

/**
 * A test says what it is for before it says anything else, and neither sleeps nor runs without the kit's time limits.
 */
export const testBreaches = (sources: readonly Source[]): readonly Breach[] =>
  sources
    .filter(({ file }) => /^test\/.*\.test\.ts$/.test(file))
    .flatMap(({ file, text, imports }) => [
      ...(/^\/[/*]/.test(text) ? [] : [breach(file, 'opens with a comment: goal and method', 1)]),
      ...imports.flatMap(({ from, line }) =>
        TEST_IMPORTS.filter(([pattern]) => pattern.test(from)).map(([, why]) => breach(file, why, line)),
      ),
    ])

const RANGE = /"(?:[^"]+)":\s*"(?:[\^~><=*]|latest)[^"]*"/g

/** Dependencies are pinned exactly, and the lock file does not name the registry of the machine that wrote it. */
export const pinBreaches = (sources: readonly Source[]): readonly Breach[] =>
  sources.flatMap(({ file, text }) => {
    const [pattern, why] =
      file === 'package.json'
        ? ([RANGE, 'pin the exact version'] as const)
        : file === 'package-lock.json'
          ? ([/"resolved":\s*"https?:[^"]*"/g, 'the lock file names a registry'] as const)
          : []
    if (pattern === undefined) return []
    return [...text.matchAll(pattern)]
      .filter((it) => !it[0].startsWith('"node":'))
      .map((it) => breach(file, `${it[0]}: ${why}`, lineAt(text, it.index)))
  })

/** A place on somebody's machine: it means nothing in a clone. Split, so that this line does not find itself. */
const MACHINE = new RegExp(`(?<![\\w.\\-}/~])/(?:${['home', 'root', 'Users', 'work', 'mnt'].join('|')})/[\\w.]`, 'g')

/** No file names a place on the machine it was written on. */
export const placeBreaches = (sources: readonly Source[]): readonly Breach[] =>
  sources.flatMap(({ file, text }) =>
    [...text.matchAll(MACHINE)].map((it) => breach(file, `${it[0]}…: a place on one machine`, lineAt(text, it.index))),
  )
