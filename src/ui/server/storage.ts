/** Storage that a browser may refuse to give; without it the page works, and forgets. */
export const stored = (name: string): string | null => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Keeps a text under a name, or forgets it. */
export const store = (name: string, value: string | null): void => {
  try {
    if (value === null) localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    // What cannot be kept is made anew next time.
  }
}

/** What the page kept once and reads no more: ids of streams, which the node lists by now. */
const OUTDATED = /^tickmesh\.streams\./

/** Takes what the page reads no more out of the browser. Called once, at start. */
export const dropOutdated = (): void => {
  try {
    for (const name of Object.keys(localStorage)) {
      if (OUTDATED.test(name)) localStorage.removeItem(name)
    }
  } catch {
    // Where nothing may be kept there is nothing of old.
  }
}
