// Goal: receipts of earlier operator tables are judged by every judge with the rows they name, old rows are to be had
// by their digest, and what nobody has is named and leaves a receipt unchecked.
// Method: bundles that nodes of earlier releases sealed (test/fixtures/registry); a real node over HTTP, the command
// line in this process, the page's judge; claims signed anew that name versions nobody has.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitOf, verifyFile } from '#cli/evidence.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import type { Bundle, Code } from '#core/claim.ts'
import { envelopeLeaf, inputsDigest, signClaim } from '#core/envelope.ts'
import { logName, tokenIdOf } from '#core/ids.ts'
import { nodeIdOf, publicKeyOfSeed } from '#core/keys.ts'
import { leafHash } from '#core/merkle.ts'
import { encodeTlogProof } from '#core/tlog-proof.ts'
import { loadHistory, loadRegistry, readKept } from '#domain/compute/load-registry.ts'
import { NodeRefusal } from '#gateway/client.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { replay } from '#numerics/runtime/replay.ts'
import { solverByName, solvers } from '#numerics/solvers/index.ts'
import { judge } from '#ui/receipt/verify-file.ts'
import { terminalIn } from '../../cli/terminal.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'

const test = suite('api: earlier operators')

const MS_MAX = 60_000
const FIXTURES = new URL('../../fixtures/registry/', import.meta.url)
const pathOf = (name: string): string => new URL(name, FIXTURES).pathname
const bundleOf = (name: string): Bundle => JSON.parse(readFileSync(pathOf(name), 'utf8')) as Bundle
const keyOf = (release: string): string => readFileSync(pathOf(`${release}/trusted.vkey`), 'utf8').trim()
const GR35 = bundleOf('82-rows/gr35.json')
const UNKNOWN = `sha256:${'5'.repeat(64)}`

/** The bundle as another node would sign it, whose claim names other code. */
const signedAnew = (bundle: Bundle, code: Partial<Code>): { readonly bundle: Bundle; readonly trusted: string } => {
  const seed = new Uint8Array(32).fill(7)
  const publicKey = publicKeyOfSeed(seed)
  const node = nodeIdOf(publicKey)
  const log = logName(node, 2_310_000_000)
  const { claim: real } = bundle.envelope
  const claim = { ...real, node, log, index: 0, token_id: tokenIdOf(log, 0), code: { ...real.code, ...code } }
  const signature = signClaim(seed, claim)
  const root = leafHash(envelopeLeaf(claim, signature))
  const proof = encodeTlogProof({
    index: 0,
    path: [],
    checkpoint: signCheckpoint({ origin: log, size: 1, root }, publicKey, seed),
  })
  return { bundle: { ...bundle, envelope: { ...bundle.envelope, claim, signature }, proof }, trusted: node }
}

const statusOf = async (call: Promise<unknown>): Promise<number> => {
  const cause = await call.then(
    () => assert.fail('it was answered'),
    (it: unknown) => it,
  )
  assert.ok(cause instanceof NodeRefusal, String(cause))
  return cause.status
}

test(
  'verify --replay: earlier bundles verify offline; a version that nobody has is exit 4 and named',
  async () => {
    using dir = tempDir()
    for (const release of ['118-rows', '82-rows']) {
      for (const name of readdirSync(pathOf(release)).filter((it) => it.endsWith('.json'))) {
        const found = await verifyFile(pathOf(`${release}/${name}`), { trusted: keyOf(release), replay: true })
        assert.deepEqual([name, exitOf[found.outcome]], [name, 0])
        assert.equal(found.steps.at(-1)?.detail, 'The solver gave the same bits again.', name)
      }
    }
    const { bundle, trusted } = signedAnew(GR35, { registry: UNKNOWN })
    const file = join(dir.path, 'unknown.json')
    writeFileSync(file, JSON.stringify(bundle))
    const { code, stdout } = await terminalIn(dir.path).here.run(['verify', file, '--key', trusted, '--replay'])
    assert.equal(code, 4, stdout)
    assert.match(stdout, new RegExp(`skipped  run again +.*${UNKNOWN}`))
  },
  MS_MAX,
)

