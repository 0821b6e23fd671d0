import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPushConfigs } from '../../src/adapters/postgres/push-configs.ts'
import { createSealedText } from '../../src/adapters/sealed-text.ts'
import { appliedJob, openStage, publisher, type Stage } from '../market/stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose]())

test('addresses whose token was sealed under an earlier secret are forgotten, and hold up none of the present one', async () => {
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
  expect((await before.list(taskId, publisher.wallet)).map(({ id }) => id)).toEqual([])
})
