import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const compressible = /\.(?:js|css|html|svg|json|webmanifest)$/

/** Lays a `.br` and a `.gz` beside every text, once, at the highest level: the service only hands them out. */
function precompressed(): Plugin {
  return {
    name: 'ergon:precompressed',
    apply: 'build',
    // From the disk: only there is every file what it will be.
    async writeBundle({ dir }) {
      if (dir === undefined) return
      const entries = await readdir(dir, { recursive: true, withFileTypes: true })
      const paths = entries.filter((entry) => entry.isFile() && compressible.test(entry.name)).map((entry) => join(entry.parentPath, entry.name))
      await Promise.all(paths.map(async (path) => {
        const bytes = await readFile(path)
        await writeFile(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
        await writeFile(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      }))
    },
  }
}

export default defineConfig({
  plugins: [react(), tailwindcss(), precompressed()],
  build: {
    target: 'es2023',
    // A data: URL would need a wider Content-Security-Policy than the app has.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_200,
  },
})