test(
  'the page fetches earlier rows when a receipt names them, and checks what it fetched',
  async () => {
    const folder = new URL('../../../protocols/operators/', import.meta.url)
    const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
    const rows = files.map((name) => readFileSync(new URL(name, folder), 'utf8'))
    let fetched = 0
    const judged = async (
      of: { readonly bundle: Bundle; readonly trusted: string },
      kept: () => ReturnType<typeof readKept>,
    ) => {
      const counted = async () => {
        fetched += 1
        return kept()
      }
      const texts = { rows, kept: counted }
      return judge(
        { evidence: new Blob([JSON.stringify(of.bundle)]), trusted: of.trusted, past: [] },
        texts,
        () => undefined,
      )
    }
    const real = { bundle: GR35, trusted: keyOf('82-rows') }
    assert.equal((await judged(real, readKept)).outcome, 'verified')
    assert.equal(fetched, 1)
    const altered = await judged(real, () => ({ ...readKept(), rows: readKept().rows.replaceAll('86400', '86401') }))
    assert.equal(altered.outcome, 'unchecked')
    assert.match(altered.steps.at(-1)?.detail ?? '', /row sha256:[0-9a-f]{64} of GR35, .* not kept here/)
    const gone = await judged(real, () => {
      throw new Error('the node is gone')
    })
    assert.deepEqual([gone.outcome, /the node is gone/.test(gone.steps.at(-1)?.detail ?? '')], ['unchecked', true])
    fetched = 0
    const today = signedAnew(GR35, { registry: loadRegistry().version })
    assert.deepEqual([(await judged(today, readKept)).outcome, fetched], ['verified', 0])
  },
  MS_MAX,
)

test(
  'reverify runs a claim with the rows it names, solver or operators, and says with which',
  async () => {
    await using it = await testNode()
    for (const name of ['82-rows/gr35.json', '118-rows/solve.json']) {
      const { envelope, inputs } = bundleOf(name)
      const { claim, signature } = envelope
      const asked = async (of: object) => {
        const answer = await it.client.send('POST', '/api/svc/reverify', { claim: of, inputs })
        return (
          answer.body as {
            readonly verdict: { readonly verdict: string; readonly reason: string; readonly code: Code }
          }
        ).verdict
      }
      assert.ok(signature.length > 0)
      const agreed = await asked(claim)
      assert.deepEqual([agreed.verdict, agreed.code.registry], ['agree', claim.code.registry], agreed.reason)
      const wrong = await asked({ ...claim, value: (claim.value ?? 0) + 1 })
      assert.equal(wrong.verdict, 'disagree')
      const others = { ...claim, code: { ...claim.code, constants: 'e'.repeat(64) } }
      const doubted = await asked({ ...others, value: (claim.value ?? 0) + 1 })
      assert.equal(doubted.verdict, 'unverifiable', 'other constants may give other bits')
      assert.match(doubted.reason, /table of constants e{64}; here is [0-9a-f]{64}/)
      const unknown = await asked({ ...claim, code: { ...claim.code, registry: UNKNOWN } })
      assert.equal(unknown.verdict, 'unverifiable')
      assert.match(unknown.reason, new RegExp(UNKNOWN))
    }
  },
  MS_MAX,
)

/** The first version there was: its QM8 took transmissions below 1e-300, which today's refuses. */
const FIRST = loadHistory().versions()[0]?.version ?? ''

