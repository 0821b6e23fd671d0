import { createTestDatabase } from '@ergon/dev-env/testing'
import { expect, onTestFinished, test } from 'vitest'
import { eventually, startRig } from '../adapters/rig.ts'
import { startModelDouble } from '../adapters/reviewer/model-double.ts'
import { applied, assign, expectStatus, paymentAuth, submit } from '../http/live-market.ts'
import { startServer } from './server-process.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

/** What a killed process held is soon taken over, and what a living one holds never is. */

test('a duty of a killed server is taken up by another within ten seconds', { timeout: 180_000 }, async () => {
  const rig = await startRig()
  onTestFinished(() => rig[Symbol.asyncDispose]())
  const database = await createTestDatabase(serverSchema)
  onTestFinished(() => database[Symbol.asyncDispose]())
  const model = await startModelDouble()
  onTestFinished(() => model[Symbol.asyncDispose]())
  model.behave = () => undefined // takes the question and never answers
  const env = { SVC_REVIEW_URL: model.url, SVC_REVIEW_MODEL: 'double', SVC_REVIEW_TIMEOUT_MS: '25000' }
  const first = await startServer(database.url, { rig, env })
  const [publisher, worker] = [await first.party(50n), await first.party(0n)]
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  await submit(worker, job.taskId)
  const asked = (): Promise<number> => Promise.resolve(model.received.length)
  expect(await eventually(asked, (count) => count > 0)).toBe(1)
  const heldSince = performance.now()
  await startServer(database.url, { rig, env })
  // Longer than the first lease: it is renewed, and the second server keeps its hands off.
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, heldSince + 9_500 - performance.now())))
  expect(await asked()).toBe(1)
  const killedAt = performance.now()
  first.child.kill('SIGKILL')
  expect(await eventually(asked, (count) => count > 1, 15_000)).toBe(2)
  expect(performance.now() - killedAt).toBeLessThan(10_000)
})
