import { leftBehind } from '@ergon/dev-env/testing'
import { expect, test } from 'vitest'
import { awaitOutcome, within } from '../src/settle/await-outcome.ts'
import { platform } from '../src/surroundings/platform.ts'

/** What a caller may leave that asks again and again for what is still open: a race leaves some 300 bytes. */
const mostBytes = 60
const patience = { surroundings: platform, settleWaitMs: 0 }

test('callers that gave up waiting for a registration leave nothing behind', async () => {
  const open = new Promise<string>(() => undefined)
  const left = await leftBehind({ times: 2_000 }, () => within(open, patience))
  expect(left).toBeLessThan(mostBytes)
})

test('nor do those that gave up waiting for a settlement', async () => {
  const ticket = { outcome: new Promise<never>(() => undefined), cancel: () => false, transaction: () => undefined }
  const left = await leftBehind({ times: 2_000 }, async () => {
    await awaitOutcome(ticket, patience).catch(() => undefined)
  })
  await expect(awaitOutcome(ticket, patience)).rejects.toMatchObject({ code: 'settlement_pending' })
  expect(left).toBeLessThan(mostBytes)
})

test('each that waits is told, and so is who comes when it is over', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const patient = { ...patience, settleWaitMs: 5_000 }
  const both = [within(promise, patient), within(promise, patient)]
  expect(await within(promise, patience)).toBeUndefined()
  resolve('done')
  expect(await Promise.all(both)).toEqual(['done', 'done'])
  expect(await within(promise, patient)).toBe('done')
  const failed = Promise.reject(new Error('it failed'))
  await expect(within(failed, patient)).rejects.toThrow('it failed')
})
