import { defineConfig } from 'vite'

/**
 * The page: no outside asset. What every first view needs is one chunk, since a browser has six connections and each
 * module is a round trip; other views are chunks of their own. A worker is a module of its own: a re-run never blocks.
 */
const first = { name: 'first', tags: ['$initial' as const] }

const rolldownOptions = { output: { codeSplitting: { groups: [first] } } }

const page = defineConfig({
  root: 'src/ui',
  base: '/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { outDir: '../../.build/ui', emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0, rolldownOptions },
  worker: { format: 'es' },
})

// Vite reads its configuration from the default export and from nowhere else.
export default page
