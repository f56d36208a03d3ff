/** Where the page of one file has the worker's code: gzip in Base64, in an element that no browser runs. */
const ID = 'worker'

const codeOf = async (packed: string): Promise<Blob> => {
  const bytes = Uint8Array.from(atob(packed.trim()), (it) => it.charCodeAt(0))
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Blob([await new Response(unpacked).arrayBuffer()], { type: 'text/javascript' })
}

let address: Promise<string> | undefined

/** Begins the worker that verifies, out of the page itself: there is nothing beside it that could be loaded. */
export const startVerifier = async (): Promise<Worker> => {
  address ??= codeOf(document.getElementById(ID)?.textContent ?? '').then((it) => URL.createObjectURL(it))
  return new Worker(await address)
}
