import { join } from 'node:path'
import { faults } from '#core/fault.ts'
import { errorCode } from '#core/mmio/error-code.ts'
import { valueIn, wordOf } from '#core/mmio/page.ts'
import { type ShownRegister, shownOf } from '#core/mmio/shown.ts'
import {
  CONTROL_FILE,
  controlRegisters,
  interrupts,
  modeValues,
  PAGE_FILE,
  type Register,
  registerIn,
} from '#core/mmio/table.ts'
import { isOwnLayout, registerPlaceOf } from '#node/mmio-place.ts'
import { presenceOn } from '#node/runtime.ts'
import type { Invocation } from './command.ts'
import { configOf, connect, namedUrl } from './connection.ts'
import { type Exit, exits } from './exit.ts'
import { jsonText, present, printable } from './io.ts'
import { CliError, usageError } from './problem.ts'
import { assertLiving, controlOf, isGone, readPage, untilNextTick } from './register-page.ts'
import { registersText, rowsNamed, shownIn, valueText } from './register-text.ts'

/** Ticks until a request is acted on: two reads, the work, and the page after it; the rest is patience. */
const ANSWER_TICKS_MAX = 16
/** Seconds of one wait for an interrupt at a node that was named. */
const WAIT_SECONDS = 30
/** What is said of a page whose table is another than this command's. */
const OTHER_LAYOUT =
  'another release wrote this page: what only its table has is not shown, and what only this one has reads as nothing'
/** Registers that change with every page. */
const EVERY_PAGE = ['seqlock', 'crc', 'tick', 'mesh_tick', 'phase', 'r_t', 'monotonic_ns']

interface Paths {
  readonly page: string
  readonly control: string
}

/** Where the files of the own node are: as it says itself while it runs, else by the settings. */
const pathsOf = (invocation: Invocation): Paths => {
  const { file } = invocation.options
  if (typeof file === 'string') return { page: file, control: join(file, '..', CONTROL_FILE) }
  const loaded = configOf(invocation)
  const presence = presenceOn(loaded.dataDirectory)
  const said = presence.kind === 'running' ? presence.runtime.registers : undefined
  const directory = said ?? registerPlaceOf(loaded)?.directory
  if (directory === undefined || said === null)
    throw new CliError(exits.failure, 'the register page is switched off: mmio.enabled', { code: 'PAGE_OFF' })
  return { page: join(directory, PAGE_FILE), control: join(directory, CONTROL_FILE) }
}

/** The registers that a named node shows over HTTP: the caller's own with a key, else the public ones. */
const overHttp = async (
  invocation: Invocation,
  rows: readonly Register[],
  more: { readonly wait?: number; readonly after?: number } = {},
): Promise<{ readonly tick: number; readonly shown: readonly ShownRegister[] }> => {
  const { client, key } = connect(invocation)
  const { signal } = invocation
  const answer =
    key === 'given'
      ? await client.call('network.mmio-registers', more, { signal })
      : await client.call('network.mmio', {}, { signal })
  const found = new Map<string, number | string | null>(answer.registers.map(({ name, value }) => [name, value]))
  return {
    tick: answer.tick,
    shown: rows.flatMap((row) => {
      const value = found.get(row.name)
      return value == null ? [] : [shownOf(row, row.type === 'u64' ? BigInt(value) : value)]
    }),
  }
}

/** Shows the page, or where its files are. @throws CliError */
export const showPage = async (invocation: Invocation): Promise<Exit> => {
  const { io, args, options, signal } = invocation
  const rows = rowsNamed(args)
  if (namedUrl(invocation) !== undefined && options['file'] === undefined) {
    const { tick, shown } = await overHttp(invocation, rows)
    present(io, { ok: true, tick, registers: shown }, () => registersText(shown))
    return exits.ok
  }
  const paths = pathsOf(invocation)
  if (options['path'] === true) {
    present(io, { ok: true, ...paths }, () => `${paths.page}\n${paths.control}`)
    return exits.ok
  }
  const page = await readPage(paths.page, signal)
  const gone = isGone(page)
  const shown = shownIn(page, rows)
  const isSame = isOwnLayout(page)
  const tick = Number(valueIn(page, 'tick'))
  present(io, { ok: true, ...paths, gone, same_layout: isSame, tick, registers: shown }, () => registersText(shown))
  if (!isSame) io.complain(OTHER_LAYOUT)
  if (gone) io.complain(`the node of ${paths.page} writes no more: these are its last values`)
  return exits.ok
}

/** Tells of each register that changed. */
const teller = ({ io }: Invocation) => {
  let before = new Map<string, string>()
  return async (tick: number, shown: readonly ShownRegister[]): Promise<void> => {
    for (const it of shown) {
      const text = valueText(it)
      if (before.get(it.name) === text) continue
      io.out(io.json ? jsonText({ ok: true, tick, ...it }) : printable(`${tick}  ${it.name}  ${text}`))
    }
    before = new Map(shown.map((it) => [it.name, valueText(it)]))
    await io.drained()
  }
}

