import { expect, test } from 'vitest'
import { decideConfig } from '../src/config/config.ts'
import { readEnv } from '../src/config/env.ts'
import type { Env } from '../src/index.ts'
import { readSecrets } from '../src/config/secrets.ts'
import { settings } from '../src/config/settings-table.ts'
import { StartupError } from '../src/errors.ts'

const good: Env = {
  DATABASE_URL: 'postgres://ergon@/ergon?host=/run/postgresql',
  FACILITATOR_NETWORKS: 'localnet',
  FACILITATOR_RPC_LOCALNET: 'http://127.0.0.1:8545',
}
const decide = (more: Env): ReturnType<typeof decideConfig> => decideConfig(readEnv({ ...good, ...more }))

const refused: readonly (readonly [Env, string])[] = [
  [{ DATABASE_URL: 'postgres://ergon:w/rd@127.0.0.1:5432/ergon' }, 'DATABASE_URL must be a postgres:// URL'],
  [{ DATABASE_URL: 'postgres://ergon@127.0.0.1:54320000/ergon' }, 'DATABASE_URL must be a postgres:// URL'],
  [{ FACILITATOR_PORT: '70000' }, 'FACILITATOR_PORT must be a whole number up to 65535'],
  [{ FACILITATOR_PORT: '0x10' }, 'FACILITATOR_PORT must be'],
  [{ FACILITATOR_SETTLE_WAIT_MS: '3000000000' }, 'FACILITATOR_SETTLE_WAIT_MS must be'],
  [{ FACILITATOR_LEASE_WAIT_MS: '3000000000' }, 'FACILITATOR_LEASE_WAIT_MS must be'],
  [{ FACILITATOR_RATE_LIMIT: '30/0.5/9' }, 'FACILITATOR_RATE_LIMIT must be off or burst/perSecond'],
  [{ FACILITATOR_RPC_TIMEOUT_MS: '0' }, 'FACILITATOR_RPC_TIMEOUT_MS must be 1 at least'],
  [{ FACILITATOR_HOST: '"127.0.0.1"' }, 'FACILITATOR_HOST has quotes around it'],
  [{ FACILITATOR_MINING: 'Off' }, 'FACILITATOR_MINING must be on or off'],
]

test.each(refused)('%o stops the start', (more, sentence) => {
  expect(() => decide(more)).toThrow(StartupError)
  expect(() => decide(more)).toThrow(sentence)
})

test.each(['0'.repeat(64), 'f'.repeat(64)])('%s is 32 bytes and no private key', (FACILITATOR_KEY) => {
  expect(() => readSecrets({ FACILITATOR_KEY })).toThrow(StartupError)
  expect(() => readSecrets({ FACILITATOR_KEY })).toThrow('set FACILITATOR_KEY or FACILITATOR_KEY_FILE')
})

test('an empty value is none: nothing listens to strangers for one', () => {
  const empty = Object.fromEntries(settings.map(({ name }) => [name, '']))
  expect(decide({ ...empty, ...good })).toEqual(decide({}))
  expect(decide({ FACILITATOR_HOST: '' })).toMatchObject({ host: '127.0.0.1', rateLimit: undefined })
})

test('all of 127.0.0.0/8 is this machine alone', () => {
  expect([decide({ FACILITATOR_HOST: '127.0.0.2' }).rateLimit, decide({ FACILITATOR_HOST: '::1' }).rateLimit]).toEqual([
    undefined,
    undefined,
  ])
  expect(decide({ FACILITATOR_HOST: '0.0.0.0' }).rateLimit).toMatchObject({ payments: { burst: 30 } })
})

test('what may be set is', () => {
  expect(decide({ FACILITATOR_MINING: 'on', FACILITATOR_RATE_LIMIT: '30/0.5' })).toMatchObject({ minesOnDemand: true })
  expect(decide({ FACILITATOR_MINING: 'off', FACILITATOR_SETTLE_WAIT_MS: '60000' })).toMatchObject({
    minesOnDemand: false,
    settleWaitMs: 60_000,
  })
})
