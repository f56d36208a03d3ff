import { fileURLToPath } from 'node:url'
import { defineConfig, type ModulePreloadOptions, type Plugin } from 'vite'

/**
 * The page: no outside asset. What every first view needs is one chunk, since a browser has six connections and each
 * module is a round trip; other views are chunks of their own. A worker is a module of its own: a re-run never blocks.
 */
const first = { name: 'first', tags: ['$initial' as const] }

const rolldownOptions = { output: { codeSplitting: { groups: [first] } } }

/** What Vite puts around every `import()` of the page, as its own modules name it. */
const AROUND_IMPORTS = '\0vite/preload-helper.js'
const IMPORT_PIECE = fileURLToPath(new URL('../src/ui/part/import-piece.ts', import.meta.url))

/** Puts our own function there: Vite's asks for modules in a way that Chromium remembers when one does not come. */
const importingPieces = (): Plugin => {
  let isThere = false
  return {
    name: 'importing-pieces',
    enforce: 'pre',
    load: (id) => {
      if (id !== AROUND_IMPORTS) return null
      isThere = true
      return `export { importPiece as __vitePreload } from ${JSON.stringify(IMPORT_PIECE)}`
    },
    buildEnd: (error) => {
      if (error === undefined && !isThere) throw new Error(`Vite has no ${JSON.stringify(AROUND_IMPORTS)} any more`)
    },
  }
}

/** Has all files of an `import()` named: Vite names none where the piece is the only one. */
const modulePreload: ModulePreloadOptions = {
  polyfill: false,
  resolveDependencies: (piece, files, { hostType }) => (hostType === 'js' ? [...new Set([piece, ...files])] : files),
}

const page = defineConfig({
  root: 'src/ui',
  base: '/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [importingPieces()],
  build: {
    outDir: '../../.build/ui',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload,
    rolldownOptions,
  },
  worker: { format: 'es' },
})

// Vite reads its configuration from the default export and from nowhere else.
export default page
