import { ErgonError, privateKeySigner, type Client } from '@ergon/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authority } from '../dispatch/tiny-service.ts'
import { liveChannels, metered, opened } from '../http/live-channels.ts'
import { expectStatus, submit, type Party } from '../http/live-market.ts'
import { startLineToMarket, type LineToMarket } from './line-to-market.ts'

const { fake, wired } = liveChannels()
let market: LineToMarket
beforeAll(async () => {
  market = await startLineToMarket({ SVC_BASE_URL: `http://${authority}` }, { channels: wired })
})
afterAll(() => market[Symbol.asyncDispose]())

const clientOf = ({ key }: Party): Client => market.client({ signer: privateKeySigner(key) })

/** Metered work, with so many scans accepted, that is handed in. */
async function handedIn(scans: number) {
  const [publisher, worker] = [await market.live.party(0n), await market.live.party(0n)]
  const job = await metered(publisher, worker)
  const bind = opened(fake, publisher, job)
  expectStatus(await publisher.call('POST', `/api/v1/tasks/${job.taskId}/channel`, bind), 200)
  for (let left = scans; left > 0; left -= 1)
    expectStatus(await worker.call('POST', `/api/v1/tasks/${job.taskId}/tick`, { evidence: { seen: left } }), 200)
  return { publisher, taskId: job.taskId, submission_id: await submit(worker, job.taskId) }
}

describe('metered work that is handed in', () => {
  test('is approved by what was accepted, with nothing to sign, and pays that alone', async () => {
    const { publisher, taskId, submission_id } = await handedIn(2)
    const path = `/api/v1/submissions/${submission_id}/approve/challenge`
    const paid = { gross_amount_usdc: 0.0006, worker_net_usdc: 0.000522, platform_fee_usdc: 0.000078 }
    // A payer that is named would sign a payment of the whole bounty.
    for (const query of ['', `?payer=${fake.facts.signer}`])
      expect(expectStatus(await publisher.call('GET', path + query), 200).body).toMatchObject({
        ...paid,
        payment_mode: 'fase2',
        lifecycle_order: null,
        settlement_auth_worker: null,
        settlement_auth_fee: null,
        settlement_transaction: null,
      })
    const client = clientOf(publisher)
    for (const [term, pin] of [
      ['bounty', { bounty_usd: 2 }],
      ['network', { payment_network: 'localnet' }],
      ['worker wallet', { worker_wallet: publisher.wallet }],
    ] as const)
      await expect(client.approveSubmission({ submission_id, ...pin })).rejects.toMatchObject({ term })
    expect(await client.approveSubmission({ submission_id, rating: 90 })).toMatchObject({ status: 'approved', ...paid })
    expect((await client.tasks.get({ task_id: taskId })).status).toBe('completed')
    expect(await client.approveSubmission({ submission_id })).toMatchObject({ status: 'approved', ...paid })
  })

  test('of which nothing was accepted has nothing to approve, and says so before anything is signed', async () => {
    const { publisher, submission_id } = await handedIn(0)
    const refused = await clientOf(publisher)
      .approveSubmission({ submission_id })
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ErgonError)
    expect(refused).toMatchObject({ code: 'PAYOUT_NON_POSITIVE' })
  })
})
