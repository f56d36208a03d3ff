import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that can be cut, and be turned to another one: its own address stays. */
export interface Relay extends AsyncDisposable {
  readonly url: string
  /** Its address as a Host header has it. */
  readonly host: string
  /** Leads there from now on; to nowhere, and whoever comes is let go at once. */
  lead(url: string | undefined): void
  /** Cuts all connections. */
  cut(): void
}

/** Opens a way that leads nowhere yet. */
export const openRelay = async (): Promise<Relay> => {
  const open = new Set<Socket>()
  let port: number | undefined
  const pipe = (one: Socket, other: Socket): void => {
    open.add(one)
    one.pipe(other)
    one.on('error', () => other.destroy())
    one.on('close', () => {
      open.delete(one)
      other.destroy()
    })
  }
  const server = createServer((near) => {
    if (port === undefined) {
      near.on('error', () => undefined).destroy()
      return
    }
    const far = connect(port, '127.0.0.1')
    pipe(near, far)
    pipe(far, near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const cut = (): void => {
    for (const it of open) it.destroy()
  }
  return {
    url: `http://${host}`,
    host,
    lead: (url) => {
      port = url === undefined ? undefined : Number(new URL(url).port)
    },
    cut,
    [Symbol.asyncDispose]: async () => {
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}
