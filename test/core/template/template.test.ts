/*
 * Goal: a template is filled as its content type wants it, whatever the values are, and is refused with every fault and
 * its place where no escape is safe.
 * Method: tables of templates with what comes out, or with where and why they are refused; fast-check with values that
 * try to leave their place: the tags of markup must be those of the template, JSON and CSV must be read back as the
 * values; templates that want to grow end at the bounds.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Json } from '#core/canonical.ts'
import { fillPlaced } from '#core/template/fill.ts'
import { parsePlaced } from '#core/template/parse.ts'
import { FILLED_BYTES_MAX, type FillingType, fillingTypes, TEMPLATE_BYTES_MAX, Unfilled } from '#core/template/place.ts'
import { seed } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { csvRows, evilText, tagsOf } from './readers.ts'

const test = suite('core/template')

const fill = (text: string, contentType: FillingType, values: Readonly<Record<string, Json>>): string => {
  const read = parsePlaced(text, contentType)
  if ('faults' in read) throw new Error(`refused: ${JSON.stringify(read.faults)}`)
  return fillPlaced(read.parsed, values)
}

const faultsOf = (text: string, contentType: FillingType): readonly string[] => {
  const read = parsePlaced(text, contentType)
  return 'faults' in read ? read.faults.map(({ line, column }) => `${line}:${column}`) : []
}

const why = (text: string, values: Readonly<Record<string, Json>>, contentType: FillingType = 'text/plain'): string => {
  try {
    fill(text, contentType, values)
  } catch (cause) {
    if (cause instanceof Unfilled) return `${cause.path}@${cause.line}:${cause.column} ${cause.message}`
    throw cause
  }
  return 'filled'
}

const head: Readonly<Record<string, Json>> = {
  value: 9.80665,
  unit: 'm/s^2',
  nothing: null,
  tiny: -0.001,
  when: 1_735_689_600.5,
  on: true,
  name: 'Zoë 😀 <b>',
  list: [1, 'b', null, { c: 2 }],
  deep: { a: [{ b: 'here' }], q: { value: 2, unit: 'kg' } },
}

test('every filter writes what its name says', () => {
  const cases: readonly (readonly [place: string, output: string])[] = [
    ['value', '9.80665'],
    ['value|fixed:2', '9.81'],
    ['value | exp : 3', '9.807e+0'],
    ['tiny|fixed:2', '0.00'],
    ['tiny|exp:1', '-1.0e-3'],
    ['value|fixed:1|unit', '9.8 m/s^2'],
    ['deep.q|unit', '2 kg'],
    ['deep.q.value|unit', '2 kg'],
    ['name|upper', 'ZOË 😀 <B>'],
    ['name|lower', 'zoë 😀 <b>'],
    ['name|trim:4', 'Zoë '],
    ['name|trim:5', 'Zoë '],
    ['name|trim:6', 'Zoë 😀'],
    ['list', '[1,"b",null,{"c":2}]'],
    ['list|first:2|join:"; "', '1; b'],
    ['list|join:-', '1-b--{"c":2}'],
    ['list|first:1|json', '[1]'],
    ['list.3.c', '2'],
    ['deep.a.0.b', 'here'],
    ['when|iso', '2025-01-01T00:00:00.500Z'],
    ['on', 'true'],
    ['nothing', ''],
    ['nothing|fixed:2|default:-', '-'],
    ['absent.of.all|upper|default:"a | b: }}"', 'a | b: }}'],
    ["absent|default:'it\\'s'", "it's"],
  ]
  for (const [place, output] of cases) assert.equal(fill(`[{{ ${place} }}]`, 'text/plain', head), `[${output}]`, place)
})

test('a value that is not there, or that a filter does not take, is named with its place', () => {
  assert.match(why('a\n {{ absent }}', head), /^absent@2:2 .*no such value/)
  assert.match(why('{{ name|fixed:2 }}', head), /fixed takes a number/)
  assert.match(why('{{ name|join:a }}', head), /join takes a list/)
  assert.match(why('{{ value|first:1 }}', head), /first takes a list/)
  assert.match(why('{{ tiny|iso }}', head), /iso takes unix seconds/)
  assert.match(why('{{ value|unit }}', { value: 1, unit: 3 }), /unit beside it is no text/)
  assert.match(why('<a fill="{{ f }}"/>', { f: 'url(x)' }, 'image/svg+xml'), /word or number/)
})

test('all that does not fit is told at once, in order, and is not looked for without end', () => {
  const told = (text: string, values: Readonly<Record<string, Json>>): readonly string[] => {
    const read = parsePlaced(text, 'text/plain')
    assert.ok('parsed' in read)
    try {
      fillPlaced(read.parsed, values)
    } catch (cause) {
      assert.ok(cause instanceof Unfilled)
      return [cause, ...cause.others].map(({ path, line, column }) => `${path}@${line}:${column}`)
    }
    return []
  }
  const text = '{{ a }} {{ value }}\n{{ name|fixed:2 }} {{ b.c|upper }} {{ d|default:e }}'
  assert.deepEqual(told(text, head), ['a@1:1', 'name@2:1', 'b.c@2:20'])
  assert.equal(told('{{ a }}'.repeat(256), head).length, 100)
  assert.equal(told('{{ name|fixed:2 }}'.repeat(256), head).length, 16)
  const big = 'x'.repeat(FILLED_BYTES_MAX)
  assert.deepEqual(told('{{ a }}{{ big }}{{ value }}{{ c }}', { ...head, big }), ['a@1:1', 'value@1:17'])
  // What the filters may write ends it too: places behind that cannot be told from those that would fit.
  assert.equal(told('{{ big|upper|lower|trim:1 }}'.repeat(99), { big }).length, 1)
})

test('no prototype is reached, and no member that is not own', () => {
  const values = { o: { x: 1 }, l: [1, 2], s: 'text', n: 5 }
  const paths = ['constructor', '__proto__', 'o.constructor', 'o.__proto__.x', 'o.toString', 'l.length', 'l.01', 'l.-1']
  const more = ['l.2', 'l.map', 's.length', 's.0', 'n.toFixed', 'o.hasOwnProperty', 'l.__proto__', 'valueOf']
  for (const path of [...paths, ...more]) {
    assert.match(why(`{{${path}}}`, values), /no such value/, path)
    assert.equal(fill(`{{${path}|default:none}}`, 'text/plain', values), 'none', path)
  }
  const own = JSON.parse('{"__proto__": 7, "constructor": 8}') as Record<string, Json>
  assert.equal(fill('{{__proto__}}{{constructor}}', 'text/plain', own), '78')
})

test('every fault of a template is told at once, with its line and column', () => {
  const text = 'one {{ a|nope }}\n{{ b|fixed }} {{ c|fixed:99 }}\n{{ }} {{ d|json:1 }}\n  {{ e'
  assert.deepEqual(faultsOf(text, 'text/plain'), ['1:10', '2:6', '2:20', '3:4', '3:12', '4:7'])
  const long = faultsOf('x'.repeat(TEMPLATE_BYTES_MAX + 1), 'text/plain')
  assert.deepEqual([long, faultsOf('x'.repeat(TEMPLATE_BYTES_MAX), 'text/plain')], [['1:1'], []])
  assert.equal(faultsOf('{{a}}'.repeat(256), 'text/plain').length, 0)
  assert.deepEqual(faultsOf('{{a}}'.repeat(257), 'text/plain'), ['1:1281'])
  assert.deepEqual(faultsOf('a\0b', 'text/plain'), ['1:2'])
  assert.deepEqual(faultsOf(`{{ a${'|upper'.repeat(9)} }}`, 'text/plain').length, 1)
  assert.deepEqual(faultsOf('{{ a."b" }}{{ a..b }}{{ a|default:"x }}{{ a|trim:-1 }}', 'text/plain').length, 4)
})

const refused: Readonly<Record<string, readonly string[]>> = {
  'application/json': [
    '{{{a}}: 1}',
    '{"a": -{{a}}}',
    '{"a": 1{{a}}}',
    '[{{a}}{{b}}]',
    '[{{a}}0]',
    '"\\{{a}}"',
    '"\\u00{{a}}"',
    '{"a": {{a}}',
    '{"a": {{a}},}',
    '// {{a}}\n1',
    '',
    '"{{a}}',
    '"tab\t{{a}}"',
    '[1 {{a}}]',
    `${'['.repeat(65)}{{a}}${']'.repeat(65)}`,
  ],
  'text/csv': [
    'a {{a}}',
    '{{a}}{{b}}',
    '"a"{{a}}',
    '"a" {{a}},b',
    '"{{a}}',
    '={{a}}',
    '"=1+{{a}}"',
    '"  @{{a}}"',
    'a"{{a}}',
  ],
  'text/html': [
    '<script>{{a}}</script>',
    '<SCRIPT>{{a}}</SCRIPT>',
    '<style>{{a}}</style>',
    '<title>{{a}}</title>',
    '<textarea>{{a}}</textarea>',
    '<noscript>{{a}}</noscript>',
    '<xmp>{{a}}</xmp>',
    '<iframe>{{a}}</iframe>',
    '<iframe srcdoc="{{a}}"></iframe>',
    '<plaintext>{{a}}',
    '<!-- {{a}} -->',
    '<!--> {{a}} -->',
    '<!-- --!> {{a}} -->',
    '<!doctype {{a}}>',
    '<![CDATA[{{a}}]]>',
    '<?php {{a}} ?>',
    '<!x {{a}}>',
    '</ {{a}}>',
    '</b {{a}}>',
    '<{{a}}>',
    '<b{{a}}>',
    '<b {{a}}>',
    '<b {{a}}="x">',
    '<b x{{a}}="x">',
    '<b title={{a}}>',
    '<b title=x{{a}}>',
    '<b title="x"{{a}}>',
    '<b title="x"id="{{a}}">',
    '<b onclick="{{a}}">',
    '<b ONclick="{{a}}">',
    '<b style="{{a}}">',
    '<a href="{{a}}">',
    '<a href="/x?{{a}}">',
    '<img src="{{a}}">',
    '<img srcset="{{a}}">',
    '<video poster="{{a}}">',
    '<form action="{{a}}">',
    '<button formaction="{{a}}">',
    '<object data="{{a}}">',
    '<embed title="{{a}}">',
    '<meta content="{{a}}">',
    '<base target="{{a}}">',
    '<svg><a xlink:href="{{a}}">',
    '<svg><set attributeName="href" to="{{a}}"/>',
    '<svg><animate values="{{a}}"/>',
    '<param value="{{a}}">',
    '<b unknown="{{a}}">',
    '<b title="{{a}}',
    '<b title="{{a}}"',
    'a < {{a}}',
    '&{{a}};',
    '&#x{{a}};',
    '<title><b title="</title>{{a}}">',
    '<svg><style><b title="</style>{{a}}">',
    '<b/title="{{a}}">',
    '<b title="a" title="{{a}}">',
    "<b title='{{a}}",
  ],
  'image/svg+xml': [
    '{{a}}<svg/>',
    '<svg/>{{a}}',
    '<svg>{{a}}',
    '<svg>{{a}}</g>',
    '<svg><style>{{a}}</style></svg>',
    '<svg><style><g>{{a}}</g></style></svg>',
    '<svg><x:script>{{a}}</x:script></svg>',
    '<svg><a href="{{a}}"/></svg>',
    '<svg><g filter="{{a}}"/></svg>',
    '<svg><g onload="{{a}}"/></svg>',
    '<svg><g x={{a}}/></svg>',
    '<svg><g x/>{{a}}</svg>',
    '<svg><g x="<">{{a}}</g></svg>',
    '<svg>&nbsp;{{a}}</svg>',
    '<svg><![CDATA[{{a}}]]></svg>',
    '<?xml-stylesheet href="{{a}}"?><svg/>',
    '<!DOCTYPE svg [<!ENTITY x "{{a}}">]><svg/>',
    '<!DOCTYPE svg SYSTEM "{{a}}"><svg/>',
    '<svg><animateTransform to="{{a}}"/></svg>',
  ],
  'application/xml': [
    '<a xmlns="{{a}}"/>',
    '<a xmlns:b="{{a}}"/>',
    '<a xml:base="{{a}}"/>',
    '<a x:href="{{a}}"/>',
    '<a oN="{{a}}"/>',
    '<a style="{{a}}"/>',
    '<a src="{{a}}"/>',
    '<a><h:script>{{a}}</h:script></a>',
    '<a><!-- {{a}} --></a>',
    '<a><!-- a -- b -->{{a}}</a>',
    '<a/><b>{{a}}</b>',
    '<a>{{a}}]>{{a}}</a>',
    '<a>]]>{{a}}</a>',
    '<a>{{a}}</a><![CDATA[]]>',
    '<!DOCTYPE a><!DOCTYPE a><a>{{a}}</a>',
    '<a>]{{a}}></a>',
    '<a b="1" b="{{a}}"/>',
  ],
}

test('a place is refused where no escape is safe, and so is what cannot be told', () => {
  for (const [contentType, texts] of Object.entries(refused)) {
    for (const text of texts)
      assert.ok(faultsOf(text, contentType as FillingType).length > 0, `${contentType}: ${text}`)
  }
})

const page = `<!doctype html>
<html lang="{{lang}}"><head><meta charset="utf-8"><title>Live</title>
<style>p { color: #333 } a > b { margin: 0 }</style><script>go(1 && 2)</script></head>
<body class='c {{a}}' data-x="{{a}}"><!-- no place --><p title="{{a}}">{{a}} &amp; {{b|default:""}}<br/>
<progress value="{{n}}" max=10></progress><img alt="{{a}}" src="data:image/png;base64,AA=="></p>
<svg viewBox="0 0 9 {{n}}"><path d="M0 {{n}}" fill="{{c}}"/>
<title>x</title><text x="{{n}}">{{a}}</text></svg></body></html>`

const drawing = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" width="{{n}}"><style><![CDATA[a > b {}]]></style><title>{{a}}</title>
<g class="{{a}}"><text x='{{n}}' fill="{{c}}">&lt;{{a}}</text></g></svg>`

const document = `<readings of="{{a}}"><r unit='{{b|default:""}}' to="{{a}}">{{a}}</r><!-- x --><e/></readings>`

const harmless: Readonly<Record<string, Json>> = { a: 'a', b: 'b', c: 'red', n: 1, lang: 'en' }

const forms: readonly (readonly [text: string, type: FillingType])[] = [
  [page, 'text/html'],
  [drawing, 'image/svg+xml'],
  [document, 'application/xml'],
]

test('what a value says never becomes a tag, an attribute or the end of one', () => {
  for (const [text, type] of forms) {
    const shape = tagsOf(fill(text, type, harmless))
    const property = fc.property(evilText(), evilText(), (a, b) => {
      assert.deepEqual(tagsOf(fill(text, type, { ...harmless, a, b, lang: a })), shape)
    })
    fc.assert(property, { seed, numRuns: 150 })
  }
})

test('markup reads back as the value', () => {
  const out = fill('<a x="{{v}}">{{v}}</a>', 'application/xml', { v: `<&>"'\u0007\u{1f600}\ud800` })
  assert.equal(out, '<a x="&lt;&amp;&gt;&quot;&#39;😀\ufffd">&lt;&amp;&gt;&quot;&#39;😀\ufffd</a>')
  assert.equal(fill('a{{v}}b', 'text/plain', { v: '\u001b[2J\r\n\u0085x' }), 'a[2Jxb')
})

test('JSON reads back as the values, inside texts and out of them', () => {
  const text = '{"in": "[{{a}}]", "out": {{b}}, "list": [{{a}}, {{ b | json }}, {{n|fixed:2}}], "{{a}}": null}'
  const property = fc.property(evilText(), fc.jsonValue({ maxDepth: 4 }), fc.double({ noNaN: true }), (a, b, d) => {
    const n = Math.abs(d) > 1e300 ? 1 : d
    const { in: inside, out, list } = JSON.parse(fill(text, 'application/json', { a, b: b as Json, n }))
    // What half of a character becomes is for JSON itself to say; a value may have no minus before nought.
    assert.deepEqual([inside, list[0]], [`[${a}]`, a])
    assert.equal(JSON.stringify(out), JSON.stringify(b))
    assert.equal(JSON.stringify(list[1]), JSON.stringify(b))
    assert.equal(list[2], Number(n.toFixed(2)) + 0)
  })
  fc.assert(property, { seed, numRuns: 200 })
})

const asField = (value: string): string => {
  const text = value.toWellFormed()
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) || /^[=+\-@＝＋－＠]/.test(text.trimStart()) ? `'${text}` : text
}

test('CSV reads back as the values, with an apostrophe before what would be a formula', () => {
  const text = 'name,"a ""b""",n\r\n{{a}},"{{b}}",{{n}}\r\n"{{a}}{{b}}","is {{b}}","{{n}}"\r\n'
  const property = fc.property(evilText(), evilText(), fc.integer(), (a, b, n) => {
    const [first, second, third, ...rest] = csvRows(fill(text, 'text/csv', { a, b, n }))
    assert.deepEqual([first, rest], [['name', 'a "b"', 'n'], []])
    assert.deepEqual(second, [asField(a), asField(b), String(n)])
    const both = a.trim() === '' && a.toWellFormed() === asField(a) ? a.toWellFormed() + asField(b) : asField(a) + b
    assert.deepEqual(third, [both.toWellFormed(), `is ${b.toWellFormed()}`, String(n)])
  })
  fc.assert(property, { seed, numRuns: 300 })
  const cases = ['=1+1', '+1', '-1', '@x', '\t=1', '\r=1', ' =1', '＝1'].map((a) => fill('{{a}}', 'text/csv', { a }))
  assert.deepEqual(cases, ["'=1+1", "'+1", "'-1", "'@x", '"\'\t=1"', '"\'\r=1"', "' =1", "'＝1"])
  assert.equal(fill('"{{n}}{{a}}"', 'text/csv', { n: -1, a: '+cmd' }), `"'-1+cmd"`)
  assert.equal(fill('{{n}},{{n|fixed:1}}', 'text/csv', { n: -1 }), '-1,-1.0')
})

test('a template that wants to grow is ended at the bounds', () => {
  const big = 'x'.repeat(16_384)
  assert.match(why('{{a}}'.repeat(256), { a: big }), /more than 262144 bytes/)
  assert.equal(fill('{{a}}'.repeat(16), 'text/plain', { a: big }).length, FILLED_BYTES_MAX)
  assert.match(why('{{a}}'.repeat(16), { a: `${big.slice(1)}ä` }), /more than 262144 bytes/)
  assert.match(why('{{a}}'.repeat(16), { a: '&'.repeat(16_384) }, 'text/html'), /more than/)
  assert.match(why('{{a}}', { a: 'x'.repeat(FILLED_BYTES_MAX + 1) }), /larger than any output/)
  const list = Array.from({ length: 65_536 }, () => big.slice(0, 64))
  assert.match(why('{{a|json|trim:1}}', { a: list }), /larger than any output/)
  assert.match(why('{{a|join:""|trim:1}}', { a: list }), /larger than any output/)
  assert.match(why('{{a|first:9999|first:9999|join:""|trim:1}}'.repeat(256), { a: list.map(() => '') }), /too much/)
  assert.match(why('{{a|upper|lower|upper|trim:1}}'.repeat(256), { a: big }), /too much/)
  assert.match(why('{{o|trim:1}}'.repeat(256), { o: { big } }), /filled|too much/)
  let deep: Json = 1
  for (let i = 0; i < 100; i++) deep = [deep]
  assert.match(why('{{deep}}', { deep }), /deeper/)
})

test('a template of any text is read or refused, and what is read can be filled with text', () => {
  const sign = fc.constantFrom(
    '{{a}}',
    '{{b|default:""}}',
    '<',
    '>',
    '"',
    "'",
    '=',
    '/',
    '!--',
    '-->',
    ' ',
    'b',
    ',',
    '\n',
    '{',
    '}',
  )
  const property = fc.property(fc.array(sign, { maxLength: 24 }), fc.constantFrom(...fillingTypes), (signs, type) => {
    const read = parsePlaced(signs.join(''), type)
    if ('faults' in read) return assert.ok(read.faults.length > 0)
    assert.equal(typeof fillPlaced(read.parsed, { a: 'a' }), 'string')
  })
  fc.assert(property, { seed, numRuns: 500 })
})

test.run()