/** A claim of `solve` at that version, as a node of its time would have made it, and its inputs. */
const beyondToday = (): { readonly claim: object; readonly inputs: object } => {
  const { envelope, inputs: given } = bundleOf('118-rows/solve.json')
  const relation = { operator: 'QM8', inputs: { L: 68e-9, m: 9.1093837139e-31, V: '2 eV', E: '1 eV' } }
  const solver = solverByName('solve')
  assert.ok(solver !== undefined)
  const inputs = resolveInput(solver, { ...(given as object), relation }) as object
  const old = { ...envelope.claim, code: { ...envelope.claim.code, registry: FIRST } }
  const again = replay(solvers, { kind: 'solve', inputs, claim: old, registry: loadHistory().at })
  assert.ok('result_digest' in again && again.otherCode === undefined, JSON.stringify(again))
  const { result_digest, value, unit, operators, steps, equations_digest, measured: precisionActual } = again
  assert.ok(value !== null && value > 0 && value < 1e-300)
  const check = { ...old.check, measured: precisionActual }
  const made = { result_digest, value, unit, operators, steps, equations_digest, precisionActual, check }
  return { claim: { ...old, ...made, inputs_digest: inputsDigest(solver.input, inputs) }, inputs }
}

test(
  'what an earlier row took and the one of now refuses agrees when the claim names the earlier one',
  async () => {
    await using it = await testNode()
    const { claim, inputs } = beyondToday()
    const asked = async (of: object) => {
      const { body } = await it.client.send('POST', '/api/svc/reverify', { claim: of, inputs })
      return (body as { readonly verdict: { readonly verdict: string; readonly reason: string } }).verdict
    }
    const earlier = await asked(claim)
    assert.equal(earlier.verdict, 'agree', earlier.reason)
    const { code } = claim as { readonly code: Code }
    const now = await asked({ ...claim, code: { ...code, registry: loadRegistry().version } })
    assert.equal(now.verdict, 'disagree')
    assert.match(now.reason, /QM8: the output T .* is below 1e-300/)
  },
  MS_MAX,
)

test(
  'forms of a row and versions of the registry, by API and command line',
  async () => {
    await using it = await testNode()
    using dir = tempDir()
    const { forms, versions, count } = await it.client.call('compute.operator-versions', { id: 'gr35' })
    assert.ok(forms !== null && forms.length === 3)
    const landed = versions.find((one) => one.version === GR35.envelope.claim.code.registry)
    assert.deepEqual([landed?.count, count >= 12], [82, true])
    for (const { digest, today } of forms) {
      const row = await it.client.call('compute.operator', { id: 'GR35', digest })
      assert.equal(row.digest, digest)
      assert.equal(today, digest === loadRegistry().operator('GR35').digest)
    }
    const [first, last] = [forms[0], forms.at(-1)]
    assert.equal(last?.today, true)
    assert.deepEqual(await it.client.call('compute.operator', { id: 'GR35' }), {
      ...(await it.client.call('compute.operator', { id: 'GR35', digest: last?.digest ?? '' })),
    })
    assert.equal(await statusOf(it.client.call('compute.operator', { id: 'GR35', digest: UNKNOWN })), 404)
    assert.equal(await statusOf(it.client.call('compute.operator', { id: 'GR36', digest: first?.digest ?? '' })), 404)
    assert.equal(await statusOf(it.client.send('GET', '/api/operators/GR35?digest=sha256:x')), 400)
    assert.equal(await statusOf(it.client.call('compute.operator-versions', { id: 'NOTHING' })), 404)
    const page = await it.client.call('compute.operator-versions', { limit: 2, offset: 1 })
    assert.deepEqual([page.versions, page.forms], [versions.slice(1, 3), null])

    const { here } = terminalIn(dir.path)
    const env = { TICKMESH_URL: it.url }
    const history = await here.run(['operators', 'history', 'GR35'], { env })
    assert.equal(history.code, 0, history.stderr)
    for (const { digest } of forms) assert.match(history.stdout, new RegExp(`${digest} .*\\S`))
    const listed = await here.run(['operators', 'versions'], { env })
    assert.match(listed.stdout, /2026-11-20 +sha256:[0-9a-f]{64} +82 rows/)
    const old = await here.json(['operators', 'GR35', '--digest', first?.digest ?? ''], { env })
    assert.deepEqual([old.code, old.answer['digest']], [0, first?.digest])
    assert.equal((await here.run(['operators', '--digest', first?.digest ?? ''], { env })).code, 2)
  },
  MS_MAX,
)

test.run()
