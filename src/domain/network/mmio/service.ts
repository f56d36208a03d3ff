import { accountCaller, type Caller } from '#core/caller.ts'
import { faultCodes } from '#core/fault.ts'
import { jsonValue, type RegisterValue, registerOf, sumPage } from '#core/mmio/page.ts'
import { shownOf } from '#core/mmio/shown.ts'
import { controlRegisters, LAYOUT_VERSION, PAGE_BYTES, pageRegisters, type Register } from '#core/mmio/table.ts'
import type { RegisterManifest, RegisterView } from '#domain/network/views/mmio.ts'
import { layoutDigest } from './layout.ts'
import { createPageWriter, numberIn, type RegisterPorts } from './page-writer.ts'
import type { RegisterSources } from './values.ts'
import { createWaiting } from './waiting.ts'

/** How the registers are read over HTTP. */
export interface RegisterQuery {
  /** Seconds to wait for an interrupt that is not masked. */
  readonly wait: number
  /** Node tick of the page that the caller has; the present one when left out. */
  readonly after?: number | undefined
}

/** The register page of a node: files for programs beside it, and the same over HTTP. */
export interface Registers extends AsyncDisposable {
  manifest(): RegisterManifest
  /**
   * The registers as a caller sees them: all for the owner, otherwise those of everybody and its own credits and coins.
   *
   * @throws Fault SCOPE_REQUIRED; NODE_BUSY, RATE_LIMITED where too many wait.
   */
  view(caller: Caller, query: RegisterQuery, signal: AbortSignal): Promise<RegisterView>
  /** What comes round with the ticks: reads what is asked for, acts, and writes a page. */
  beat(): void
}

const rowOf = ({ name, offset, width, type, unit, access, view, meaning, bits, values }: Register) => ({
  ...{ name, offset, width, type, unit, access, view, meaning },
  bits: bits === undefined ? null : [...bits],
  values: values === undefined ? null : [...values],
})

/** Rows with the values of a page that everybody may see. */
const liveRows = (page: Uint8Array): RegisterManifest['registers'] =>
  pageRegisters.map((it) => ({
    ...rowOf(it),
    reset: it.reset,
    value: it.view === 'all' ? jsonValue(registerOf(page, it)) : null,
  }))

/** Registers that an account other than the owner's sees beside the public ones, and what they hold for it. */
const ownedBy = ({ store }: RegisterSources, zid: string): Readonly<Record<string, RegisterValue>> => ({
  credits_free: BigInt(store.balance('free', zid)),
  credits_paid: BigInt(store.balance('paid', zid)),
  coins: BigInt(store.balance('coin', zid)),
  zid,
})

/** The register page of one node. */
export const createRegisters = (ports: RegisterPorts): Registers => {
  const { sources, files } = ports
  const waiting = createWaiting(ports.sleep)
  const writer = createPageWriter(ports, waiting.wake)

  /** The page without what is the owner's: its sum tells nobody what they may not see. */
  const publicPage = (): Uint8Array => {
    const page = writer.page.slice()
    for (const { view, offset, width } of pageRegisters) if (view === 'owner') page.fill(0, offset, offset + width)
    sumPage(page)
    return page
  }
  const tickOfPage = (): number => numberIn(writer.page, 'tick')

  return {
    manifest: () => ({
      layout_version: LAYOUT_VERSION,
      layout_digest: layoutDigest(),
      bytes: PAGE_BYTES,
      byte_order: 'little-endian',
      tick: tickOfPage(),
      page: writer.state(false),
      registers: liveRows(publicPage()),
      control: controlRegisters.map(rowOf),
      errors: [...faultCodes],
    }),
    view: async (caller, { wait, after = tickOfPage() }, signal) => {
      const { zid, kind } = accountCaller(caller)
      const isOwner = kind === 'owner'
      const isWoken = (): boolean => writer.interrupts.cameAfter(~writer.mask >>> 0, after)
      await waiting.until(isWoken, { caller, seconds: wait, signal })
      const own = ownedBy(sources, zid)
      const page = isOwner ? writer.page : publicPage()
      return {
        zid,
        is_owner: isOwner,
        tick: tickOfPage(),
        woken: isWoken(),
        page: writer.state(isOwner),
        files: isOwner && files !== undefined ? files.paths : null,
        registers: pageRegisters.flatMap((it) => {
          if (it.view === 'all' || isOwner) return [shownOf(it, registerOf(page, it))]
          const value = own[it.name]
          return value === undefined ? [] : [shownOf(it, value)]
        }),
      }
    },
    beat: writer.turn,
    [Symbol.asyncDispose]: writer.end,
  }
}
