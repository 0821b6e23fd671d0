import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { firstReads } from './first-reads.ts'

const routerFile = fileURLToPath(new URL('router.tsx', import.meta.url))
/** A route and its screen, however the formatter breaks the lines between them. */
const screenOf = /path: '([^']+)',[^(]*\(\(\) => import\('\.(\/routes\/[\w-]+\.tsx)'\)/g
const anyScreen = /import\('\.\/routes\//g

/**
 * Writes `preloads.json`: by the address of each screen, the files it is drawn with and what it reads first. The
 * service names them in the head of the page, so that they are on their way before the first script has run.
 */
export function preloads(): Plugin {
  return {
    name: 'ergon:preloads',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]))
      const entry = chunks.find((chunk) => chunk.isEntry)
      if (entry === undefined) throw new Error('the app has no entry')
      const known = closure([entry.fileName], importsOf)
      const router = readFileSync(routerFile, 'utf8')
      const screens = [...router.matchAll(screenOf)].map(([, path = '', module = '']) => {
        const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/src${module}`)))
        if (chunk === undefined) throw new Error(`no file of the build holds ${module}`)
        return [
          path,
          [...closure([chunk.fileName], importsOf)]
            .filter((file) => !known.has(file))
            .map((file) => `/${file}`)
            .concat(firstReads[path] ?? []),
        ] as const
      })
      if (screens.length === 0 || screens.length !== [...router.matchAll(anyScreen)].length)
        throw new Error('the router names a screen that cannot be read here')
      this.emitFile({ type: 'asset', fileName: 'preloads.json', source: JSON.stringify(Object.fromEntries(screens)) })
    },
  }
}

function closure(from: readonly string[], importsOf: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (file: string): void => {
    if (found.has(file)) return
    found.add(file)
    for (const one of importsOf.get(file) ?? []) add(one)
  }
  from.forEach(add)
  return found
}
