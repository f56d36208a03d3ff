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
