import { cruise } from 'dependency-cruiser'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Files = Readonly<Record<string, string>>
type Rule = { readonly name: string; readonly comment?: string; readonly from: object; readonly to: object }
type Configuration = {
  readonly forbidden: readonly Rule[]
  readonly options: { readonly enhancedResolveOptions: object }
}

// The configuration is CommonJS because the tool wants it so; its shape is asserted by the first test.
const configuration = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as Configuration

const core = new URL('../packages/core/src/', import.meta.url)
const effects = ['flows', 'ports', 'views', 'testing']
const nouns = readdirSync(core, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !effects.includes(entry.name))
  .map(({ name }) => name)

const value = (path: string) => `import { thing } from '${path}'\nexport const mine = thing\n`
const type = (path: string) => `import type { Thing } from '${path}'\nexport type Mine = Thing\n`
const thing = 'export const thing = 1\nexport type Thing = number\n'

/** One folder of the server importing from another. */
const inServer = (from: string, to: string): Files => ({
  [`apps/server/src/${from}/a.ts`]: type(`../${to}/b.ts`),
  [`apps/server/src/${to}/b.ts`]: thing,
})

/** A file that breaks the rule, and the file it should not have reached. Every rule of the configuration is here. */
const violations: Readonly<Record<string, Files>> = {
  'contract-is-alone': {
    'packages/contract/src/a.ts': value('../../protocols/src/index.ts'),
    'packages/protocols/src/index.ts': thing,
  },
  'contract-needs-only-typebox': {
    'packages/contract/src/a.ts': value('zod'),
    'node_modules/zod/index.js': thing,
    'node_modules/zod/package.json': '{"name":"zod","main":"index.js"}',
  },
  'protocols-are-alone': {
    'packages/protocols/src/a.ts': value('../../contract/src/index.ts'),
    'packages/contract/src/index.ts': thing,
  },
  'chain-rpc-knows-no-marketplace': {
    'packages/chain-rpc/src/a.ts': value('../../core/src/index.ts'),
    'packages/core/src/index.ts': thing,
  },
  'process-is-alone': {
    'packages/process/src/a.ts': value('../../protocols/src/index.ts'),
    'packages/protocols/src/index.ts': thing,
  },
  'oauth-is-alone': {
    'packages/oauth/src/a.ts': type('../../contract/src/index.ts'),
    'packages/contract/src/index.ts': thing,
  },
  'channels-are-alone': {
    'packages/channels/src/a.ts': type('../../core/src/index.ts'),
    'packages/core/src/index.ts': thing,
  },
  'channel-program-is-alone': {
    'packages/channel-program/src/a.ts': type('../../channels/src/index.ts'),
    'packages/channels/src/index.ts': thing,
  },
  'solana-ledger-is-an-adapter': {
    'packages/solana-ledger/src/a.ts': type('../../core/src/index.ts'),
    'packages/core/src/index.ts': thing,
  },
  'contracts-are-alone': {
    'packages/contracts/src/a.ts': value('../../core/src/index.ts'),
    'packages/core/src/index.ts': thing,
  },
  'core-borrows-words-only': {
    'packages/core/src/a.ts': type('../../protocols/src/index.ts'),
    'packages/protocols/src/index.ts': thing,
  },
  'core-imports-contract-types-only': {
    'packages/core/src/a.ts': value('../../contract/src/index.ts'),
    'packages/contract/src/index.ts': thing,
  },
  'facts-need-nothing': {
    'packages/contract/src/facts/fee.ts': value('../errors.ts'),
    'packages/contract/src/errors.ts': thing,
  },
  'core-has-no-runtime-dependency': {
    'packages/core/src/a.ts': value('pg'),
    'node_modules/pg/index.js': thing,
    'node_modules/pg/package.json': '{"name":"pg","main":"index.js"}',
  },
  'core-has-no-builtin': {
    'packages/core/src/a.ts': "import { randomUUID } from 'node:crypto'\nexport const id = randomUUID\n",
  },
  'nouns-are-pure': {
    'packages/core/src/tasks/task.ts': type('../ports/store.ts'),
    'packages/core/src/ports/store.ts': thing,
  },
  'cli-is-a-client': { 'packages/cli/src/a.ts': value('../../core/src/index.ts'), 'packages/core/src/index.ts': thing },
  'web-is-a-client': {
    'apps/web/src/a.ts': value('../../../packages/core/src/index.ts'),
    'packages/core/src/index.ts': thing,
  },
  'features-stand-apart': {
    'apps/web/src/features/one/a.ts': value('../two/b.ts'),
    'apps/web/src/features/two/b.ts': thing,
  },
  'components-serve-features': {
    'apps/web/src/components/a.ts': value('../features/one/b.ts'),
    'apps/web/src/features/one/b.ts': thing,
  },
  'sdk-is-a-client': { 'packages/sdk/src/a.ts': value('../../core/src/index.ts'), 'packages/core/src/index.ts': thing },
  'browser-safe': {
    'packages/sdk/src/a.ts': "import { readFileSync } from 'node:fs'\nexport const read = readFileSync\n",
  },
  'gateway-serves-anybody': {
    'apps/gateway/src/a.ts': value('../../../packages/core/src/index.ts'),
    'packages/core/src/index.ts': thing,
  },
  'facilitator-serves-anybody': {
    'apps/facilitator/src/a.ts': value('../../../packages/contract/src/index.ts'),
    'packages/contract/src/index.ts': thing,
  },
  'server-leans-inward': {
    'apps/server/src/a.ts': value('../../../packages/sdk/src/index.ts'),
    'packages/sdk/src/index.ts': thing,
  },
  'parsers-stand-apart': {
    'apps/server/src/adapters/storage/disk.ts': value('./clean/clean-copy.ts'),
    'apps/server/src/adapters/storage/clean/clean-copy.ts': thing,
  },
  'transports-carry': {
    'apps/server/src/transports/rest.ts': value('../../../../packages/core/src/index.ts'),
    'packages/core/src/index.ts': thing,
  },
  'adapters-serve-ports': {
    'apps/server/src/adapters/tasks.ts': type('../../../../packages/core/src/flows/assign.ts'),
    'packages/core/src/flows/assign.ts': thing,
  },
  'server-surroundings': inServer('surroundings', 'dispatch'),
  'server-dispatch': inServer('dispatch', 'api'),
  'server-sessions': inServer('sessions', 'api'),
  'server-config': inServer('config', 'adapters'),
  'server-events': inServer('events', 'adapters'),
  'server-live': inServer('live', 'api'),
  'server-delivery': inServer('delivery', 'adapters'),
  'server-webhooks': inServer('webhooks', 'adapters'),
  'server-adapters': inServer('adapters', 'webhooks'),
  'server-sockets': inServer('sockets', 'transports'),
  'server-web': inServer('web', 'adapters'),
  'server-api': inServer('api', 'adapters'),
  'server-transports': inServer('transports', 'api'),
  'server-workers': inServer('workers', 'adapters'),
  'front-doors-only': {
    'packages/sdk/src/a.ts': value('../../protocols/src/caip.ts'),
    'packages/protocols/src/caip.ts': thing,
  },
  'no-cycles': {
    'packages/sdk/src/a.ts': "import { b } from './b.ts'\nexport const a = b\n",
    'packages/sdk/src/b.ts': "import { a } from './a.ts'\nexport const b = a\n",
  },
  'no-test-in-source': { 'packages/sdk/src/a.ts': value('./b.test.ts'), 'packages/sdk/src/b.test.ts': thing },
  'no-dev-dependency-in-source': {
    'packages/sdk/package.json': '{"name":"sdk","devDependencies":{"solc":"1.0.0"}}',
    'packages/sdk/src/a.ts': value('solc'),
    'node_modules/solc/index.js': thing,
    'node_modules/solc/package.json': '{"name":"solc","main":"index.js"}',
  },
  'everything-resolves': { 'packages/sdk/src/a.ts': value('./nowhere.ts') },
}

