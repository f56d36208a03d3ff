// Goal: the page refuses an altered bundle and names the step that does not hold, even when the node itself forged it.
// Method: bundles of heat, multibody and an operator are downloaded from their receipts in Chromium, altered in one
// place each, some signed again with the node's own key, and given to the Verify view.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { fromHex } from '#core/bytes.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import type { Bundle, Claim } from '#core/claim.ts'
import { envelopeLeaf, resultDigest, signClaim } from '#core/envelope.ts'
import { tokenIdOf } from '#core/ids.ts'
import { nodeIdOf, publicKeyOf, publicKeyOfSeed } from '#core/keys.ts'
import { leafHash } from '#core/merkle.ts'
import { encodeTlogProof, parseTlogProof } from '#core/tlog-proof.ts'
import type { StepName } from '#core/verify.ts'
import { solverByName } from '#numerics/solvers/index.ts'
import type { TestNode } from '../kit/node.ts'
import { until } from '../kit/until.ts'
import { browserSuite, downloaded, open, runHere, shownVerdict } from './browser.ts'

const test = browserSuite('ui/verify')

/** Gives a text to the Verify view, and says which step failed. */
const failingOf = async (page: Page, text: string): Promise<string | null> => {
  await page.locator('#bundle').setInputFiles({
    name: 'bundle.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  })
  const { outcome, failing } = await shownVerdict(page)
  assert.equal(outcome, failing === null ? 'verified' : 'failed')
  return failing
}

/** What the node could make with its own key: the same claim with other members, in a log of one leaf that it signs. */
const signedAgain = (it: TestNode, bundle: Bundle, changes: Partial<Claim>, more: Partial<Bundle>): Bundle => {
  const seed = fromHex(readFileSync(join(it.directory, 'identity.key'), 'utf8').trim())
  const { claim } = bundle.envelope
  const signed = { ...claim, index: 0, token_id: tokenIdOf(claim.log, 0), ...changes } as Claim
  const signature = signClaim(seed, signed)
  const root = leafHash(envelopeLeaf(signed, signature))
  const checkpoint = signCheckpoint({ origin: claim.log, size: 1, root }, publicKeyOf(claim.node), seed)
  const envelope = { ...bundle.envelope, claim: signed, signature }
  return { ...bundle, envelope, proof: encodeTlogProof({ index: 0, path: [], checkpoint }), ...more }
}

type Output = Readonly<Record<string, unknown>>

/** A result that the solver did not give, under digests and a signature that fit it. */
const otherResult = (it: TestNode, bundle: Bundle, change: (output: Output) => Output): Bundle => {
  const { result, inputs } = bundle
  assert(result !== undefined && inputs !== undefined)
  const schema = solverByName(bundle.envelope.claim.kind)?.output ?? {}
  const output = change(result.output as Output)
  const about = { inputs: inputs as object, evidence: result.evidence_digest }
  const changes = { result_digest: resultDigest(schema, output, about) }
  return signedAgain(it, bundle, changes, { result: { ...result, output: output as never } })
}

/** The next double: the least change there is, for a positive number. */
const next = (value: number): number => {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  view.setBigUint64(0, view.getBigUint64(0) + 1n)
  return view.getFloat64(0)
}

/** Alterations by anyone who has the file. */
const alterations = (bundle: Bundle): readonly (readonly [StepName, string, unknown])[] => {
  const { envelope, inputs, result, proof } = bundle
  const { claim, tick_receipt: receipt } = envelope
  const { path, ...rest } = parseTlogProof(proof)
  const [first = new Uint8Array(32), ...others] = path
  const { field } = { ...(result?.output as object) } as { readonly field: readonly number[] }
  return [
    ['form', 'another version', { ...bundle, v: 2 }],
    ['form', 'a member that nothing binds', { ...bundle, note: 'trust me' }],
    ['signature', 'another value', { ...bundle, envelope: { ...envelope, claim: { ...claim, value: next(0.1) } } }],
    [
      'receipt',
      'another stamp',
      { ...bundle, envelope: { ...envelope, tick_receipt: { ...receipt, R_t: '0.999999' } } },
    ],
    ['equations', 'other equations', { ...bundle, envelope: { ...envelope, equations: { modulation: null } } }],
    ['inputs', 'another input', { ...bundle, inputs: { ...(inputs as object), alpha: 2e-4 } }],
    [
      'result',
      'one node of the field by one bit',
      {
        ...bundle,
        result: { ...result, output: { ...(result?.output as object), field: field.with(8000, next(field[8000]!)) } },
      },
    ],
    [
      'checkpoint',
      'a checkpoint of another size',
      { ...bundle, proof: proof.replace(`${claim.log}\n`, `${claim.log}\n1`) },
    ],
    [
      'inclusion',
      'another way up the tree',
      { ...bundle, proof: encodeTlogProof({ ...rest, path: [first.map((byte) => byte ^ 1), ...others] }) },
    ],
  ]
}

test('heat: each altered file is refused by name, and so is what the node itself would forge', async ({
  it,
  visit,
}) => {
  const { page, assertQuiet } = await visit()
  await runHere(page)
  const text = await downloaded(page)
  const bundle = JSON.parse(text) as Bundle
  await page.getByRole('link', { name: 'Verify' }).click()
  assert.equal(await failingOf(page, text), null)
  assert.equal(await failingOf(page, text.slice(0, -20)), 'form')
  for (const [step, what, altered] of alterations(bundle)) {
    assert.equal(await failingOf(page, JSON.stringify(altered)), step, what)
  }
  assert.equal(await failingOf(page, JSON.stringify(signedAgain(it, bundle, {}, {}))), null)
  const forged = otherResult(it, bundle, (output) => {
    const field = output['field'] as readonly number[]
    return { ...output, field: field.with(8000, next(field[8000]!)) }
  })
  assert.equal(await failingOf(page, JSON.stringify(forged)), 'replay')

  const stranger = nodeIdOf(publicKeyOfSeed(new Uint8Array(32).fill(9)))
  await page.getByLabel('Trusted key').fill(stranger)
  assert.equal(await failingOf(page, text), 'key')
  assertQuiet()
})

test('multibody and an operator: a forged result fails at the re-run', async ({ it, visit }) => {
  const { page, assertQuiet } = await visit('/#solver/multibody')
  await runHere(page)
  const bodies = JSON.parse(await downloaded(page)) as Bundle
  await open(page, 'operators/GR37')
  await page.locator('#GR37-M').waitFor()
  await runHere(page)
  const radius = JSON.parse(await downloaded(page)) as Bundle
  await page.getByRole('link', { name: 'Verify' }).click()
  for (const bundle of [bodies, radius]) {
    assert.equal(await failingOf(page, JSON.stringify(bundle)), null)
    const forged = otherResult(it, bundle, (output) =>
      'chain' in output
        ? { ...output, value: next(output['value'] as number) }
        : { ...output, size: next(output['size'] as number) },
    )
    assert.equal(await failingOf(page, JSON.stringify(forged)), 'replay', bundle.envelope.claim.kind)
  }
  assertQuiet()
})

test('a receipt of what was found wrong is withdrawn: its signature holds, and the page says what is off', async ({
  visit,
}) => {
  const { page, assertQuiet } = await visit('/#verify')
  for (const [name, outcome] of [
    ['fracture-1', 'withdrawn'],
    ['fracture-1-bar', 'verified'],
  ] as const) {
    const text = readFileSync(new URL(`../fixtures/receipts/${name}.json`, import.meta.url), 'utf8')
    await page.getByLabel('Trusted key').fill((JSON.parse(text) as Bundle).envelope.claim.node)
    await page.locator('#bundle').setInputFiles({
      name: `${name}.json`,
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    })
    const verdict = await shownVerdict(page)
    assert.deepEqual([verdict.outcome, verdict.failing], [outcome, null])
    const said = await page.locator('[data-advisory]').allInnerTexts()
    assert.equal(said.length, outcome === 'withdrawn' ? 1 : 0)
    if (outcome === 'withdrawn') assert.match(said[0] ?? '', /^TM-2026-4: .*fracture@2 is right/)
  }
  assertQuiet()
})

test('a receipt of a question in words: what it answers is said, and whether its reading was confirmed', async ({
  it,
  visit,
  signal,
}) => {
  const { page, assertQuiet } = await visit('/#verify')
  const words = { query: 'kinetic energy of 2 kg at 3 m/s' }
  const { api_key } = (await it.client.send('POST', '/api/auth/sign-up', {})).body as { readonly api_key: string }
  const client = it.as(api_key)
  const read = (await client.send('POST', '/api/svc/auto', { ...words, dry: true })).body as {
    readonly reading_digest: string
  }
  for (const [confirm, said] of [
    [read.reading_digest, /^Answers the question “kinetic energy/],
    [undefined, /^Answers the reading of “kinetic energy.*not confirmed by the caller, and not the question\. I read:/],
  ] as const) {
    const asked = { ...words, ...(confirm !== undefined && { confirm }) }
    const { envelope } = (await client.send('POST', '/api/svc/auto', asked)).body as {
      readonly envelope: { readonly token_id: string; readonly bundle: string }
    }
    const { token_id } = envelope
    await until(async () => (await client.call('economy.envelope', { token_id })).state !== 'promised', signal)
    const bundle = (await client.send('GET', envelope.bundle)).body as Bundle & { readonly question: object }
    assert.equal(await failingOf(page, JSON.stringify(bundle)), null)
    assert.match(await page.locator('[data-answers]').innerText(), said)
    const altered = { ...bundle, question: { ...bundle.question, query: 'the age of the moon' } }
    assert.equal(await failingOf(page, JSON.stringify(altered)), 'question')
  }
  assertQuiet()
})

test.run()
