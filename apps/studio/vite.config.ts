import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

const fakeServer = 'http://127.0.0.1:4717'

// esbuild compiles JSX, so no plugin for React is needed
export default defineConfig({
  root: fileURLToPath(new URL('web', import.meta.url)),
  plugins: [tailwindcss()],
  esbuild: { jsx: 'automatic' },
  build: {
    outDir: fileURLToPath(new URL('../../dist/studio/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    manifest: true,
    // the content security policy allows no inline script, and every supported browser preloads modules
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rollupOptions: {
      // packages mark what runs on clients; here everything does
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warning.code !== 'INVALID_ANNOTATION') warn(warning)
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': { target: fakeServer, ws: true } } },
})
