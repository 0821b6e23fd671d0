import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ParityRow } from './parity-page.ts'
import type { SellPhrases } from './sell-intent-page.ts'

/** Every REST endpoint that the specification names, by its headings. */
export const specifiedEndpoints = (): Readonly<Record<string, readonly string[]>> =>
  read('packages/contract/test/specified-endpoints.json')

/** What the tour does with each operation. */
export const stepNames = (): Readonly<Record<string, string>> => read('apps/server/test/tour/step-names.json')

/** The request that brings each code about. */
export const producerLines = (): Readonly<Record<string, string>> => read('apps/server/test/errors/producer-lines.json')

/** What every transport is asked, and what each must answer. */
export const parityRows = (): readonly ParityRow[] => read('apps/server/test/parity/table.json')

/** Phrases of buyers and sellers, by the half they belong to. */
export const sellPhrases = (): Readonly<Record<'held-out' | 'tuning', SellPhrases>> => ({
  'held-out': read('packages/contract/test/sell-intent/held-out.json'),
  tuning: read('packages/contract/test/sell-intent/tuning.json'),
})

type Manifest = Readonly<Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>> | undefined>>

/** What each package of the workspace names of others, by its name: the exact version. */
export function declaredVersions(): Readonly<Record<string, string>> {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const files = globSync(['package.json', '{packages,apps}/*/package.json', 'bench/package.json'], { cwd: root })
  return Object.fromEntries(
    files.sort().flatMap((file) => {
      const { dependencies = {}, devDependencies = {} } = read<Manifest>(file)
      return Object.entries({ ...dependencies, ...devDependencies })
    }),
  )
}

/** Tests hold these files to the types they are read as; data crosses the border between packages, code does not. */
function read<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')) as T // what the type checker sees where it is imported
}
