import { createTestDatabase } from '@ergon/dev-env/testing'
import { expect, onTestFinished, test } from 'vitest'
import { replacedSettings, runDefaults } from '../../src/config/run-defaults.ts'
import { startRig } from '../adapters/rig.ts'
import { decide, good } from '../config-env.ts'
import { send } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { adminKey } from '../http/live-admin.ts'
import { expectStatus } from '../http/live-market.ts'
import { startServer, type Running } from '../lines/server-process.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

/** A setting of the environment that the admin key has changed since is not in force, and nobody finds out too late. */

const [former, next] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`] as const

async function change(server: Running, value: string | null): Promise<void> {
  const headers = { host: authority, 'x-admin-key': adminKey, 'content-type': 'application/json' }
  const body = JSON.stringify({ key: 'disputes.arbiters', value, reason: 'Another arbiter.' })
  expectStatus(await send(server.url, 'PUT', '/api/v1/admin/config', headers, body), 200)
}

const ruling = async (server: Running): Promise<unknown> => (await server.get('/api/v1/arbiters')).body['arbiters']

test('arbiters of the environment that the admin key has replaced are told at the start', async () => {
  const rig = await startRig()
  onTestFinished(() => rig[Symbol.asyncDispose]())
  const database = await createTestDatabase(serverSchema)
  onTestFinished(() => database[Symbol.asyncDispose]())
  const env = { SVC_ADMIN_KEY: adminKey, SVC_LOG_LEVEL: 'warn' }
  const first = await startServer(database.url, { rig, env: { ...env, SVC_ARBITERS: former } })
  await change(first, former)
  expect(first.said()).not.toContain('is not in force')
  first.child.kill('SIGTERM')
  await first.ended
  const second = await startServer(database.url, { rig, env: { ...env, SVC_ARBITERS: next } })
  await expect.poll(() => second.said()).toContain('SVC_ARBITERS is not in force: the admin key has changed')
  expect(await ruling(second)).toEqual([former])
  await change(second, null)
  await expect.poll(() => ruling(second)).toEqual([next])
})

test('what the environment leaves open, and what agrees, is not told', () => {
  const ofEnv = (env: Readonly<Record<string, string>>) => runDefaults(decide({ ...good, ...env }).config)
  const inForce = { ...ofEnv({}), 'rates.wallet_per_minute': 7, 'disputes.arbiters': former }
  expect(replacedSettings(ofEnv({}), inForce)).toEqual([])
  expect(replacedSettings(ofEnv({ SVC_RATE_WALLET_PER_MIN: '7', SVC_ARBITERS: former }), inForce)).toEqual([])
  expect(replacedSettings(ofEnv({ SVC_RATE_WALLET_PER_MIN: '9' }), inForce)).toEqual([
    { setting: 'SVC_RATE_WALLET_PER_MIN', key: 'rates.wallet_per_minute' },
  ])
})
