import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runFile, runScript } from './command.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const platform =
  /Date\.now\(|performance\.now|Math\.random|setTimeout|setInterval|setImmediate|node:timers|randomUUID|randomBytes|getRandomValues|new Date\(\)|hrtime/g

/** Loaded because a door exports them beside what a world is built of; nothing that runs in a world calls them. */
const besides: Readonly<Record<string, string>> = {
  'packages/contracts/src/local-transaction.ts': 'deploys on a real node',
  'packages/protocols/src/signer.ts': 'signs the requests of clients; people here sign by themselves',
  'packages/process/src/buckets.ts': 'the default where no clock is given',
  'packages/process/src/database/await-database.ts': 'the database of a real process',
  'packages/process/src/database/refusals.ts': 'the database of a real process',
  'packages/process/src/database/take-steps.ts': 'the database of a real process',
  'packages/process/src/database/watch-answers.ts': 'the database of a real process',
  'packages/process/src/ends-within.ts': 'how a real process ends',
  'packages/process/src/few-at-once.ts': 'gathers the statements of a real process',
  'packages/process/src/half-closed.ts': 'how a real connection ends',
  'packages/process/src/letting-go.ts': 'how a real process ends',
  'packages/process/src/lingering.ts': 'how a real connection ends',
  'packages/process/src/loop-watch.ts': 'the thread of a real process',
  'packages/process/src/metrics/listen-metrics.ts': 'the figures of a real process',
  'packages/process/src/metrics/sources.ts': 'the figures of a real process',
  'packages/process/src/open-log.ts': 'the log of a real process',
  'packages/chain-rpc/src/timers.ts': 'the nodes of a real process; a world asks its chain over lines',
  'apps/facilitator/src/testing/load.ts': 'measures a real process',
  'apps/facilitator/src/testing/payments.ts': 'builds bodies for tests over sockets',
  'apps/server/src/adapters/http/http-client.ts': 'sockets; a world has lines instead',
  'apps/server/src/adapters/postgres/pool.ts': 'the database of a real server',
  'apps/server/src/surroundings/fair-gate.ts': 'who waits in a real server',
  'apps/server/src/adapters/postgres/event-epoch.ts': 'the database of a real server',
  'apps/server/src/adapters/postgres/key-leases.ts': 'the database of a real server',
  'apps/server/src/adapters/postgres/key-store.ts': 'the database of a real server',
  'apps/server/src/adapters/postgres/task-totals.ts': 'the database of a real server',
  'apps/server/src/adapters/postgres/lease-keeper.ts': 'the database of a real server',
  'apps/server/src/adapters/postgres/migrate.ts': 'the database of a real server',
  'apps/server/src/adapters/postgres/servers.ts': 'the database of a real server',
  'apps/server/src/adapters/postgres/shared-clock.ts': 'the database of a real server',
  'apps/server/src/adapters/postgres/wake-channel.ts': 'the database of a real server',
  'apps/server/src/adapters/postgres/watch-database.ts': 'the database of a real server',
  'apps/server/src/surroundings/bounded-cache.ts': 'what a token said; nobody in a world has one',
  'apps/server/src/testing/random-salt.ts': 'the salt of a foreign client, for tests and attacks over HTTP',
  'apps/server/src/adapters/signatures/payment-signatures.ts': 'the default where no source of chance is given',
}

test('nothing that a world is made of mentions a clock, a timer or a source of chance of the platform', async () => {
  const { lines, output } = await runFile('machine/list-sources-main.ts')
  expect(lines.at(-1), output).toMatch(/^\[/)
  const files = (JSON.parse(lines.at(-1) ?? '[]') as readonly string[])
    .map((path) => path.slice(root.length))
    .filter((path) => !path.startsWith('simulation/src/machine/'))
  expect(files.length).toBeGreaterThan(200)
  const found = files.filter((path) => readFileSync(`${root}${path}`, 'utf8').search(platform) >= 0)
  expect(found.toSorted()).toEqual(Object.keys(besides).toSorted())
})

test('whatever of a world asks the platform for the time, a timer or chance fails loudly', async () => {
  const url = new URL('../../src/machine/close-platform.ts', import.meta.url).href
  const asks = [
    'Date.now()',
    'new Date()',
    'Date()',
    'Math.random()',
    'performance.now()',
    'setTimeout(() => 0, 1)',
    'setInterval(() => 0, 1)',
    'setImmediate(() => 0)',
    'crypto.randomUUID()',
    'crypto.getRandomValues(new Uint8Array(1))',
    'node.randomUUID()',
    'node.randomBytes(1)',
    'timers.setTimeout(1)',
    'process.hrtime()',
    'process.hrtime.bigint()',
  ]
  const { lines } = await runScript(`
    import * as node from 'node:crypto'
    import * as timers from 'node:timers/promises'
    import { closePlatform } from '${url}'
    closePlatform()
    const asks = { ${asks.map((ask) => `${JSON.stringify(ask)}: () => ${ask}`).join(', ')} }
    for (const [name, ask] of Object.entries(asks)) {
      try {
        ask()
        console.log(name, 'answers')
      } catch (error) {
        console.log(name, /out of reach/.test(String(error)) ? 'is out of reach' : String(error))
      }
    }
    console.log(new Date(0).toISOString(), new Date(0) instanceof Date)
  `)
  expect(lines).toEqual([...asks.map((ask) => `${ask} is out of reach`), '1970-01-01T00:00:00.000Z true'])
})
