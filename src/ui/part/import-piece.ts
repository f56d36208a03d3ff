/** Files of the page's code that are here or on their way, by address; one that does not come is forgotten. */
const files = new Map<string, Promise<unknown>>()

/** Fetches a script, and runs nothing: the browser keeps it, since its name holds its digest. */
const fetchScript = async (address: string): Promise<void> => {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}`)
  // Read to its end: what is broken off on the way is not kept.
  await answer.arrayBuffer()
}

const loadStyle = (address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.crossOrigin = ''
    link.href = address
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      reject(new Error(`${address} did not come`))
    })
    document.head.append(link)
  })

/** Whether the page itself names a file, so that it came before any code ran. */
const isNamed = (address: string): boolean =>
  document.querySelector(`script[src="${address}"], link[href="${address}"]`) !== null

const fetchFile = (address: string): Promise<unknown> => {
  const known = files.get(address)
  if (known !== undefined) return known
  if (isNamed(address)) return Promise.resolve()
  const coming = address.endsWith('.css') ? loadStyle(address) : fetchScript(address)
  files.set(address, coming)
  coming.catch(() => files.delete(address))
  return coming
}

/**
 * Imports a piece of the page. The bundler puts this around every `import()`.
 *
 * A module that did not come may be remembered as missing for as long as the page is open: Chromium before 156 and
 * Firefox do so, for the piece as for all that it imports. So nothing is imported before all of it is here, and each
 * attempt to fetch it is a new one.
 *
 * @param load the import itself.
 * @param names of the piece, of all that it imports, and of their styles, below the root.
 * @throws what the browser makes of a file that does not come; the next call asks for it anew.
 */
export const importPiece = async <T>(load: () => Promise<T>, names: readonly string[]): Promise<T> => {
  await Promise.all(names.map((name) => fetchFile(`/${name}`)))
  return load()
}