/** Tells of each register that changes, until the signal aborts. @throws CliError */
export const watchPage = async (invocation: Invocation): Promise<Exit> => {
  const { io, args } = invocation
  const rows = rowsNamed(args).filter(({ name }) => args.length > 0 || !EVERY_PAGE.includes(name))
  const signal = AbortSignal.any([invocation.signal, io.gone])
  const tell = teller(invocation)
  const isNamed = namedUrl(invocation) !== undefined && invocation.options['file'] === undefined
  const path = isNamed ? '' : pathsOf(invocation).page
  try {
    let after: number | undefined
    while (!signal.aborted) {
      if (isNamed) {
        const wait = after === undefined ? {} : { after, wait: WAIT_SECONDS }
        const { tick, shown } = await overHttp({ ...invocation, signal }, rows, wait)
        await tell(tick, shown)
        // Without a key nothing waits, and a page is not to be had more often than it is written.
        if (tick === after || after === undefined || connect(invocation).key !== 'given') await untilNextTick(signal)
        after = tick
      } else {
        const page = await readPage(path, signal)
        assertLiving(page, path)
        await tell(Number(valueIn(page, 'tick')), shownIn(page, rows))
        await untilNextTick(signal)
      }
    }
  } catch (error) {
    if (!io.gone.aborted) throw error
  }
  return exits.ok
}

/** The living node's page and the file in which its owner asks. @throws CliError as {@link readPage} */
const ownFiles = async (invocation: Invocation) => {
  if (namedUrl(invocation) !== undefined)
    throw usageError('a bell is rung on the machine of its node: leave --url and TICKMESH_URL out')
  const { page: path, control } = pathsOf(invocation)
  const page = await readPage(path, invocation.signal)
  assertLiving(page, path)
  return { path, page, control: controlOf(control) }
}

/** Waits until the page says so. @throws CliError NO_ANSWER, or as {@link readPage} */
const untilPage = async (path: string, isSo: (page: Uint8Array) => boolean, signal: AbortSignal) => {
  for (let ticks = 0; ticks < ANSWER_TICKS_MAX; ticks++) {
    await untilNextTick(signal)
    const page = await readPage(path, signal)
    if (isSo(page)) return page
    assertLiving(page, path)
  }
  throw new CliError(exits.tryLater, `nothing came of it in ${ANSWER_TICKS_MAX} ticks`, { code: 'NO_ANSWER' })
}

/** Asks for a mode, and says what came of it. @throws CliError */
export const ringBell = async (invocation: Invocation): Promise<Exit> => {
  const { io, args, signal } = invocation
  const argument = modeValues.indexOf(args[0] ?? '')
  if (argument < 0) throw usageError(`a mode is one of ${modeValues.join(', ')}; got "${args[0] ?? ''}"`)
  const { path, page: before, control } = await ownFiles(invocation)
  const request = (registerIn(controlRegisters, 'request').values ?? []).indexOf('mode')
  const bell = control.ring(request, argument, valueIn(before, 'doorbell_done') as bigint)
  const page = await untilPage(path, (it) => (valueIn(it, 'doorbell_done') as bigint) >= bell, signal)
  const code = errorCode(Number(valueIn(page, 'error')))
  const doorbell = bell.toString()
  if (code !== undefined) throw new CliError(exits.failure, faults[code].title, { code, details: { doorbell } })
  const mode = modeValues[Number(valueIn(page, 'mode'))] ?? ''
  present(io, { ok: true, doorbell, mode }, () => `the node is ${mode}`)
  return exits.ok
}

/** The word of the bits that were named. @throws CliError for a name that no bit has */
const wordIn = (words: readonly string[]): number => {
  if (words.length === 1 && words[0] === 'none') return 0
  const named = words.length === 1 && words[0] === 'all' ? interrupts : words
  const unknown = named.find((it) => !interrupts.includes(it))
  if (unknown !== undefined)
    throw usageError(`an interrupt is one of ${interrupts.join(', ')}, all or none; got "${unknown}"`)
  return wordOf(named, interrupts)
}

/** Clears interrupts. @throws CliError */
export const acknowledge = async (invocation: Invocation): Promise<Exit> => {
  const { io, signal } = invocation
  const word = wordIn(invocation.args)
  const { path, page, control } = await ownFiles(invocation)
  const isHeard = (of: number) => (it: Uint8Array) => Number(valueIn(it, 'irq_acked')) === of
  // A word counts once: for it to count again another one must have been heard in between.
  if (isHeard(word)(page) && word !== 0) {
    control.write('irq_ack', 0)
    await untilPage(path, isHeard(0), signal)
  }
  control.write('irq_ack', word)
  const after = isHeard(word)(page) && word === 0 ? page : await untilPage(path, isHeard(word), signal)
  const [status] = shownIn(after, rowsNamed(['irq_status']))
  const left = status?.set ?? []
  present(io, { ok: true, irq_status: left }, () => `still set: ${left.join(' ') || 'none'}`)
  return exits.ok
}

/** Says which interrupts wake nobody. @throws CliError */
export const maskInterrupts = async (invocation: Invocation): Promise<Exit> => {
  const word = wordIn(invocation.args)
  const { control } = await ownFiles(invocation)
  control.write('irq_mask', word)
  const masked = interrupts.filter((_, bit) => ((word >>> bit) & 1) === 1)
  present(invocation.io, { ok: true, irq_mask: masked }, () => `masked: ${masked.join(' ') || 'none'}`)
  return exits.ok
}
