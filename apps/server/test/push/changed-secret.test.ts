import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPushConfigs } from '../../src/adapters/postgres/push-configs.ts'
import { createSealedText } from '../../src/adapters/sealed-text.ts'
import { appliedJob, openStage, publisher, type Stage } from '../market/stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

test('addresses whose token was sealed under another secret hold up none of the present one, and are forgotten after a day', async () => {
  const [before, after] = [randomBytes(32), randomBytes(32)].map((key) =>
    createPushConfigs(stage.pool, createSealedText(key)),
  )
  if (before === undefined || after === undefined) throw new Error('there are two')
  const { taskId } = await appliedJob(stage)
  const config = {
    taskId,
    wallet: publisher.wallet,
    url: 'https://agent.example/',
    token: 't',
    schemes: [],
    credentials: null,
  }
  for (const [id, configs] of [
    ['old', before],
    ['new', after],
  ] as const)
    await configs.put({ ...config, id }, '0.0', 10)
  expect((await after.list(taskId, publisher.wallet)).map(({ id }) => id)).toEqual(['new'])
  const due = await after.claim({ most: 10, leaseMs: 1_000, perAddress: 10, perWallet: 10, underWay: new Map() })
  expect(due.map(({ id }) => id)).toEqual(['new'])
  // Whoever started with a wrong secret finds them again.
  const old = async () => (await before.list(taskId, publisher.wallet)).map(({ id }) => id)
  expect(await old()).toEqual(['old'])
  const { rows } = await stage.pool.query<{ attempts: number; hours: number }>(
    `select attempts, round(extract(epoch from due_at - clock_timestamp()) / 3600)::int as hours
     from a2a_push_configs where config_id = 'old'`,
  )
  expect(rows).toEqual([{ attempts: 1, hours: 1 }])
  await stage.pool.query(`update a2a_push_configs set attempts = 24, due_at = now() where config_id = 'old'`)
  expect(await after.claim({ most: 10, leaseMs: 1_000, perAddress: 10, perWallet: 10, underWay: new Map() })).toEqual(
    [],
  )
  expect(await old()).toEqual([])
})
