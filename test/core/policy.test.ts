// Goal: a mesh policy is read as C2SP tlog-policy says, and whatever it forbids is refused by line. Method: the
// document's own example with keys filled in, then one wrong line at a time.
import assert from 'node:assert/strict'
import { fromHex, utf8 } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { publicKeyOfSeed } from '#core/keys.ts'
import { ED25519_COSIGNATURE, encodeVkey, verifierOf } from '#core/note.ts'
import { POLICY_BYTES_MAX, parsePolicy, policyOfLog, quorumMet } from '#core/policy.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/policy')

const keyOf = (n: number): Uint8Array => publicKeyOfSeed(new Uint8Array(32).fill(n))
const log = (n: number): string => encodeVkey(verifierOf(`example.org/log${n}`, keyOf(n)))
const witness = (n: number): string => encodeVkey(verifierOf(`example.org/w${n}`, keyOf(n), ED25519_COSIGNATURE))

const example = [
  `log ${log(1)}`,
  '',
  `witness X1 ${witness(11)}`,
  `  witness\tX2   ${witness(12)} https://example.org/submit`,
  `witness X3 ${witness(13)}`,
  'group X-witnesses 2 X1 X2 X3',
  '  # one organization above, another below: größer',
  `witness Y1 ${witness(21)}`,
  `witness Y2 ${witness(22)}`,
  'group Y-witnesses any Y1 Y2',
  'group X-and-Y all X-witnesses Y-witnesses',
  'quorum X-and-Y',
]
const parse = (...lines: readonly string[]) => parsePolicy(utf8(`${lines.join('\n')}\n`))

test('the example of the document is read', () => {
  const { logs, witnesses, groups, quorum } = parse(...example)
  assert.deepEqual(logs.map(encodeVkey), [log(1)])
  assert.deepEqual([...witnesses.keys()], ['X1', 'X2', 'X3', 'Y1', 'Y2'])
  assert.deepEqual(groups.get('X-witnesses'), { threshold: 2, members: ['X1', 'X2', 'X3'] })
  assert.equal(groups.get('Y-witnesses')?.threshold, 1)
  assert.equal(groups.get('X-and-Y')?.threshold, 2)
  assert.equal(quorum, 'X-and-Y')
})

test('what `verify --key` stands for is a policy', () => {
  const { logs, witnesses, quorum } = parse(`log ${log(1)}`, 'quorum none')
  assert.deepEqual([logs.length, witnesses.size, quorum], [1, 0, null])
})

test('a quorum is met by enough of each group, and counted by keys', () => {
  const policy = parse(...example)
  const met = (...who: readonly number[]): boolean =>
    quorumMet(
      policy,
      who.map((n) => ({ verifier: verifierOf(`example.org/w${n}`, keyOf(n), ED25519_COSIGNATURE) })),
    )
  const [xs, ys] = [
    [11, 12, 13],
    [21, 22],
  ]
  for (let mask = 0; mask < 32; mask++) {
    const who = [...xs, ...ys].filter((_, i) => mask & (1 << i))
    const expected = who.filter((it) => xs.includes(it)).length >= 2 && who.some((it) => ys.includes(it))
    assert.equal(met(...who), expected, who.join())
  }
  assert.equal(met(11, 11, 21), false, 'a key counts once, however often it signed')
  assert.equal(met(31, 32, 33), false, 'keys that the policy does not have count nowhere')
  const other = { verifier: verifierOf('example.org/w11', keyOf(99), ED25519_COSIGNATURE) }
  const [x, y] = [12, 21].map((n) => ({ verifier: verifierOf(`example.org/w${n}`, keyOf(n), ED25519_COSIGNATURE) }))
  assert.equal(quorumMet(policy, [other, x!, y!]), false, 'nor does another key under a name that it has')
  assert.equal(quorumMet(policyOfLog(log(1)), []), true)
})

test('names are compared as bytes: a Kelvin sign is no K', () => {
  assert.throws(() => parse(`witness K ${witness(1)}`, 'quorum \u212a'), Fault)
})

test('every wrong line is refused, and named', () => {
  const small = encodeVkey(verifierOf('example.org/small', fromHex(`01${'00'.repeat(31)}`)))
  const sameKey = encodeVkey(verifierOf('example.org/other-name', keyOf(1)))
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['', []],
    ['', [`log ${log(1)}`]],
    ['Line 1: ', ['quorum nobody']],
    ['Line 2: ', ['quorum none', 'quorum none']],
    ['Line 1: ', ['quorum none none']],
    ['Line 1: ', ['Quorum none']],
    ['Line 1: ', ['log']],
    ['Line 1: ', [`log ${log(1)} https://a https://b`]],
    ['Line 1: ', [`log ${witness(1)}`]],
    ['Line 1: ', [`log ${log(1).replace('log1', 'log2')}`]],
    ['Line 1: ', [`log ${log(1).replace('example', 'ex\u0430mple')}`]],
    ['Line 1: ', [`log ${small}`]],
    ['Line 2: ', [`log ${log(1)}`, `log ${sameKey}`]],
    ['Line 1: ', [`witness none ${witness(1)}`]],
    ['Line 1: ', [`witness A ${log(1)}`]],
    ['Line 2: ', [`witness A ${witness(1)}`, `witness A ${witness(2)}`]],
    ['Line 2: ', [`witness A ${witness(1)}`, `witness B ${witness(1)}`]],
    ['Line 1: ', ['group G any']],
    ['Line 1: ', ['group G any G']],
    ['Line 2: ', [`witness A ${witness(1)}`, 'group G 0 A']],
    ['Line 2: ', [`witness A ${witness(1)}`, 'group G 2 A']],
    ['Line 2: ', [`witness A ${witness(1)}`, 'group G 01 A']],
    ['Line 2: ', [`witness A ${witness(1)}`, 'group G most A']],
    ['Line 2: ', [`witness A ${witness(1)}`, 'group G all A A']],
    ['Line 2: ', [`witness A ${witness(1)}`, 'group G all none']],
    ['Line 3: ', [`witness A ${witness(1)}`, 'group G all A', 'group H all A']],
    ['Line 2: ', [`witness A ${witness(1)}`, 'group A all A']],
    ['Line 1: ', ['__proto__ x']],
    ['Line 1: ', ['quorum none\r']],
  ]
  for (const [begin, lines] of rows) {
    const named = (error: unknown): boolean => error instanceof Fault && error.message.startsWith(begin)
    assert.throws(() => parse(...lines), named, lines.join(' | '))
  }
  assert.throws(() => parsePolicy(Uint8Array.of(0xff, 0x0a)), Fault)
  assert.throws(() => parsePolicy(new Uint8Array(POLICY_BYTES_MAX + 1).fill(0x20)), Fault)
})

test.run()
