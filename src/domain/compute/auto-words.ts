import { readFileSync } from 'node:fs'
import { type Vocabulary, vocabularyOf } from '#routing/vocabulary.ts'

const read = (file: string): string =>
  readFileSync(new URL(`../../../protocols/routing/${file}`, import.meta.url), 'utf8')

/** The words of `protocols/routing`. @throws Fault INVALID_INPUT naming a line that is not JSON. */
export const loadVocabulary = (): Vocabulary =>
  vocabularyOf({
    solvers: read('solvers.jsonl'),
    operators: read('operators.jsonl'),
    materials: read('materials.jsonl'),
    bodies: read('bodies.jsonl'),
  })
