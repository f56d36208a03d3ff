// Whom the node's page acts as in this browser: the storage is the page's own (src/ui/server/self.ts).

/** @param {string} name */
export const stored = (name) => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** @param {string} name @param {string} value */
export const store = (name, value) => {
  try {
    localStorage.setItem(name, value)
  } catch {
    // What cannot be kept holds until the page is closed.
  }
}

/** The owner has a session and no key. @returns {{ kind: 'owner' | 'account' | 'demo' | 'nobody', key?: string }} */
export const self = () => {
  if (stored('tickmesh.owner') !== null) return { kind: 'owner' }
  const account = stored('tickmesh.account-key')
  if (account !== null) return { kind: 'account', key: account }
  const demo = stored('tickmesh.demo-key')
  return demo === null ? { kind: 'nobody' } : { kind: 'demo', key: demo }
}

/** A demo key of this browser; the one that all share where the day's keys are made. @returns {Promise<string>} */
export const mint = async () => {
  const made = await fetch('/api/demo-key/mint', { method: 'POST' })
  const { key } = await (made.ok ? made : await fetch('/api/demo-key')).json()
  if (made.ok) store('tickmesh.demo-key', key)
  return key
}
