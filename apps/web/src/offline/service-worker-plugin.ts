import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { buildPlaceholder, type KeptBuild } from './kept-build.ts'

/** A file that only one screen needs and that is larger than this is fetched when that screen is. */
const mostBytes = 200_000
const source = fileURLToPath(new URL('service-worker.ts', import.meta.url))

type Bundle = Parameters<Extract<NonNullable<Plugin['generateBundle']>, (...given: never[]) => unknown>>[1]

/** Builds `/sw.js` and writes into it what the build consists of, so that it changes whenever the app does. */
export function serviceWorker(): Plugin {
  return {
    name: 'ergon:service-worker',
    apply: 'build',
    enforce: 'post',
    buildStart() {
      this.emitFile({ type: 'chunk', id: source, fileName: 'sw.js' })
    },
    generateBundle(_, bundle) {
      const worker = bundle['sw.js']
      if (worker?.type !== 'chunk' || worker.imports.length > 0) throw new Error('the service worker stands in a file of its own')
      const code = worker.code.replace(new RegExp(`(["'\`])${buildPlaceholder}\\1`), () => JSON.stringify(JSON.stringify(keptBuild(bundle))))
      if (code === worker.code) throw new Error('the service worker has no place for the build')
      worker.code = code
    },
  }
}

function keptBuild(bundle: Bundle): KeptBuild {
  const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry && file.fileName !== 'sw.js')
  if (entry?.type !== 'chunk') throw new Error('the app has no entry')
  const page = bundle['index.html']
  if (page?.type !== 'asset') throw new Error('the build has no page')
  const first = new Set([entry.fileName, ...entry.imports])
  const kept = Object.values(bundle).filter((file) => /^assets\/.*\.(?:js|css)$/.test(file.fileName) && (first.has(file.fileName) || bytesOf(file) <= mostBytes))
  const paths = kept.map(({ fileName }) => `/${fileName}`).sort()
  return { id: createHash('sha256').update([...paths, page.source].join('\n')).digest('hex').slice(0, 16), entry: `/${entry.fileName}`, paths: [...paths, '/icons/icon.svg'] }
}

function bytesOf(file: Bundle[string]): number {
  return Buffer.byteLength(file.type === 'chunk' ? file.code : file.source)
}
