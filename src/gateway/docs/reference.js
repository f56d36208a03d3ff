// The form of an operation: it writes the call in each language as values change, and makes it.
import { examplesOf, filled } from './examples.js'
import { beginLanguages } from './languages.js'
import { follow, show } from './outcome.js'
import { mint, self } from './session.js'

const WORDS = {
  owner: 'You act as the owner of the node. A program needs a key: Settings on the node’s page makes one.',
  account: 'You act with the key of your account.',
  demo: 'You act with the demo key of this browser.',
  nobody: 'A demo key is made when you send.',
}

/** @param {string} key */
const masked = (key) => `${key.slice(0, 12)}••••`

/** @template {Element} T @param {ParentNode} within @param {string} selector @param {new () => T} kind @returns {T} */
const part = (within, selector, kind) => {
  const found = within.querySelector(selector)
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`)
  return found
}

/** What is filled in. @param {HTMLFormElement} form */
const valuesOf = (form) =>
  Object.fromEntries([...form.querySelectorAll('input')].map(({ name, value }) => [name, value.trim()]))

/** The body as it was typed; undefined for none, and for what is no JSON, which the form then says. @param {HTMLFormElement} form */
const bodyOf = (form) => {
  const area = form.querySelector('textarea')
  if (area === null) return undefined
  try {
    const value = JSON.parse(area.value.trim() === '' ? '{}' : area.value)
    area.setCustomValidity('')
    return value
  } catch (error) {
    area.setCustomValidity(`This is no JSON: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

/** Writes the call anew, with a key that is shown masked and copied whole. @param {HTMLFormElement} form */
const write = (form) => {
  const { method = 'GET', path = '/', credential = 'none' } = form.dataset
  const { kind, key } = self()
  const isAsked = credential === 'bearer'
  const isOffered = credential === 'optional' && kind !== 'nobody'
  part(form, '.who', HTMLElement).textContent = isAsked || isOffered ? WORDS[kind] : 'No key is needed.'
  const asked = { method, path: filled(path, valuesOf(form)), origin: location.origin, body: bodyOf(form) }
  /** @param {string} shown */
  const texts = (shown) => examplesOf({ ...asked, ...(isAsked ? { key: shown } : {}) })
  const [shown, copied] = [texts(key === undefined ? 'YOUR_KEY' : masked(key)), texts(key ?? 'YOUR_KEY')]
  for (const [at, code] of [...document.querySelectorAll('.examples code')].entries()) {
    code.textContent = shown[at]?.text ?? ''
    if (code instanceof HTMLElement) code.dataset['copied'] = copied[at]?.text ?? ''
  }
}

/** The key that a call is sent with: none for the owner, whose session goes by itself. @param {string} credential */
const keyFor = async (credential) => {
  const { kind, key } = self()
  if (kind === 'owner' || !['optional', 'bearer'].includes(credential)) return undefined
  return key ?? (credential === 'bearer' ? mint() : undefined)
}

/** @param {HTMLFormElement} form @param {AbortSignal} signal */
const call = async (form, signal) => {
  const { method = 'GET', path = '/', credential = 'none', streams, groups = '{}' } = form.dataset
  const key = await keyFor(credential)
  const body = bodyOf(form)
  const from = performance.now()
  const answer = await fetch(filled(path, valuesOf(form)), {
    method,
    signal,
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(streams === undefined ? {} : { Accept: 'text/event-stream, application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const room = part(form, '.outcome', HTMLElement)
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isStream) await follow(room, answer)
  else await show(room, answer, { ms: performance.now() - from, groups: JSON.parse(groups) })
}

/** @param {HTMLFormElement} form */
const begin = (form) => {
  const outcome = part(form, '.outcome', HTMLElement)
  const send = part(form, 'button[type=submit]', HTMLButtonElement)
  /** @type {AbortController | undefined} */
  let running
  form.addEventListener('input', () => write(form))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (running !== undefined) return running.abort()
    running = new AbortController()
    outcome.hidden = false
    outcome.textContent = 'Waiting for the answer …'
    send.textContent = 'Stop'
    call(form, running.signal)
      .catch((error) => {
        // What a stream told before it was stopped stays.
        if (error.name !== 'AbortError') outcome.textContent = `The node does not answer: ${error.message}`
        else if (form.dataset['streams'] === undefined) outcome.textContent = 'Stopped.'
      })
      .finally(() => {
        running = undefined
        send.textContent = 'Send'
        write(form)
      })
  })
  write(form)
}

const form = document.querySelector('form.try')
if (form instanceof HTMLFormElement) {
  beginLanguages()
  begin(form)
}
