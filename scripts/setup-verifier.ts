import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type InlineConfig, type Rolldown } from 'vite'

// The verifier in one HTML file: the page's own code for receipts, its worker with every solver, kernel and operator
// row packed inside, and a policy that forbids everything else. Set-up names the file.

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const GZIP_LEVEL = 9

interface Built {
  readonly code: string
  readonly style: string
}

/** One script without anything beside it. @param more settings of this bundle alone */
const bundle = async (entry: string, more: InlineConfig = {}): Promise<Built> => {
  const made = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    ...more,
    build: {
      write: false,
      target: 'es2023',
      cssCodeSplit: false,
      modulePreload: false,
      rolldownOptions: { input: `${ROOT}${entry}`, output: { format: 'iife', codeSplitting: false } },
    },
  })
  const parts = [made].flat().flatMap((it) => ('output' in it ? it.output : []))
  const codes = parts.filter((it): it is Rolldown.OutputChunk => it.type === 'chunk')
  const styles = parts.filter((it): it is Rolldown.OutputAsset => it.type === 'asset' && it.fileName.endsWith('.css'))
  const [only, ...rest] = codes
  if (only === undefined || rest.length > 0) throw new Error(`${entry} became ${codes.length} scripts, not one`)
  return { code: only.code, style: styles.map(({ source }) => String(source)).join('') }
}

/** Code as it may stand in an element: HTML looks for these before anything reads the script. */
const asElement = (code: string): string => code.trim().replace(/<(?=\/script|!--|script)/gi, '\\x3C')

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const [file = ''] = process.argv.slice(2)
const worker = await bundle('src/ui/receipt/verify-worker.ts')
const page = await bundle('src/ui/verifier/main.tsx', {
  // A page of one file has no worker beside it.
  plugins: [
    {
      name: 'worker-in-page',
      enforce: 'pre',
      resolveId: (id) => (id === './start-worker.ts' ? `${ROOT}src/ui/verifier/start-worker.ts` : null),
    },
  ],
})
const [code, style] = [asElement(page.code), page.style.trim()]
const policy = [
  "default-src 'none'",
  `script-src ${sourceOf(code)} 'wasm-unsafe-eval'`,
  `style-src ${sourceOf(style)}`,
  'worker-src blob:',
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')
const packed = gzipSync(worker.code, { level: GZIP_LEVEL }).toString('base64')
/** What of the template gives way to what. */
const parts: Readonly<Record<string, string>> = {
  "default-src 'none'": policy,
  '<!-- style -->': `<style>${style}</style>`,
  '<!-- worker -->': `<script type="application/gzip" id="worker">${packed}</script>`,
  '<!-- code -->': `<script>${code}</script>`,
}
const template = readFileSync(`${ROOT}src/ui/verifier/index.html`, 'utf8')
const places = new RegExp(Object.keys(parts).join('|'), 'g')
writeFileSync(
  file,
  template.replace(places, (place) => parts[place] ?? ''),
)
