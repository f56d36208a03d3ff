// Goal: the repository's documents become pages that lead nowhere wrong, and no text of one becomes more than text.
// Method: the real documents; texts that try to be HTML, a script, a picture with one, TeX that is none.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { renderLibrary } from '../../scripts/documents/render.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('documents')

/** A repository of these files alone. */
const libraryOf = (root: string, files: Readonly<Record<string, string>>) => {
  const least = { 'README.md': '# a', 'CHANGELOG.md': '# a', 'SECURITY.md': '# a', 'CONTRIBUTING.md': '# a' }
  for (const shelf of ['guide', 'solvers', 'wire', 'operators'])
    mkdirSync(join(root, 'protocols', shelf), { recursive: true })
  for (const [path, text] of Object.entries({
    ...least,
    'protocols/README.md': '# a',
    'protocols/openapi/introduction.md': 'a',
    ...files,
  })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return renderLibrary(root)
}

const rendered = (text: string, files: Readonly<Record<string, string>> = {}) => {
  using dir = tempDir()
  const { documents, faults } = libraryOf(dir.path, { 'protocols/solvers/heat.md': text, ...files })
  const found = documents.find(({ address }) => address === '/docs/solvers/heat')
  return { html: found!.html, title: found!.title, headings: found!.headings, faults }
}

test('every document of the repository is rendered, and no link, heading, picture or TeX of them is broken', () => {
  const { documents, faults } = renderLibrary('.')
  assert.deepEqual(faults, [])
  const addresses = documents.map(({ address }) => address)
  assert.equal(new Set(addresses).size, addresses.length)
  for (const folder of ['guide', 'solvers', 'wire']) {
    const files = readdirSync(`protocols/${folder}`).filter((name) => name.endsWith('.md'))
    for (const name of files) assert(addresses.includes(`/docs/${folder}/${name.slice(0, -3).toLowerCase()}`), name)
  }
  for (const { html, file } of documents) {
    assert.doesNotMatch(html, /<(?:script|style|iframe|object)|\son\w+="|\sstyle="/, file)
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length, file)
  }
})

test('the guide shows the proxy files as they lie in docker/proxy', () => {
  const guide = readFileSync('protocols/guide/public.md', 'utf8')
  for (const name of ['Caddyfile', 'nginx.conf']) {
    assert(guide.includes(`\n${readFileSync(`docker/proxy/${name}`, 'utf8')}\`\`\`\n`), name)
  }
})

test('HTML in a text is text, wherever it stands', () => {
  const evil = '<img src=x onerror=alert(1)>'
  const { html, title, faults } = rendered(
    [
      `# heat ${evil}`,
      evil,
      '<script>alert(1)</script>',
      `- ${evil}`,
      `## ${evil}`,
      `| ${evil} |\n|---|\n| ${evil} |`,
      `\`${evil}\``,
    ].join('\n\n'),
  )
  assert.deepEqual(faults, [])
  assert.doesNotMatch(html, /<img|<script/)
  assert.match(title, /heat/)
  assert(html.includes('&lt;img src=x onerror=alert(1)&gt;'))
})

test('a link leads to a document, to the node itself or to the web; anything else is a fault', () => {
  const { html, faults } = rendered(
    [
      '# heat',
      '[tour](../guide/tour.md#here) [lines](../../protocols/lines.jsonl)',
      '[self](#part) [out](https://example.org/?a=1&b=2)',
      '[docs](/docs/errors) `../guide/tour.md` [gone](gone.md) [script](javascript:alert(1)) [other](//example.org)',
      '## Part',
      '[up](../../../secret.md) [lost](../guide/tour.md#not-there)',
    ].join('\n\n'),
    { 'protocols/guide/tour.md': '# Tour\n\n## Here\n', 'protocols/lines.jsonl': '{}' },
  )
  const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)
  assert.deepEqual(links, [
    '/docs/guide/tour#here',
    '#part',
    'https://example.org/?a=1&amp;b=2',
    '/docs/errors',
    '/docs/guide/tour',
    '/docs/guide/tour#not-there',
  ])
  assert.equal(faults.length, 5)
  for (const part of ['gone.md', 'javascript:', '//example.org', 'secret.md', 'no heading not-there']) {
    assert(
      faults.some((it) => it.includes(part)),
      part,
    )
  }
})

test('TeX becomes MathML without styles, the equations of a solver stand in a room of their own', () => {
  const { html, faults, headings } = rendered(
    [
      '# heat',
      '$$\\frac{\\partial T}{\\partial t} = \\begin{cases}1&x>0\\\\0&\\text{else}\\end{cases}$$',
      'with $a_1$ and $5, not `$x$`.',
      '## Method',
      '$$x^2$$',
      '## Method',
    ].join('\n\n'),
  )
  assert.deepEqual(faults, [])
  assert.match(
    html,
    /^<div class="equations"><div class="math" tabindex="0"><math [\s\S]*<mfrac>[\s\S]*<\/math><\/div><\/div>/,
  )
  assert.equal([...html.matchAll(/class="equations"/g)].length, 1)
  assert.equal([...html.matchAll(/<math/g)].length, 3)
  assert(html.includes('$5, not <code>$x$</code>'))
  assert.doesNotMatch(html, / style=/)
  assert.deepEqual(
    headings.map(({ id }) => id),
    ['method', 'method-1'],
  )
  assert.equal(rendered('# heat\n\n$$\\frac{1$$\n').faults.length, 1)
})

test('a picture of ours stands in the page with its words; one with a script or from elsewhere does not', () => {
  const svg = '<svg viewBox="0 0 1 1"><title>A plate</title><path d="M0 0h1" stroke="currentColor"/></svg>'
  const place = 'protocols/solvers/pictures/heat.svg'
  const text = '# heat\n\n$$x$$\n\nWords.\n\n## Method\n'
  const good = rendered(text, { [place]: svg })
  assert.deepEqual(good.faults, [])
  assert.match(good.html, /class="equations">.*<\/div>\n<figure class="picture"><svg role="img" aria-label="A plate"/)
  for (const evil of [
    '<svg><script>1</script></svg>',
    '<svg onload="1"/>',
    '<svg><foreignObject/></svg>',
    '<svg><use href="https://example.org/a.svg#b"/></svg>',
    '<svg><rect style="fill:red"/></svg>',
    '<svg><rect fill="url(https://example.org/a)"/></svg>',
  ]) {
    const bad = rendered(text, { [place]: evil })
    assert.equal(bad.faults.length, 1, evil)
    assert(!bad.html.includes('<svg'), evil)
  }
  assert.equal(rendered('# heat\n\n![x](https://example.org/a.png)\n').faults.length, 1)
})

test('what set-up writes is what was rendered, with the colours of the page', () => {
  const { documents } = renderLibrary('.')
  const contents = JSON.parse(readFileSync('.build/docs/contents.json', 'utf8')) as { address: string }[]
  assert.deepEqual(
    contents.map(({ address }) => address),
    documents.map(({ address }) => address),
  )
  for (const { shelf, name, html } of documents) {
    assert.equal(readFileSync(`.build/docs/${shelf}/${name}.html`, 'utf8'), html, name)
  }
  assert.match(readFileSync('.build/docs/colours.css', 'utf8'), /--paper: light-dark\(/)
})

test.run()
