import { fileURLToPath } from 'node:url'
import type { Endpoint } from '#api/endpoint.ts'
import { linkEndpoints } from '#api/identity/owner-link.ts'
import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import type { Log } from '#core/telemetry.ts'
import { type Meter, noMeter } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import { sleep as realSleep } from '#core/wait.ts'
import type { Credentials } from '#domain/identity/identity.ts'
import type { Services } from '#domain/services.ts'
import { createGateway, type Gateway } from '#gateway/server.ts'
import { loadConfig } from '#node/config.ts'

/** The one key and the one session that this house knows. */
export const KEY = 'svc_ak_test'
export const SESSION = 'a-session'
export const LINK = 'a-link'

const account = (bucket: string, keyId: string): Caller => ({
  kind: 'account',
  bucket,
  zid: 'zid1test',
  keyId,
  account: 'zid1test',
  shared: false,
})

/** Identity as the gateway knows it: who holds which credential. */
const identity = {
  callerOf: ({ authorization, session, bucket }: Credentials): Caller => {
    if (authorization === `Bearer ${KEY}`) return account(bucket, 'k1')
    if (session === SESSION) return account(bucket, 's1')
    throw new Fault('UNAUTHENTICATED')
  },
  assertStillGood: (): void => undefined,
  openSession: (token: string) => {
    if (token !== LINK) throw new Fault('UNAUTHENTICATED')
    return { token: SESSION, maxAgeSeconds: 60, zid: 'zid1test' }
  },
}

export interface House extends AsyncDisposable {
  readonly gateway: Gateway
  /** Lines at error level. */
  readonly errors: { readonly fields: object; readonly event: string }[]
  /** Lines at info level. */
  readonly infos: { readonly fields: object; readonly event: string }[]
  /** A call to the house, with its own Host unless the headers say otherwise. */
  ask(path: string, init?: RequestInit): Promise<Response>
}

/** A page without its first file, but with one that it would name. */
const PAGE = fileURLToPath(new URL('../fixtures/page', import.meta.url))

/** A real gateway on a free port over some endpoints, with the defaults of every setting but those given as flags. */
export const house = async (
  endpoints: readonly Endpoint[],
  flags: Readonly<Record<string, unknown>> = {},
  sleep: Sleep = realSleep,
  meter: Meter = noMeter,
): Promise<House> => {
  const errors: House['errors'] = []
  const infos: House['infos'] = []
  const quiet = (): void => undefined
  const log: Log = {
    debug: quiet,
    info: (fields, event) => void infos.push({ fields, event }),
    warn: quiet,
    error: (fields, event) => void errors.push({ fields, event }),
    audit: quiet,
  }
  const { config } = loadConfig({ flags: { 'http.port': 0, ...flags } })
  const services = { identity } as unknown as Services
  const gateway = await createGateway({
    endpoints: [...endpoints, ...(linkEndpoints as readonly unknown[] as readonly Endpoint[])],
    services,
    settings: config,
    log,
    meter,
    sleep,
    uiDirectory: PAGE,
    docsDirectory: '/nowhere',
  })
  return {
    gateway,
    errors,
    infos,
    ask: (path, init) => fetch(new URL(path, gateway.url), { redirect: 'manual', ...init }),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  }
}
