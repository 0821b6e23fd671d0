import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tools/longest-first.ts'
import { longGlob } from './tools/turns.ts'
import { Verdicts } from './tools/verdicts.ts'

const all = '{packages,apps,bench,simulation,tools}/**/*.test.ts'
const ofServer = 'apps/server/**/*.test.ts'
// `npm run test:long` runs it.
const long = longGlob
const modules = '**/node_modules/**'
// A browser and the app it shows keep both cores busy; servers that are killed and waited for do not.
const browsers = ['apps/web/**/*.long.test.ts', 'packages/dev-env/src/constellation/web.long.test.ts']
// Many of them wait for a node or a clock, so a third file has the core meanwhile.
const quick = { maxWorkers: 3, sequence: { groupOrder: 0 } }

export default defineConfig({
  test: {
    globalSetup: ['packages/dev-env/src/testing/global-setup.ts'],
    reporters: ['default', new Verdicts(process.env['ERGON_VERDICTS'])],
    pool: 'threads',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is waited for comes in milliseconds, and on a busy machine in seconds.
    expect: { poll: { timeout: 20_000 } },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        // Loading the modules of a file takes longer than most of these files: the next one finds them loaded.
        test: { name: 'quick', include: [all], exclude: [long, ofServer, modules], isolate: false, ...quick },
      },
      {
        extends: true,
        test: { name: 'quick-server', include: [ofServer], exclude: [long, modules], isolate: false, ...quick },
      },
      {
        extends: true,
        test: {
          name: 'long-servers',
          include: [long],
          exclude: [...browsers, modules],
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
