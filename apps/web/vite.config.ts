import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { serviceWorker } from './src/offline/service-worker-plugin.ts'

const compressible = /\.(?:js|css|html|svg|json|webmanifest)$/

/** Lays a `.br` and a `.gz` beside every text, once, at the highest level: the service only hands them out. */
function precompressed(): Plugin {
  return {
    name: 'ergon:precompressed',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        if (!compressible.test(fileName)) continue
        const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source)
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }) })
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(bytes, { level: 9 }) })
      }
    },
  }
}

export default defineConfig({
  plugins: [react(), tailwindcss(), serviceWorker(), precompressed()],
  build: {
    target: 'es2023',
    // A data: URL would need a wider Content-Security-Policy than the app has.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_200,
  },
})
