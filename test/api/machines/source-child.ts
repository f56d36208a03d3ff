/**
 * Follows an event stream with the platform's own EventSource: `node --experimental-eventsource source-child.ts <url>`.
 * Writes one line per event, `<name> <last event id>`, and one for each time the stream opens.
 */
const [, , url = ''] = process.argv
const Source = (globalThis as unknown as { EventSource: new (url: string) => EventTarget }).EventSource
const source = new Source(url)
const line = (event: Event): void => {
  const { type, lastEventId } = event as Event & { readonly lastEventId?: string }
  process.stdout.write(`${type} ${lastEventId ?? ''}\n`)
}
for (const name of ['open', 'entry', 'gap']) source.addEventListener(name, line)

// Between two attempts the source keeps no process alive; its parent ends this one.
setInterval(() => undefined, 60_000)
