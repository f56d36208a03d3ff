// Shows what came back from a call: status, body by its parts, headers.

const SHOWN_CHARS_MAX = 200_000
/** Headers that a reader wants to see. */
const TOLD =
  /^(?:content-type|location|retry-after|idempotency-replayed|preference-applied|x-svc-|ratelimit-|x-request-id)/

/** @param {string} title @param {string} text */
const block = (title, text) => {
  const head = document.createElement('h3')
  head.textContent = title
  const pre = document.createElement('pre')
  pre.tabIndex = 0
  pre.textContent = text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}\n…` : text
  return [head, pre]
}

/**
 * An answer by what its members are, where they are those of a computation.
 * @param {unknown} value @param {Record<string, string[]>} groups
 */
const parts = (value, groups) => {
  const placed = Object.values(groups).flat()
  if (typeof value !== 'object' || value === null || placed.length === 0 || !placed.every((it) => it in value)) {
    return block('Body', JSON.stringify(value, null, 2))
  }
  /** @param {(name: string) => boolean} wanted */
  const pick = (wanted) => Object.fromEntries(Object.entries(value).filter(([name]) => wanted(name)))
  const figures = block(
    'Figures',
    JSON.stringify(
      pick((name) => !placed.includes(name)),
      null,
      2,
    ),
  )
  const rest = Object.entries(groups).flatMap(([name, members]) =>
    block(
      name,
      JSON.stringify(
        pick((it) => members.includes(it)),
        null,
        2,
      ),
    ),
  )
  return [...figures, ...rest]
}

/** @param {string} text */
const parsed = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** @param {HTMLElement} room @param {Response} answer @param {{ ms: number, groups: Record<string, string[]> }} about */
export const show = async (room, answer, { ms, groups }) => {
  const text = await answer.text()
  const isJson = /json/.test(answer.headers.get('content-type') ?? '')
  const value = isJson ? parsed(text) : undefined
  const status = document.createElement('p')
  status.className = answer.ok ? 'good' : 'bad'
  status.textContent = `${answer.status} ${answer.statusText}, ${Math.round(ms)} ms`
  if (!answer.ok && typeof value?.docs === 'string' && value.docs.startsWith('/docs/errors/')) {
    const link = document.createElement('a')
    link.href = value.docs
    link.textContent = `What ${value.code} means`
    status.append(' · ', link)
  }
  const headers = [...answer.headers].filter(([name]) => TOLD.test(name)).map((line) => line.join(': '))
  const body = isJson ? parts(value, groups) : block('Body', text)
  room.replaceChildren(status, ...body, ...block('Headers', headers.join('\n')))
}

/** What a stream tells, as it comes. @param {HTMLElement} room @param {Response} answer */
export const follow = async (room, answer) => {
  const [head, pre] = block(`${answer.status} ${answer.statusText}, as it comes`, '')
  if (head === undefined || pre === undefined) return
  room.replaceChildren(head, pre)
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    pre.textContent = `${pre.textContent}${part.value}`.slice(-SHOWN_CHARS_MAX)
  }
}
