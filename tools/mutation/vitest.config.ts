import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

const workplace = dirname(process.env['ERGON_MUTATION_ROUND'] ?? '')

/** A mutated file is read from its instrumented copy. */
const copies = {
  name: 'ergon-mutants',
  enforce: 'pre' as const,
  load(id: string) {
    const path = id.split('?', 1)[0] ?? ''
    const copy = path.startsWith(`${root}/`) ? `${workplace}/sources/${path.slice(root.length + 1)}` : ''
    return copy !== '' && existsSync(copy) ? readFileSync(copy, 'utf8') : null
  },
}

/** In memory where the round says so: a stage opens at once there, and a statement takes microseconds. */
const inMemory = {
  name: 'ergon-stage-in-memory',
  enforce: 'pre' as const,
  load(id: string) {
    if (process.env['ERGON_MUTATION_BED'] !== 'memory') return null
    return id.split('?', 1)[0] === `${root}/apps/server/test/market/stage-database.ts`
      ? `export * from '${root}/simulation/test/mutation/stage-database.ts'`
      : null
  },
}

/** The files in the order they were asked for: the quick ones first. */
class AsAsked extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const asked = process.argv.map((path) => `${root}/${path}`)
    return files.toSorted((a, b) => asked.indexOf(a.moduleId) - asked.indexOf(b.moduleId))
  }
}

export default defineConfig({
  root,
  plugins: [copies, inMemory],
  test: {
    globalSetup: ['packages/dev-env/src/testing/global-setup.ts'],
    setupFiles: [`${root}/tools/mutation/fixed-seed.ts`],
    runner: `${root}/tools/mutation/runner.ts`,
    pool: 'threads',
    maxWorkers: 1,
    sequence: { sequencer: AsAsked },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    include: [
      '{packages,apps}/**/*.test.ts',
      'simulation/test/mutation/*.test.ts',
      '.cache/mutation/*/statics/*.test.ts',
    ],
    exclude: ['**/node_modules/**'],
    dangerouslyIgnoreUnhandledErrors: true,
    // What a round transformed, the next ones of this run take over: the copies are the same, and so is the bed.
    fsModuleCachePath: `${workplace}/modules-${process.env['ERGON_MUTATION_BED'] ?? ''}`,
    reporters: [{}],
    silent: true,
  },
})
