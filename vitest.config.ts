import { defineConfig } from 'vitest/config'
import { Verdicts } from './tools/verdicts.ts'

const all = '{packages,apps,bench,simulation,tools}/**/*.test.ts'
// Browsers, whole constellations, storms: what takes longer than some ten seconds. `npm run test:long` runs it.
const long = '{packages,apps,bench,simulation,tools}/**/*.long.test.ts'

export default defineConfig({
  test: {
    globalSetup: ['packages/dev-env/src/testing/global-setup.ts'],
    reporters: ['default', new Verdicts(process.env['ERGON_VERDICTS'])],
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'quick', include: [all], exclude: [long, '**/node_modules/**'] } },
      { extends: true, test: { name: 'long', include: [long] } },
    ],
  },
})
