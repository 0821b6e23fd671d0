import { defineConfig } from 'vitest/config'

const all = '{packages,apps,bench,simulation,tools}/**/*.test.ts'
// What measures this machine runs when nothing else does: after the others, one file at a time.
const measured = '{packages,apps,bench,simulation,tools}/**/*.alone.test.ts'

export default defineConfig({
  test: {
    globalSetup: ['packages/dev-env/src/testing/global-setup.ts'],
    pool: 'threads',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'together', include: [all], exclude: [measured, '**/node_modules/**'], maxWorkers: 2, sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'alone', include: [measured], maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
})