const clean: Readonly<Record<string, Files>> = {
  'the core borrowing a word of the contract': {
    'packages/core/src/a.ts': type('../../contract/src/index.ts'),
    'packages/contract/src/index.ts': thing,
  },
  'the core reading a fact of the contract': {
    'packages/core/src/money/amount.ts': value('../../../contract/src/facts/index.ts'),
    'packages/contract/src/facts/index.ts': thing,
  },
  'a flow reading a port': {
    'packages/core/src/flows/publish.ts': type('../ports/store.ts'),
    'packages/core/src/ports/store.ts': thing,
  },
  'a handler using the market': {
    'apps/server/src/api/tasks.ts': value('../../../../packages/core/src/index.ts'),
    'packages/core/src/index.ts': thing,
  },
  'a Node builtin behind an import condition': {
    'packages/protocols/src/curve/native.ts':
      "import { createRequire } from 'node:module'\nexport const load = createRequire\n",
  },
  'a test using a dev dependency': {
    'packages/sdk/package.json': '{"name":"sdk","devDependencies":{"solc":"1.0.0"}}',
    'packages/sdk/src/a.test.ts': value('solc'),
    'node_modules/solc/index.js': thing,
    'node_modules/solc/package.json': '{"name":"solc","main":"index.js"}',
  },
}

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'ergon-imports-'))
})
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})

