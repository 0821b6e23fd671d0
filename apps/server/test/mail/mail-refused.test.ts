import { queryDatabase } from '@ergon/dev-env'
import { expect, onTestFinished, test } from 'vitest'
import { send } from '../dispatch/send.ts'
import { expectStatus, startLiveMarket } from '../http/live-market.ts'
import { mailFields, startMailServer } from './mail-server.ts'

const told = async (url: string): Promise<unknown> => (await send(url, 'GET', '/readyz')).body['reasons']

test('alarm mail_refused: an account for mail whose password has changed', async () => {
  const server = await startMailServer()
  onTestFinished(() => server[Symbol.asyncDispose]())
  server.login = '535 5.7.8 no'
  let aheadMs = 0
  const live = await startLiveMarket(
    {
      SVC_MAIL_URL: server.url.replace('//', '//notices:the-old-one@'),
      SVC_MAIL_FROM: 'notices@market.test',
      SVC_LOG_LEVEL: 'silent',
    },
    undefined,
    { now: () => new Date(Date.now() + aheadMs) },
  )
  onTestFinished(() => live[Symbol.asyncDispose]())
  const person = await live.party(0n)
  expectStatus(await person.call('POST', '/api/v1/account/mail', mailFields('ana')), 201)
  const attempts = () => server.said.filter((line) => line.startsWith('AUTH')).length
  await expect.poll(attempts, { timeout: 20_000 }).toBe(1)
  expect(await told(live.url)).not.toContain('mail_refused')

  const again = async (): Promise<void> => {
    aheadMs += 400_000
    await queryDatabase(live.databaseUrl, 'update mail_subscriptions set due_at = now()')
  }
  await again()
  await expect.poll(() => told(live.url), { timeout: 20_000 }).toContain('mail_refused')
  expect(attempts()).toBe(2)

  server.login = '235 welcome'
  await again()
  await expect.poll(() => told(live.url), { timeout: 20_000 }).not.toContain('mail_refused')
  expect(server.received).toHaveLength(1)
})
