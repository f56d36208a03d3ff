// Goal: whatever is mistyped on the command line is answered with what to type instead, and changes nothing. Method: a
// real node, an account's terminal, and a list of slips: of commands, options, inputs, values, names and quotes.
import assert from 'node:assert/strict'
import { terminalIn } from '../cli/terminal.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('tasks/slips')
const MS_MAX = 120_000

/** What was typed, how it ends, and what the answer must have in it: the very words to type. */
const slips: readonly (readonly [typed: readonly string[], exit: number, told: RegExp])[] = [
  [['slove', 'heat'], 2, /did you mean solve\?/],
  [['stauts'], 2, /did you mean status\?/],
  [['strat', '--http-port', '0'], 2, /did you mean start\?/],
  [['machines', 'lsit'], 2, /did you mean list\?/],
  [['config', 'shwo'], 2, /did you mean show\?/],
  [['--jsn', 'status'], 2, /did you mean --json\?/],
  [['verify', 'receipt.json', '--kee', 'node.key'], 2, /did you mean --key\?/],
  [['start', '--http-prot', '0'], 2, /did you mean --http-port\?/],
  [['start', '--http-port', 'abc'], 2, /http\.port: must be integer \(from --http-port\)/],
  [['heat', 'nx=64'], 2, /write: tickmesh solve heat nx=64/],
  [['solve', 'haet'], 2, /Did you mean heat\?/],
  [['solve', 'heat', '--nx', '64'], 2, /write: nx=64/],
  [['solve', 'heat', 'nx', '64'], 2, /write: nx=64/],
  [['solve', 'heat', 'nz=64'], 1, /Did you mean nx or ny\?/],
  [['solve', 'heat', 'scheme=adii'], 1, /must be one of adi, ftcs\. Did you mean adi\?/],
  [['solve', 'heat', 'nx=1000000'], 1, /nx must be at most 4096\./],
  [['solve', 'quant', 'K=80,90'], 1, /K must be a number\. .*tickmesh solve quant --vary K=80,90/],
  [['solve', 'heat', 'nx=many'], 1, /nx must be a whole number\./],
  [['solve', 'heat', 'initial.kind=boxx'], 1, /initial\.kind must be one of .* Did you mean box\?/],
  [['heat a plate of -5 m by 2 m', '--dry-run'], 1, /lx.* must be at least 1e-9/],
  [['credits', 'grant', 'anna', '5'], 1, /zid must be an account: zid1 and 32 letters or digits/],
  [['envelopes', 'bundle', '12'], 1, /token_id must be 32 hexadecimal digits, as `tickmesh envelopes` lists them/],
  [['compute', 'GR37', 'masss=1'], 1, /Did you mean mass\?/],
  [['compute', 'GR37'], 1, /Missing: GR37\.M \(mass, kg\)/],
  [['compute', 'GR3', 'mass=1'], 1, /^GR37 +Schwarzschild radius/m],
  [['solvers', 'heet'], 1, /Did you mean heat\?/],
  [['gravity'], 2, /tickmesh operators gravity/],
  [['escape', 'velocity', 'of', 'mars'], 2, /tickmesh "escape velocity of mars"/],
  [['verify'], 2, /for example: tickmesh verify heat\.json --key /],
  [['verify', 'nothing.json'], 4, /`tickmesh envelopes bundle <token> --out nothing\.json` saves a bundle/],
  [['completion', 'tcsh'], 2, /the shells are bash, zsh, fish/],
  [['export'], 2, /for example: tickmesh export receipts/],
  [['status', '--url', 'node'], 2, /write it like https:\/\/node\.example/],
]

test(
  'mistype everything on the command line: each slip is answered with what to type',
  async () => {
    using home = tempDir()
    await using it = await testNode()
    const { api_key: key } = await it.client.call('identity.sign-up', {})
    const env = { TICKMESH_URL: it.url, TICKMESH_KEY: key }
    const { here } = terminalIn(home.path)
    const before = await it.as(key).call('identity.account', {})
    const begin = performance.now()
    for (const [typed, exit, told] of slips) {
      const { code, stdout, stderr } = await here.run(typed, { env })
      assert.equal(code, exit, `${typed.join(' ')}: ${stderr}`)
      assert.match(`${stderr}${stdout}`, told, typed.join(' '))
      assert.doesNotMatch(stderr, /\n +at /, `${typed.join(' ')}: no stack`)
    }
    console.log(`TASK mistype everything: ${slips.length} slips, ${((performance.now() - begin) / 1000).toFixed(1)} s`)
    assert.deepEqual(await it.as(key).call('identity.account', {}), before, 'nothing was charged')
  },
  MS_MAX,
)

test.run()