async function rulesBrokenBy(files: Files): Promise<readonly string[]> {
  const folder = mkdtempSync(join(root, 'case-'))
  for (const [path, text] of Object.entries({ 'package.json': '{"name":"fixture","type":"module"}', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const sources = [...new Set(Object.keys(files).map((path) => path.split('/')[0] ?? ''))].filter(
    (name) => name !== 'node_modules',
  )
  const { output } = await cruise(
    sources,
    { ...configuration.options, baseDir: folder, validate: true, ruleSet: { forbidden: [...configuration.forbidden] } },
    // The rules' own resolver options, so that a fixture resolves as the real tree does.
    configuration.options.enhancedResolveOptions,
  )
  if (typeof output === 'string') throw new Error('the default reporter answers an object')
  return [...new Set(output.summary.violations.map((violation) => violation.rule.name))].sort()
}

test('every import rule says why it is there and is proved here', () => {
  expect(configuration.forbidden.filter((rule) => (rule.comment ?? '') === '')).toEqual([])
  expect(Object.keys(violations).sort()).toEqual(configuration.forbidden.map((rule) => rule.name).sort())
})

describe('every folder of the core that is neither flow, port nor view is a noun:', () => {
  test.each(nouns)('%s', async (noun) => {
    const files = {
      [`packages/core/src/${noun}/a.ts`]: type('../flows/b.ts'),
      'packages/core/src/flows/b.ts': thing,
    }
    expect(await rulesBrokenBy(files)).toContain('nouns-are-pure')
  })
})

test('every folder of the server is in the table and in ARCHITECTURE', () => {
  const server = new URL('../apps/server/', import.meta.url)
  const there = readdirSync(new URL('src/', server), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
    .map(({ name }) => name)
  // CommonJS, like its reader; the next line compares its keys.
  const { folders } = createRequire(import.meta.url)('../apps/server/folders.cjs') as {
    readonly folders: Readonly<Record<string, readonly string[]>>
  }
  expect(Object.keys(folders).sort()).toEqual(there.sort())
  const page = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ')
  const rows = Object.entries(folders).map(([name, allowed]) => `${name}: ${allowed.join(', ') || 'none'}`)
  expect(rows.filter((row) => !page.includes(row))).toEqual([])
})

describe('a violation is refused:', () => {
  test.each(Object.entries(violations))('%s', async (name, files) => {
    expect(await rulesBrokenBy(files)).toContain(name)
  })
})

describe('what the table allows passes:', () => {
  test.each(Object.entries(clean))('%s', async (_, files) => {
    expect(await rulesBrokenBy(files)).toEqual([])
  })
})
