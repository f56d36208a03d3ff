import { readFileSync } from 'node:fs'

/** States of a course at some times to 30 digits, the start left out (test/fixtures/ode/reference.py). */
interface Course {
  readonly times: readonly number[]
  readonly states: readonly (readonly string[])[]
}

const all = JSON.parse(readFileSync(new URL('../../fixtures/ode/reference.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Course>
>

/** Times after the start and the states there, rounded to doubles. */
export const referenceOf = (name: string): readonly { readonly t: number; readonly state: readonly number[] }[] => {
  const course = all[name]
  if (course === undefined) throw new Error(`no reference ${name}`)
  return course.states.map((state, k) => ({ t: course.times[k + 1] ?? Number.NaN, state: state.map(Number) }))
}
