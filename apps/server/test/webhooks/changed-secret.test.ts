import { afterEach, beforeEach, expect, it } from 'vitest'
import { appliedJob, caughtUp, publisher } from '../market/stage.ts'
import { drain, openHookedStage, sentTo, type HookedStage } from './hooked-stage.ts'
import { startReceiver, type Receiver } from './receiver.ts'
import { isSignedBy } from './verify.ts'

let hooked: HookedStage
let receiver: Receiver
beforeEach(async () => {
  hooked = await openHookedStage()
  receiver = await startReceiver()
})
afterEach(async () => {
  await hooked[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

it('after the secret of the deployment was changed an endpoint is told nothing, its owner reads why, and a new secret of it brings everything', async () => {
  const { webhook } = await hooked.active(receiver.url)
  await using changed = hooked.process('the next secret of this test, long enough')
  await appliedJob(hooked.stage)
  await caughtUp(hooked.stage)
  await drain(changed)
  expect(receiver.events()).toEqual([])
  const waiting = await sentTo(hooked, webhook.id)
  expect(waiting.map(({ status, attempts }) => [status, attempts.map(({ error }) => error)])).toEqual(
    waiting.map(() => ['pending', ['not sent: the secret of this endpoint cannot be read any more; rotate it']]),
  )
  const { secret } = await changed.webhooks.rotateSecret(publisher.wallet, webhook.id, 24)
  hooked.clock.advance(6_000)
  await drain(changed)
  expect(receiver.events()).toHaveLength(waiting.length)
  expect(waiting.length).toBeGreaterThan(0)
  expect(receiver.events().every((one) => isSignedBy(secret, one))).toBe(true)
})
