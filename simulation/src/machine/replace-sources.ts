import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** A piece of a source file that is another one in this process. */
export type Replacement = { readonly file: string; readonly find: string; readonly replace: string }

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** How often a text occurs in another. */
export function occurrences(source: string, text: string): number {
  return source.split(text).length - 1
}

/**
 * The source with the replacement made. @throws Error when the text is not there exactly once: then the replacement is
 * stale.
 */
export function replaceIn(source: string, { file, find, replace }: Replacement): string {
  const count = occurrences(source, find)
  if (count !== 1) throw new Error(`stale replacement: ${file} holds the text ${String(count)} times`)
  return source.split(find).join(replace)
}

/** Loads these files with their replacements from now on; answers which were loaded. */
export function replaceSources(replacements: readonly Replacement[]): ReadonlySet<string> {
  const replaced = new Set<string>()
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.startsWith('file:')) return loaded
      const path = fileURLToPath(url)
      const wanted = replacements.filter(({ file }) => path === `${root}${file}`)
      if (wanted.length === 0 || loaded.source === undefined || loaded.source === null) return loaded
      const text =
        typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString('utf8') // bytes otherwise
      for (const { file } of wanted) replaced.add(file)
      return { ...loaded, source: wanted.reduce(replaceIn, text) }
    },
  })
  return replaced
}

export const idealCurveReplacement: Replacement = {
  file: 'packages/protocols/src/curve/native.ts',
  find: 'export const curve: Curve = loadAddon()',
  replace: `import { idealCurve } from ${JSON.stringify(new URL('./ideal-curve.ts', import.meta.url).href)}\nexport const curve: Curve = idealCurve(loadAddon())`,
}
