// Goal: the page's verifier takes receipts of tokens for what they are, and says in everyday words which step fails.
// Method: its judge, without a browser, on the receipts of the golden vectors; each step has its words.
import assert from 'node:assert/strict'
import type { TokenReceiptFile } from '#core/token/receipt.ts'
import { failureOf } from '#ui/part/meaning.ts'
import { type FileVerdict, judge } from '#ui/receipt/verify-file.ts'
import { readVector } from '../hostile/vectors.ts'
import { suite } from '../kit/suite.ts'

const test = suite('ui/token verdict')
const vectors = readVector<{
  readonly trusted: readonly string[]
  readonly applied: readonly { readonly file: TokenReceiptFile }[]
  readonly provisional: object
  readonly refused: readonly { readonly failing: string; readonly file: object }[]
}>('token-op')
const trusted = vectors.trusted[0] as string

const judged = (value: unknown): Promise<FileVerdict> => {
  const question = { evidence: new Blob([JSON.stringify(value)]), trusted, past: [] }
  const texts = { rows: [], kept: () => Promise.reject(new Error('no rows are needed')) }
  return judge(question, texts, () => undefined)
}

test('a receipt of each kind is verified by name; a provisional one is open; what is refused is said', async () => {
  for (const { file } of vectors.applied) {
    const { outcome, subject } = await judged(file)
    const { op, count } = file.op
    assert.deepEqual([outcome, subject], ['verified', `${op} of ${count} ${count === 1 ? 'token' : 'tokens'}`])
  }
  const provisional = await judged(vectors.provisional)
  assert.equal(provisional.outcome, 'unchecked')
  assert.match(provisional.steps.find(({ step }) => step === 'inclusion')?.detail ?? '', /provisional/)
  for (const { failing, file } of vectors.refused) {
    assert.equal((await judged(file)).failing, failing)
    assert.ok((failureOf(failing)?.length ?? 0) > 20, failing)
  }
})

test.run()
