// Goal: `verify` takes what a node sealed and nothing near it, names what fails, tells wrong from unchecked, and needs
// neither network, node nor data directory. Method: bundles of three kinds, made by a real node that is stopped before
// the first of them is verified; each of their values altered into a file of its own, all files judged in one call.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BUNDLE_BYTES_MAX, parseBundle } from '#core/bundle.ts'
import { toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import type { Bundle, Claim } from '#core/claim.ts'
import { envelopeLeaf, resultDigest, signClaim } from '#core/envelope.ts'
import { logName, tokenIdOf } from '#core/ids.ts'
import { nodeIdOf, publicKeyOf, publicKeyOfSeed } from '#core/keys.ts'
import { leafHash } from '#core/merkle.ts'
import { cosignatureLine, ED25519_COSIGNATURE, encodeVkey, parseNote, verifierOf } from '#core/note.ts'
import { encodeTlogProof, parseTlogProof } from '#core/tlog-proof.ts'
import { schemasHere } from '#numerics/runtime/rerun.ts'
import { altered, leavesOf, type Path, replaced } from '../kit/alterations.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { terminalIn } from './terminal.ts'

const test = suite('cli/verify')

const MS_MAX = 90_000
const dir = tempDir()
const terminal = terminalIn(dir.path)
const { json, run } = terminal.once
const KINDS = ['heat', 'multibody', 'compute'] as const

/** Seals one of each kind into files, prints the key to pin, and stops the node. */
const seal = async (): Promise<{ readonly vkey: string; readonly nodeId: string }> => {
  await using node = await terminal.start()
  const calls = [
    ['solve', 'heat', 'nx=96', 'ny=96', 'steps=50', '--bundle', 'heat.json'],
    ['solve', 'multibody', '--bundle', 'multibody.json'],
    ['compute', 'KO42,NM21', 'm1=5.972e24', 'm2=1000', 'r=6.78e6', '--bundle', 'compute.json'],
  ]
  for (const args of calls) assert.equal((await run(args)).code, 0)
  const { stdout } = await run(['keys', 'trusted'])
  await node.end('SIGTERM')
  return { vkey: stdout.trim(), nodeId: String(stdout.split('/')[1]) }
}
const { vkey, nodeId } = await seal()
const textOf = (kind: string): string => readFileSync(`${dir.path}/${kind}.json`, 'utf8')
const bundles = new Map(KINDS.map((kind) => [kind, parseBundle(textOf(kind))]))
const heat = bundles.get('heat')!

interface Judged {
  readonly file: string
  readonly outcome: string
  readonly failing: string | null
  readonly unchecked: readonly string[]
}
const verifyJson = async (args: readonly string[], stdin?: string) => {
  const { code, answer } = await json(['verify', ...args], stdin === undefined ? {} : { stdin })
  return { code, answer, files: answer['files'] as readonly Judged[] }
}

test(
  'each kind verifies and runs again to the bit, under the key in any form',
  async () => {
    writeFileSync(`${dir.path}/trusted.vkey`, `# the node next door\n\n${vkey}\n`)
    const names = KINDS.map((kind) => `${kind}.json`)
    const all = await run(['verify', ...names, '--key', 'trusted.vkey', '--replay'])
    assert.equal(all.code, 0, all.stdout)
    for (const name of names) assert.match(all.stdout, new RegExp(`^${name}: verified — `, 'm'))
    assert.equal(all.stdout.match(/^ok {7}run again/gm)?.length, KINDS.length)
    for (const key of [vkey, nodeId, toHex(publicKeyOf(nodeId))]) {
      assert.equal((await verifyJson(['heat.json', '--key', key])).code, 0, key)
    }
    const piped = await verifyJson(['-', '--key', nodeId], textOf('compute'))
    assert.deepEqual([piped.code, piped.answer['outcome'], piped.files[0]?.file], [0, 'verified', '-'])
  },
  MS_MAX,
)

test(
  'nothing is needed but the program and the file: no network, no home, no write, no native code',
  async () => {
    mkdirSync(`${dir.path}/alone`)
    for (const kind of KINDS) writeFileSync(`${dir.path}/alone/${kind}.json`, textOf(kind))
    const program = fileURLToPath(new URL('../../', import.meta.url))
    const offline = "import net from 'node:net'; net.Socket.prototype.connect = () => { throw new Error('network') }"
    const { code, stdout, stderr } = await run(
      ['verify', ...KINDS.map((kind) => `alone/${kind}.json`), '--key', vkey, '--replay'],
      {
        env: { HOME: '/nonexistent', XDG_DATA_HOME: '/nonexistent', TICKMESH_DATA: '/nonexistent', PATH: '' },
        runtime: [
          '--permission',
          `--allow-fs-read=${program}`,
          `--allow-fs-read=${dir.path}/alone`,
          `--import=data:text/javascript,${encodeURIComponent(offline)}`,
        ],
      },
    )
    assert.equal(code, 0, stdout + stderr)
    assert.deepEqual([readdirSync(`${dir.path}/alone`).length, existsSync('/nonexistent')], [KINDS.length, false])
  },
  MS_MAX,
)

test(
  'a key that is missing leaves things unchecked, another one fails',
  async () => {
    const none = await verifyJson(['heat.json'])
    assert.deepEqual([none.code, none.files[0]?.outcome, none.files[0]?.unchecked], [4, 'unchecked', ['key']])
    const stranger = publicKeyOfSeed(new Uint8Array(32).fill(9))
    for (const key of [toHex(stranger), nodeIdOf(stranger), vkey.replace('/', '/1')]) {
      const { code, answer } = await verifyJson(['heat.json', '--key', key])
      assert.ok(code === 3 || code === 4, key)
      if (code === 3) assert.equal(answer['failing'], 'key')
    }
    assert.equal((await verifyJson(['heat.json', '--key', nodeIdOf(stranger)])).code, 3)
    for (const key of ['nowhere.vkey', '/', '00'.repeat(32), 'a+b']) {
      assert.equal((await json(['verify', 'heat.json', '--key', key])).code, 4, key)
    }
  },
  MS_MAX,
)

test(
  'what is no bundle fails at its form, what is not there is unchecked, and the worst decides',
  async () => {
    const forms: Readonly<Record<string, string | Uint8Array>> = {
      empty: '',
      text: 'heat',
      truncated: textOf('heat').slice(0, -100),
      deep: `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
      unclosed: '['.repeat(200_000),
      binary: Uint8Array.from({ length: 4096 }, (_, i) => (i * 167) & 255),
      huge: new Uint8Array(BUNDLE_BYTES_MAX + 1).fill(0x20),
      doubled: textOf('compute').replace('{"v":1,', '{"v":1,"v":1,'),
      steering: '{"\\u001b[2J":1,"\\u001b[2J":1}',
      future: textOf('compute').replace('{"v":1,', '{"v":2,'),
    }
    for (const [name, bytes] of Object.entries(forms)) writeFileSync(`${dir.path}/${name}.form`, bytes)
    const names = Object.keys(forms).map((name) => `${name}.form`)
    const { code, files } = await verifyJson([...names, '--key', vkey])
    assert.equal(code, 3)
    for (const it of files) assert.deepEqual([it.outcome, it.failing], ['failed', 'form'], it.file)
    assert.equal((await verifyJson(['-', '--key', vkey], '')).code, 3)

    const gone = await verifyJson(['nowhere.json', '--key', vkey])
    assert.deepEqual([gone.code, gone.files[0]?.outcome], [4, 'unchecked'])
    mkdirSync(`${dir.path}/nothing-in-it`)
    assert.equal((await verifyJson([`${dir.path}/nothing-in-it`, '--key', vkey])).code, 4)
    mkdirSync(`${dir.path}/bundles`)
    for (const kind of KINDS) writeFileSync(`${dir.path}/bundles/${kind}.json`, textOf(kind))
    const folder = await verifyJson(['bundles', '--key', vkey])
    assert.deepEqual([folder.code, folder.files.length], [0, KINDS.length], 'a folder is what the bundles in it are')
    assert.equal((await verifyJson(['heat.json', 'nowhere.json', '--key', vkey])).code, 4)
    const mixed = await verifyJson(['nowhere.json', 'heat.json', 'text.form', '--key', vkey])
    assert.deepEqual([mixed.code, mixed.answer['outcome'], mixed.answer['failing']], [3, 'failed', 'form'])
  },
  MS_MAX,
)

/** The step that must refuse, by where the value stands; the form may always refuse first. */
const stepOf = ([first, second, third]: Path): string => {
  if (first === 'inputs') return 'inputs'
  if (first === 'result') return 'result'
  if (first === 'proof') return 'checkpoint'
  if (second === 'tick_receipt') return 'receipt'
  if (second === 'equations') return 'equations'
  return second === 'claim' && (third === 'node' || third === 'log') ? 'key' : 'signature'
}

for (const kind of KINDS) {
  test(
    `${kind}: any value altered is refused by the step it belongs to, any member left out is not verified`,
    async () => {
      const bundle = bundles.get(kind)!
      const folder = `${dir.path}/altered-${kind}`
      mkdirSync(folder)
      const leaves = leavesOf(bundle)
      for (const [i, [path, old]] of leaves.entries()) {
        writeFileSync(`${folder}/${i}`, JSON.stringify(replaced(bundle, path, altered(old))))
      }
      const { code, files } = await verifyJson([...leaves.map((_, i) => `${folder}/${i}`), '--key', vkey])
      assert.deepEqual([code, files.length], [3, leaves.length])
      assert.ok(leaves.length > 50)
      for (const [i, { outcome, failing }] of files.entries()) {
        const [path] = leaves[i]!
        assert.equal(outcome, 'failed', path.join('.'))
        assert.ok(failing === 'form' || failing === stepOf(path), `${path.join('.')}: ${failing}`)
      }

      const without = Object.keys(bundle).map((name) => {
        const file = `${folder}/without-${name}`
        const { [name as keyof Bundle]: _, ...rest } = bundle
        writeFileSync(file, JSON.stringify(rest))
        return file
      })
      for (const { file, outcome, failing, unchecked } of (await verifyJson([...without, '--key', vkey])).files) {
        const name = file.replace(/.*without-/, '')
        if (name === 'inputs' || name === 'result') assert.ok(outcome === 'unchecked' && unchecked.includes(name), name)
        else assert.deepEqual([outcome, failing], ['failed', 'form'], name)
      }
    },
    MS_MAX,
  )
}

/** The heat bundle as another node would sign it, with its own key, in a log of its own. */
const signedAnew = (changes: Partial<Claim>, more: Partial<Bundle> = {}): Bundle => {
  const seed = new Uint8Array(32).fill(7)
  const publicKey = publicKeyOfSeed(seed)
  const node = nodeIdOf(publicKey)
  const log = logName(node, 2_310_000_000)
  const place = { node, log, index: 0, token_id: tokenIdOf(log, 0) }
  const claim = { ...heat.envelope.claim, ...place, ...changes } as Claim
  const signature = signClaim(seed, claim)
  const root = leafHash(envelopeLeaf(claim, signature))
  const checkpoint = signCheckpoint({ origin: log, size: 1, root }, publicKey, seed)
  const proof = encodeTlogProof({ index: 0, path: [], checkpoint })
  return { ...heat, ...more, envelope: { ...heat.envelope, claim, signature }, proof }
}

/** One value of the field altered, and the claim signed over the altered field. */
const lie = (): Bundle => {
  const { inputs, result } = heat
  const output = replaced(result!.output, ['field', 2080], 0.5) as Readonly<Record<string, Json>>
  const about = { inputs: inputs as object, evidence: result!.evidence_digest }
  const result_digest = resultDigest(schemasHere(heat.envelope.claim)!.output, output, about)
  return signedAnew({ result_digest }, { result: { ...result!, output } })
}

test(
  'a node that signs what it did not compute is found by a re-run, and by that alone',
  async () => {
    const bundle = lie()
    writeFileSync(`${dir.path}/lie.json`, JSON.stringify(bundle))
    const key = bundle.envelope.claim.node
    const believed = await verifyJson(['lie.json', '--key', key])
    assert.deepEqual([believed.code, believed.answer['outcome']], [0, 'verified'])
    const found = await verifyJson(['lie.json', '--key', key, '--replay'])
    assert.deepEqual([found.code, found.answer['failing']], [3, 'replay'])
    const { stdout } = await run(['verify', 'lie.json', '--key', key, '--replay'])
    assert.match(stdout, /^FAILED {3}run again +The re-run differs in the result/m)
  },
  MS_MAX,
)

test(
  'under a policy: its logs and its quorum, of witnesses that signed the checkpoint; a bad policy is no verdict',
  async () => {
    const seed = new Uint8Array(32).fill(9)
    const witness = verifierOf('witness.example/w', publicKeyOfSeed(seed), ED25519_COSIGNATURE)
    const other = verifierOf('witness.example/x', publicKeyOfSeed(seed.map(() => 8)), ED25519_COSIGNATURE)
    const { checkpoint, ...rest } = parseTlogProof(heat.proof)
    const { text } = parseNote(checkpoint)
    const line = cosignatureLine(text, witness, seed, 1_794_874_000)
    const cosigned = { ...heat, proof: encodeTlogProof({ ...rest, checkpoint: checkpoint + line }) }
    writeFileSync(`${dir.path}/cosigned.json`, JSON.stringify(cosigned))
    const policy = (name: string, ...lines: readonly string[]): string => {
      writeFileSync(`${dir.path}/${name}`, `${lines.join('\n')}\n`)
      return name
    }
    const names = [`witness w ${encodeVkey(witness)}`, `witness x ${encodeVkey(other)}`]
    const one = policy('one', `log ${vkey}`, ...names, 'quorum w')
    const both = policy('both', `log ${vkey}`, ...names, 'group g all w x', 'quorum g')
    const none = policy('none', `log ${vkey}`, 'quorum none')
    const elsewhere = policy('elsewhere', `log ${vkey.replace(/\+.*/, 'x')}+${'0'.repeat(8)}+AA==`, 'quorum none')

    const met = await verifyJson(['cosigned.json', '--policy', one])
    assert.deepEqual([met.code, met.files[0]?.outcome], [0, 'verified'])
    const [{ cosigners } = { cosigners: null }] = met.answer['files'] as { cosigners: unknown }[]
    assert.deepEqual(cosigners, [{ name: 'w', seconds: 1_794_874_000 }])
    for (const [file, rules, failing] of [
      ['heat.json', one, 'quorum'],
      ['cosigned.json', both, 'quorum'],
    ] as const) {
      const found = await verifyJson([file, '--policy', rules])
      assert.deepEqual([found.code, found.files[0]?.failing], [3, failing])
    }
    assert.equal((await verifyJson(['heat.json', '--policy', none])).code, 0, 'the policy is whom to trust')
    assert.equal((await verifyJson(['heat.json', '--policy', none, '--key', nodeId])).code, 0)
    assert.equal((await run(['verify', 'heat.json', '--policy', elsewhere])).code, 4)
    assert.equal((await run(['verify', 'heat.json', '--policy', 'no-such-file'])).code, 4)
    const printed = await run(['verify', 'cosigned.json', '--policy', one])
    assert.match(printed.stdout, /witnesses\s+Cosigned by w \(2026-11-17T00:06:40\.000Z\); the quorum w is met/)
    const bare = await run(['verify', 'cosigned.json', '--key', vkey])
    assert.match(bare.stdout, /No policy was given; 1 cosignature/)
  },
  MS_MAX,
)

test(
  'a revision of a solver that is not known here is unchecked, not wrong',
  async () => {
    const { code } = heat.envelope.claim
    const bundle = signedAnew({ code: { ...code, solver: 'heat@9999' } })
    writeFileSync(`${dir.path}/revision.json`, JSON.stringify(bundle))
    const found = await verifyJson(['revision.json', '--key', bundle.envelope.claim.node, '--replay'])
    assert.deepEqual([found.code, found.answer['outcome']], [4, 'unchecked'])
    // Its arrays have no schema here; yet the code that is here gives the very digest that the claim holds.
    assert.deepEqual(found.files[0]?.unchecked, ['result'])
    dir[Symbol.dispose]()
  },
  MS_MAX,
)

test.run()
