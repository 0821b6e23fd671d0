import type { PaymentMode } from '@ergon/contract'
import { expect, test } from 'vitest'
import {
  applied,
  approveFields,
  assign,
  expectStatus,
  paymentAuth,
  submit,
  type Party,
  type Reached,
} from '../http/live-market.ts'
import { beginLifetime } from './starts.ts'

/** The payment mode of a deployment is another one after a start; what was paid before was paid as it was. */

/** A whole job; `approve` sends the same approval, under its key, as often as it is called. */
async function paidJob(market: Reached, mode: PaymentMode) {
  const [publisher, worker] = [await market.party(10n), await market.party(0n)]
  const job = await applied(publisher, worker)
  const auth = mode === 'fase1' ? '' : await paymentAuth(publisher, job)
  expectStatus(
    await (auth === ''
      ? publisher.call('POST', `/api/v1/tasks/${job.taskId}/assign`, { executor_id: job.executorId })
      : assign(publisher, job, auth)),
    200,
  )
  const submissionId = await submit(worker, job.taskId)
  const fields = await approveFields(publisher, submissionId)
  const approve = (by: Party) =>
    by.call('POST', `/api/v1/submissions/${submissionId}/approve`, fields, { 'x-idempotency-key': `pay-${mode}` })
  return { ...job, publisher, approve }
}

test('a task is labelled by the mode it was paid in, whatever mode the deployment is in', async () => {
  const lifetime = await beginLifetime()
  const jobs: { readonly mode: PaymentMode; readonly job: Awaited<ReturnType<typeof paidJob>> }[] = []
  for (const mode of ['fase2', 'fase1', 'fase5'] as const) {
    const market = await lifetime.start({ SVC_PAYMENT_MODE: mode })
    const job = await paidJob(market, mode)
    const { body } = expectStatus(await job.approve(job.publisher), 200)
    expect(body).toMatchObject({ payment_mode: mode })
    expect(body['escrow_release_tx'], mode).toBe(mode === 'fase1' ? null : body['payment_tx'])
    jobs.push({ mode, job })
    for (const { mode: paidIn, job: before } of jobs) {
      const { body: payment } = expectStatus(await market.get(`/api/v1/payments/${before.taskId}`), 200)
      expect(payment, `${paidIn} in ${mode}`).toMatchObject({ payment_mode: paidIn })
      const again = expectStatus(await before.approve(market.known(before.publisher)), 200)
      expect(again.body, `${paidIn} in ${mode}`).toMatchObject({ payment_mode: paidIn })
    }
  }
})
