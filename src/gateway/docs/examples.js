// Calls in three languages, written by the node into its pages and by the page anew when a value is changed.

/**
 * @typedef {object} Asked
 * @property {string} method
 * @property {string} path with its parameters filled in, and the query
 * @property {string} origin of the node
 * @property {unknown} [body]
 * @property {string} [key] undefined for a call that needs none
 */

/** A word of a shell. @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

/** A value as Python writes it. @param {unknown} value @returns {string} */
const python = (value) => {
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${python(part)}`)
  return `{${members.join(', ')}}`
}

/** @param {Asked} asked */
const curl = ({ method, path, origin, body, key }) =>
  [
    `curl -s ${method === 'GET' || (method === 'POST' && body !== undefined) ? '' : `-X ${method} `}${quoted(origin + path)}`,
    ...(key === undefined ? [] : [`-H ${quoted(`Authorization: Bearer ${key}`)}`]),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ')

/** @param {Asked} asked */
const pythonCall = ({ method, path, origin, body, key }) => {
  const headers = {
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  }
  const lines = [
    ...(body === undefined ? [] : [`body = ${python(body)}`]),
    'request = urllib.request.Request(',
    `    ${JSON.stringify(origin + path)},`,
    ...(body === undefined ? [] : ['    data=json.dumps(body).encode(),']),
    ...(Object.keys(headers).length === 0 ? [] : [`    headers=${python(headers)},`]),
    `    method=${JSON.stringify(method)},`,
    ')',
    'with urllib.request.urlopen(request) as answer:',
    '    print(answer.status, answer.read().decode())',
  ]
  return [body === undefined ? 'import urllib.request' : 'import json, urllib.request', '', ...lines].join('\n')
}

/** @param {Asked} asked */
const typescript = ({ method, path, origin, body, key }) => {
  const headers = [
    ...(key === undefined ? [] : [`Authorization: 'Bearer ${key}'`]),
    ...(body === undefined ? [] : [`'Content-Type': 'application/json'`]),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${JSON.stringify(body)}),`]),
  ]
  const call =
    options.length === 0
      ? `await fetch('${origin}${path}')`
      : [`await fetch('${origin}${path}', {`, ...options, '})'].join('\n')
  return `const answer = ${call}\nconsole.log(answer.status, await answer.text())`
}

/**
 * The call in every language, by its name.
 * @param {Asked} asked @returns {readonly { readonly language: string, readonly text: string }[]}
 */
export const examplesOf = (asked) => [
  { language: 'curl', text: curl(asked) },
  { language: 'Python', text: pythonCall(asked) },
  { language: 'TypeScript', text: typescript(asked) },
]

/**
 * The path of a call: names in the template filled in, the others as the query.
 * @param {string} template @param {Readonly<Record<string, string>>} values @returns {string}
 */
export const filled = (template, values) => {
  const inPath = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const path = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''))
  const query = Object.entries(values)
    .filter(([name, value]) => !inPath.includes(name) && value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}
