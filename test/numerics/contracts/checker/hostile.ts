/** Definitions that ask for as much work as their bounds allow. */

const states = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `s${i.toString(36)}`)
const event = (name = 'e') => ({ kind: 'event', event: name })
const data = { x: { type: 'number' }, y: { type: 'number' }, z: { type: 'number' }, k: { type: 'integer' } }
const context = Object.fromEntries(
  Array.from({ length: 64 }, (_, i) => [`c${i}`, { type: i % 2 === 0 ? 'number' : 'integer', initial: i }]),
)
const base = (name: string) => ({ v: 1, name, context, events: { e: { data } } })
const all = (names: readonly string[]) =>
  Object.fromEntries(names.map((it, i) => [it, i === 0 ? { initial: true } : {}]))

/** An expression that says little to intervals, of about so many characters. */
const knotted = (seed: number, chars: number): string => {
  let text = `event.data.x * event.data.y + event.data.z % ${seed + 2} > context.c${seed % 64}`
  for (let i = 0; text.length < chars; i += 1)
    text += ` || sin(event.data.x + ${i}) * event.data.y == context.c${(seed + i) % 64} && event.data.k % ${i + 3} == 1`
  return text
}

/** Every transition out of every state, with expressions that intervals say little of. */
const dense = () => {
  const names = states(64)
  const transitions = Array.from({ length: 95 }, (_, i) => ({
    ...{ id: `t${i}`, from: names, to: names[i % 64], trigger: event(), guard: knotted(i, 80) },
    actions: [{ kind: 'set', [`c${i % 64}`]: { $: `context.c${(i + 1) % 64} * 1.01 + event.data.x` } }],
  }))
  return { ...base('dense'), states: all(names), transitions }
}

/** As many pairs that wait for one trigger as there can be. */
const pairs = () => ({
  ...base('pairs'),
  states: all(['a']),
  transitions: Array.from({ length: 256 }, (_, i) => ({
    ...{ id: `t${i}`, from: 'a', to: 'a', trigger: event(), guard: knotted(i, 100) },
  })),
})

/** Few expressions, each as long as it may be. */
const long = () => ({
  ...base('long'),
  states: all(['a', 'b']),
  transitions: Array.from({ length: 20 }, (_, i) => ({
    ...{ id: `t${i}`, from: ['a', 'b'], to: i % 2 === 0 ? 'a' : 'b', trigger: event(), guard: knotted(i, 1_800) },
  })),
})

/** As many claims as there may be, none of which is easy. */
const claims = () => {
  const names = states(64)
  const never = (i: number): string =>
    `context.c${i} * context.c${(i + 3) % 64} - context.c${(i + 5) % 64} == ${i}.5 && state != "s1"`
  const transitions = Array.from({ length: 200 }, (_, i) => ({
    ...{ id: `t${i}`, from: names[i % 64], to: names[(i * 7 + 1) % 64], trigger: event() },
    actions: [
      { kind: 'set', [`c${i % 64}`]: { $: `context.c${(i + 1) % 64} + event.data.${i % 2 === 0 ? 'x' : 'k'}` } },
    ],
  }))
  return {
    ...base('claims'),
    ...{ states: all(names), transitions: transitions.map((it, i) => ({ ...it, priority: i })) },
    claims: Array.from({ length: 64 }, (_, i) => ({ never: never(i) })),
  }
}

/** Many counters that grow together. */
const counters = () => ({
  ...base('counters'),
  states: all(states(30)),
  transitions: Array.from({ length: 150 }, (_, i) => ({
    ...{ id: `t${i}`, from: states(30), to: states(30)[i % 30], trigger: event(), priority: i },
    actions: [{ kind: 'set', [`c${(i % 32) * 2}`]: { $: `context.c${(i % 32) * 2} + 1` } }],
  })),
  claims: [{ never: 'context.c2 > context.c4 + 1000000' }],
})

/** Deep choices within choices. */
const deep = () => {
  let choice = 'event.data.x'
  for (let i = 0; i < 20; i += 1) choice = `(${choice} > ${i} ? context.c${i} : event.data.y)`
  return {
    ...base('deep'),
    states: all(['a']),
    transitions: Array.from({ length: 24 }, (_, i) => ({
      ...{ id: `t${i}`, from: 'a', to: 'a', trigger: event(), guard: `${choice} > ${i} && ${choice} < ${i + 1}` },
    })),
  }
}

export const hostile: readonly (() => object)[] = [dense, pairs, long, claims, counters, deep]
