import { defineConfig } from 'vite'

/** The page: one bundle without an outside asset. The worker is a module of its own, so that a re-run never blocks. */
const page = defineConfig({
  root: 'src/ui',
  base: '/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { outDir: '../../.build/ui', emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0 },
  worker: { format: 'es' },
})

// Vite reads its configuration from the default export and from nowhere else.
export default page
