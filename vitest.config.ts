import { defineConfig } from 'vitest/config'
import { Verdicts } from './tools/verdicts.ts'

const all = '{packages,apps,bench,simulation,tools}/**/*.test.ts'
// Browsers, whole constellations, storms: what takes longer than some ten seconds. `npm run test:long` runs it.
const long = '{packages,apps,bench,simulation,tools}/**/*.long.test.ts'
// A browser and the app it shows keep both cores busy; servers that are killed and waited for do not.
const browsers = ['apps/web/**/*.long.test.ts', 'packages/dev-env/src/constellation/web.long.test.ts']

export default defineConfig({
  test: {
    globalSetup: ['packages/dev-env/src/testing/global-setup.ts'],
    reporters: ['default', new Verdicts(process.env['ERGON_VERDICTS'])],
    pool: 'threads',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: [all],
          exclude: [long, '**/node_modules/**'],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'long-servers',
          include: [long],
          exclude: [...browsers, '**/node_modules/**'],
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'long-browsers', include: browsers, maxWorkers: 2, sequence: { groupOrder: 2 } },
      },
    ],
  },
})
