import { ApiProblem, type Credential, send } from './api.ts'

const STORED = 'tickmesh.demo-key'

/** Whoever the page acts as, with what it may show of that. */
export interface Self {
  readonly credential: Credential
  /** The owner's ZID; the house owns what a demo key mints. */
  readonly zid: string
}

interface Account {
  readonly zid: string
  readonly owner: boolean
}

const asOwner = async (): Promise<Self | undefined> => {
  try {
    const { zid } = await send<Account>('/api/auth/account')
    return { credential: { kind: 'owner' }, zid }
  } catch (error) {
    if (error instanceof ApiProblem) return undefined
    throw error
  }
}

const works = async (key: string): Promise<boolean> => {
  try {
    const { available } = await send<{ available: number }>('/api/credits/status', {
      credential: { kind: 'demo', key },
    })
    return available > 0
  } catch (error) {
    if (error instanceof ApiProblem) return false
    throw error
  }
}

/** The owner when the one-time link was opened in this browser; else a demo key, kept here and minted when used up. */
export const findSelf = async (): Promise<Self> => {
  const owner = await asOwner()
  if (owner !== undefined) return owner
  const stored = localStorage.getItem(STORED)
  if (stored !== null && (await works(stored))) return { credential: { kind: 'demo', key: stored }, zid: 'house' }
  const { key } = await send<{ key: string }>('/api/demo-key/mint', { method: 'POST', body: {} })
  localStorage.setItem(STORED, key)
  return { credential: { kind: 'demo', key }, zid: 'house' }
}
