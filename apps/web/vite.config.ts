import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { icons } from './src/icons-plugin/icons-plugin.ts'
import { fontPreloads } from './src/font-preloads-plugin.ts'
import { inlineStyle } from './src/inline-style-plugin.ts'
import { preloads } from './src/preloads-plugin.ts'
import { serviceWorker } from './src/offline/service-worker-plugin.ts'
import { towns } from './src/towns-plugin/towns-plugin.ts'
import { world } from './src/world-plugin/world-plugin.ts'

const compressible = /\.(?:m?js|css|html|svg|json|webmanifest)$/

/** Lays a `.br` and a `.gz` beside every text, once, at the highest level: the service only hands them out. */
function precompressed(): Plugin {
  return {
    name: 'ergon:precompressed',
    apply: 'build',
    enforce: 'post',
    // After everything is written: what the bundle holds before that is not yet what is handed out.
    async writeBundle({ dir }, bundle) {
      if (dir === undefined) return
      await Promise.all(
        Object.keys(bundle)
          .filter((fileName) => compressible.test(fileName))
          .map(async (fileName) => {
            const path = join(dir, fileName)
            const bytes = await readFile(path)
            await writeFile(
              `${path}.br`,
              brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
            )
            await writeFile(`${path}.gz`, gzipSync(bytes, { level: 9 }))
          }),
      )
    },
  }
}

/**
 * What screens are put together from; not the map, nor forms, filters and live events, which bring much along, nor the
 * texts of every error and of whose turn it is, nor pictures of codes, names of events and tables, which a first look
 * does not show.
 */
const kit = [
  /\/apps\/web\/src\/components\/(?!operator|turn|begin|code-picture|crash-report|happenings|exact-place|address-details)[\w-]+\.tsx$/,
  /\/apps\/web\/src\/components\/(?:network-title|evidence-icon|towns\/known-towns|deciders\/[\w-]+)\.ts$/,
  // A file of its own would cost more in headers than it holds.
  /\/(?:web\/src\/components\/metered\/decimal-typed|contract\/src\/facts\/(?:policy-limits|who-decides))\.ts$/,
  /\/apps\/web\/src\/lib\/(?!form\.ts|filters|live|operator|saved-filter|target-of|turn|read-csv|csv|phone-links|by-day)[\w-]+\.tsx?$/,
  /\/apps\/web\/src\/messages\/(?!errors\.ts|turns|event-words)[\w-]+\.ts$/,
]

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    towns(),
    world(),
    icons(),
    fontPreloads(),
    preloads(),
    inlineStyle(),
    serviceWorker(),
    precompressed(),
  ],
  build: {
    target: 'es2023',
    // A data: URL would need a wider Content-Security-Policy than the app has.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_200,
    // What every screen needs is one file, and what most need is another: cut up, it compresses worse and begins later.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'] },
            { name: 'kit', test: (id) => kit.some((one) => one.test(id)) },
            { name: 'news', test: /\/(?:features\/notifications\/(?:news|news-link|use-news)\.tsx?|facts\/news\.ts)$/ },
          ],
        },
      },
    },
  },
})
