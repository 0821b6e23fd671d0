import { queryDatabase } from '@ergon/dev-env'
import { startCluster } from '@ergon/dev-env/testing'
import { expect, onTestFinished, test } from 'vitest'
import { startRig } from '../adapters/rig.ts'
import { send } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { applied, assign, eventually, expectStatus, paymentAuth, startLiveMarket, submit } from '../http/live-market.ts'

/** The database of the facilitator fails over to a standby that lacks the last transactions (decision 0283). */

const adminKey = 'the admin key of this test'
const patienceMs = 240_000

test(
  'a ruling in parts whose answer and whose intent are lost pays each party once, by what the chain shows',
  { timeout: patienceMs },
  async () => {
    const cluster = await startCluster()
    onTestFinished(() => cluster[Symbol.asyncDispose]())
    cluster.create('facilitator')
    const database = cluster.url('facilitator')
    const rig = await startRig({ DATABASE_URL: database })
    onTestFinished(() => rig[Symbol.asyncDispose]())
    await using market = await startLiveMarket({ SVC_ADMIN_KEY: adminKey }, rig)
    const [publisher, worker] = [await market.party(20n), await market.party(0n)]
    const ask = (method: string, target: string, text?: string) =>
      send(
        market.url,
        method,
        target,
        {
          ...{ host: authority, 'x-admin-key': adminKey },
          ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        },
        text,
      )
    const job = await applied(publisher, worker)
    expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
    const gained = async () => [
      (await market.balance(worker.wallet)) - before.worker,
      (await market.balance(publisher.wallet)) - before.payer,
    ]
    const before = { worker: await market.balance(worker.wallet), payer: await market.balance(publisher.wallet) }
    const submissionId = await submit(worker, job.taskId)
    const reason = { reason: 'no_response', description: 'Nobody looks at it.' }
    const { body } = expectStatus(await worker.call('POST', `/api/v1/submissions/${submissionId}/dispute`, reason), 201)
    const path = `/api/v1/disputes/${String(body['id'])}`
    const failOver = await cluster.standby()

    rig.facilitatorLine.mute()
    const ruling = ask('POST', `${path}/resolve`, JSON.stringify({ verdict: 'split', split_pct: 50, reason: 'Half.' }))
    await expect.poll(async () => (await gained())[0]).toBe(465_450n)
    await rig.facilitatorLine.close()
    await failOver()
    await rig.facilitatorLine.open()
    expect([200, 202]).toContain((await ruling).status)

    // The award is found on the chain. What goes back is a part as well, and waits for as long as an order may last.
    const told = await eventually(
      async () => (await ask('GET', path)).body,
      (dispute) => dispute['payment_tx'] !== null,
      60_000,
    )
    expect(told['payment_tx']).toMatch(/^0x/)
    const found = 'select from account_leases where went_back_at is not null'
    await expect.poll(async () => (await queryDatabase(database, found)).length, { timeout: 60_000 }).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(await gained()).toEqual([465_450n, 0n])

    await queryDatabase(database, 'update account_leases set went_back_at = went_back_at - 901')
    await queryDatabase(
      database,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    const over = await eventually(
      async () => (await ask('GET', path)).body,
      (dispute) => dispute['status'] === 'resolved',
      60_000,
    )
    expect(over).toMatchObject({ status: 'resolved', refund_tx: expect.stringMatching(/^0x/) as string })
    expect(await gained()).toEqual([465_450n, 535_000n])
  },
)
