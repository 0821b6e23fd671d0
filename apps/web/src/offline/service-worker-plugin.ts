import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
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
    async generateBundle(_, bundle) {
      const code = await workerCode()
      const filled = code.replace(new RegExp(`(["'\`])${buildPlaceholder}\\1`), () =>
        JSON.stringify(JSON.stringify(keptBuild(bundle))),
      )
      if (filled === code) throw new Error('the service worker has no place for the build')
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: filled })
    },
  }
}

/** A build of its own: in that of the app it would share files with the page, and a worker imports nothing. */
async function workerCode(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    build: { write: false, target: 'es2023', rolldownOptions: { input: source, output: { entryFileNames: 'sw.js' } } },
  })
  const files = Array.isArray(built) ? built.flatMap(({ output }) => output) : 'output' in built ? built.output : []
  const [worker] = files
  if (worker?.type !== 'chunk' || files.length > 1 || worker.imports.length > 0)
    throw new Error('the service worker must be one file')
  return worker.code
}

function keptBuild(bundle: Bundle): KeptBuild {
  const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry)
  if (entry?.type !== 'chunk') throw new Error('the app has no entry')
  const page = bundle['index.html']
  if (page?.type !== 'asset') throw new Error('the build has no page')
  const first = new Set([entry.fileName, ...entry.imports])
  const kept = Object.values(bundle).filter(
    (file) =>
      /^assets\/.*\.(?:js|css|svg|woff2)$/.test(file.fileName) &&
      (first.has(file.fileName) || bytesOf(file) <= mostBytes),
  )
  const paths = kept.map(({ fileName }) => `/${fileName}`).sort()
  return {
    id: createHash('sha256')
      .update([...paths, page.source].join('\n'))
      .digest('hex')
      .slice(0, 16),
    entry: `/${entry.fileName}`,
    paths: [...paths, '/icons/icon.svg'],
  }
}

function bytesOf(file: Bundle[string]): number {
  return Buffer.byteLength(file.type === 'chunk' ? file.code : file.source)
}
