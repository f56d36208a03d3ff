import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { tempDir } from '../kit/temp.ts'

/** Where Debian has its Firefox. */
export const FIREFOX = '/usr/bin/firefox-esr'

/** Answers that are not there yet, at most: a test asks one thing after another. */
const PENDING_MAX = 64

type Params = Readonly<Record<string, unknown>>

/** A connection of WebDriver BiDi: commands by name, each answered by its id. */
export interface Bidi {
  /** @throws Error with what the browser says of it */
  command(method: string, params: Params): Promise<Readonly<Record<string, unknown>>>
}

interface Waiting {
  readonly resolve: (result: Readonly<Record<string, unknown>>) => void
  readonly reject: (error: Error) => void
}

interface Reply {
  readonly type: 'success' | 'error' | 'event'
  readonly id: number | null
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: string
  readonly message?: string
}

/** Speaks BiDi over a socket that is open. */
const speaking = (socket: WebSocket): Bidi => {
  const waiting = new Map<number, Waiting>()
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const { type, id, result = {}, error = '', message = '' } = JSON.parse(String(data)) as Reply
    const asked = id === null ? undefined : waiting.get(id)
    if (id === null || asked === undefined) return
    waiting.delete(id)
    if (type === 'success') asked.resolve(result)
    else asked.reject(new Error(`${error}: ${message}`))
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser has gone'))
    waiting.clear()
  })
  return {
    command: async (method, params) => {
      if (waiting.size >= PENDING_MAX) throw new Error(`over ${PENDING_MAX} commands wait for the browser`)
      if (socket.readyState !== WebSocket.OPEN) throw new Error('the browser has gone')
      const answered = Promise.withResolvers<Readonly<Record<string, unknown>>>()
      last += 1
      waiting.set(last, answered)
      socket.send(JSON.stringify({ id: last, method, params }))
      return answered.promise
    },
  }
}

/** A tab of Firefox. */
export interface FirefoxTab {
  goto(url: string): Promise<void>
  /** What an expression is in the page, of what JSON can say; a promise is waited for. */
  evaluate<T>(expression: string): Promise<T>
  /** Presses these keys one after another, wherever the focus is. */
  keys(text: string): Promise<void>
  /** Presses the mouse in the middle of the first element that this selector finds. */
  click(selector: string): Promise<void>
}

const tabOf = (bidi: Bidi, context: unknown): FirefoxTab => {
  const target = { context }
  const evaluated = async (expression: string): Promise<Params> => {
    const answer = await bidi.command('script.evaluate', {
      expression,
      target,
      awaitPromise: true,
      resultOwnership: 'root',
    })
    if (answer['type'] === 'success') return answer['result'] as Params
    throw new Error((answer['exceptionDetails'] as { readonly text: string }).text)
  }
  return {
    goto: async (url) => {
      await bidi.command('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    evaluate: async <T>(expression: string) => {
      const { value } = await evaluated(`Promise.resolve(${expression}).then((it) => JSON.stringify(it ?? null))`)
      return JSON.parse(String(value)) as T
    },
    keys: async (text) => {
      const actions = [...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })))
      await bidi.command('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions }] })
    },
    click: async (selector) => {
      const { sharedId } = await evaluated(
        `(() => { const it = document.querySelector(${JSON.stringify(selector)});
          it.scrollIntoView({ block: 'center' }); return it })()`,
      )
      const origin = { type: 'element', element: { sharedId } }
      const actions = [
        { type: 'pointerMove', x: 0, y: 0, origin },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      await bidi.command('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] })
    },
  }
}

/** Firefox with a fresh profile; it ends with the block, or when the test's time is up. */
export interface Firefox extends AsyncDisposable {
  /** What the browser says that it is. */
  readonly version: string
  tab(): Promise<FirefoxTab>
}

/** Starts Firefox without a screen, and a session with it. */
export const firefox = async (signal: AbortSignal): Promise<Firefox> => {
  await using opened = new AsyncDisposableStack()
  const profile = opened.use(tempDir())
  const child = spawn(FIREFOX, ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile.path], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile.path, MOZ_CRASHREPORTER_DISABLE: '1' },
    signal,
    killSignal: 'SIGKILL',
  })
  const ended = once(child, 'exit').catch(() => undefined)
  opened.defer(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  const address = await addressIn(child.stderr)
  const socket = new WebSocket(`${address}/session`)
  opened.defer(() => socket.close())
  await once(socket, 'open')
  const bidi = speaking(socket)
  // Closed by itself it is gone with all its processes, and leaves its profile alone.
  opened.defer(async () => {
    const closing = await bidi.command('browser.close', {}).then(
      () => true,
      () => false,
    )
    if (closing) await ended
  })
  const { capabilities } = await bidi.command('session.new', { capabilities: {} })
  const { browserName, browserVersion } = capabilities as Readonly<Record<string, string>>
  const resources = opened.move()
  return {
    version: `${browserName} ${browserVersion}`,
    tab: async () => tabOf(bidi, (await bidi.command('browsingContext.create', { type: 'tab' }))['context']),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** The address that Firefox prints when it listens. What else it prints is read and dropped, so that it never waits. */
const addressIn = async (stderr: NodeJS.ReadableStream): Promise<string> => {
  const lines = createInterface({ input: stderr })
  const found = Promise.withResolvers<string>()
  lines.on('line', (line) => {
    const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? []
    if (address !== undefined) found.resolve(address)
  })
  lines.on('close', () => found.reject(new Error('Firefox ended before it listened')))
  return found.promise
}
