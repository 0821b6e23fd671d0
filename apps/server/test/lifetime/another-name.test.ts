import { expect, test } from 'vitest'
import { applied, assign, expectStatus, paymentAuth, submit } from '../http/live-market.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { beginLifetime } from './starts.ts'

/** A service under another name goes on for whoever is bound to the old one, as long as its settings name both. */

test('agents of the old name go on while SVC_AUTHORITIES names it', async () => {
  const lifetime = await beginLifetime()
  const before = await lifetime.start()
  const [publisher, worker] = [await before.party(10n), await before.party(0n)]
  const job = await applied(publisher, worker)

  const moved = { SVC_BASE_URL: 'http://new.test:8080' }
  const alone = await lifetime.start(moved)
  const refused = await alone.known(publisher).call('GET', `/api/v1/tasks/${job.taskId}`)
  expect(refused).toMatchObject({
    status: 401,
    body: { code: 'authority_not_allowed' },
  })

  const both = await lifetime.start({ ...moved, SVC_AUTHORITIES: authority })
  const [payer, doer] = [both.known(publisher), both.known(worker)]
  expectStatus(await assign(payer, job, await paymentAuth(payer, job)), 200)
  await submit(doer, job.taskId)
})
