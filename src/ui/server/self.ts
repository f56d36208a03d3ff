import { ApiProblem, call } from './api.ts'
import { store, stored } from './storage.ts'

/** Whoever the page acts as. */
export interface Self {
  readonly kind: 'owner' | 'account' | 'demo'
  /**
   * A key goes in a header; the owner's session cookie goes by itself. A demo visitor has none before the first thing
   * that needs one.
   */
  readonly key?: string
  /** Whose envelopes are listed; the house owns what a demo key mints. */
  readonly zid: string
}

const KEY = 'tickmesh.demo-key'
/** The key of an account that somebody signed in with here. */
const ACCOUNT = 'tickmesh.account-key'
/** Set once the owner link was opened here: the cookie itself cannot be seen from a script. */
const OWNER = 'tickmesh.owner'
/** Where the owner link leads. */
export const OWNER_MARK = '#owner'

/** Takes the mark of the owner link out of the address. */
const noteOwnerLink = (): void => {
  if (location.hash !== OWNER_MARK) return
  store(OWNER, 'yes')
  history.replaceState(null, '', location.pathname)
}

const refusedAs = async <T>(asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return undefined
    throw error
  }
}

const asOwner = async (): Promise<Self | undefined> => {
  noteOwnerLink()
  if (stored(OWNER) === null) return undefined
  const account = await refusedAs(call('GET /api/auth/account', {}))
  if (account !== undefined) return { kind: 'owner', zid: account.zid }
  // The session is over, or of an earlier start of the node.
  store(OWNER, null)
  return undefined
}

const asAccount = async (): Promise<Self | undefined> => {
  const key = stored(ACCOUNT)
  if (key === null) return undefined
  const account = await refusedAs(call('GET /api/auth/account', {}, { key }))
  if (account !== undefined) return { kind: 'account', key, zid: account.zid }
  store(ACCOUNT, null)
  return undefined
}

/** The API key of the account that is signed in here, which this browser keeps: it can be shown again. */
export const keptKey = (): string | null => stored(ACCOUNT)

const asDemo = (key: string): Self => ({ kind: 'demo', key, zid: 'house' })

const asKnownDemo = async (): Promise<Self | undefined> => {
  const key = stored(KEY)
  if (key === null) return undefined
  const known = await refusedAs(call('GET /api/credits/status', {}, { key }))
  if (known === undefined) store(KEY, null)
  return known === undefined ? undefined : asDemo(key)
}

/** A demo key with credits of its own, kept in this browser. @throws ApiProblem when the day's keys are minted. */
export const mintSelf = async (): Promise<Self> => {
  const { key } = await call('POST /api/demo-key/mint', {})
  store(KEY, key)
  return asDemo(key)
}

/** A new key, or the key that all share where an address has had its keys of the day: ten calls a day, not kept. */
export const demoSelf = async (): Promise<Self> => {
  try {
    return await mintSelf()
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 429) throw error
    return asDemo((await call('GET /api/demo-key', {})).key)
  }
}

/** Who reads and has run nothing yet: a key is made when something needs one. */
const VISITOR: Self = { kind: 'demo', zid: 'house' }

/** Whether somebody has no key, and so neither credits nor receipts. */
export const isVisitor = ({ kind, key }: Self): boolean => kind === 'demo' && key === undefined

/** The owner by the one-time link, else the account signed in here, else the demo key kept here, else a visitor. */
export const findSelf = async (): Promise<Self> =>
  (await asOwner()) ?? (await asAccount()) ?? (await asKnownDemo()) ?? VISITOR

/** Signs in with the key of an account, and keeps it in this browser. @throws ApiProblem when the node refuses it. */
export const signIn = async (key: string): Promise<Self> => {
  const { zid } = await call('GET /api/auth/account', {}, { key })
  store(ACCOUNT, key)
  return { kind: 'account', key, zid }
}

/** A new account whose key the node keeps; its API key is in the answer alone. @throws ApiProblem */
export const signUp = async (): Promise<{ readonly self: Self; readonly key: string }> => {
  const { api_key: key } = await call('POST /api/auth/sign-up', {})
  return { self: await signIn(key), key }
}

/** Ends the owner's session, or forgets the account's key; the page goes on as a visitor's. */
export const signOut = async ({ kind }: Self): Promise<Self> => {
  if (kind === 'owner') {
    await refusedAs(call('DELETE /api/auth/session', {}))
    store(OWNER, null)
  }
  store(ACCOUNT, null)
  return findSelf()
}
