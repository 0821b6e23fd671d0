import { ChallengeMismatch, privateKeySigner } from '@ergon/sdk'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveFeeUnpaid } from '../http/unpaid-fee.ts'
import { publishOne, startLineToMarket, type LineToMarket } from './line-to-market.ts'

let market: LineToMarket
beforeAll(async () => {
  market = await startLineToMarket()
})
afterAll(async () => {
  await market[Symbol.asyncDispose]()
})

test('a fee that was left unpaid is paid by one call, after which its publisher publishes again', async () => {
  const [payer, payee] = [await market.live.party(5n), await market.live.party(0n)]
  const [publisher, worker] = [payer, payee].map(({ key }) => market.client({ signer: privateKeySigner(key) }))
  if (publisher === undefined || worker === undefined) throw new Error('there are two')
  const task_id = await publishOne(publisher)
  const { executor_id } = await worker.tasks.apply({ task_id })
  await publisher.assignWorker({ task_id, executor_id })
  const { submission_id } = await worker.tasks.submit({ task_id, evidence: { text_response: 'It is open.' } })
  await publisher.approveSubmission({ submission_id })
  const pool = new pg.Pool({ connectionString: market.live.databaseUrl, max: 1 })
  await leaveFeeUnpaid((text, values) => pool.query(text, [...values]), task_id)
  await pool.query('update tasks set fee_tx = null where id = $1', [task_id])
  await pool.end()
  await expect(publishOne(publisher)).rejects.toMatchObject({
    code: 'FEE_UNPAID',
    details: { task_id },
    recovery: expect.stringMatching(/payUnpaidFee.*ergon pay-fee/s) as string,
  })
  await expect(worker.payUnpaidFee({ task_id })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(publisher.payUnpaidFee({ task_id, treasury_wallet: payee.wallet })).rejects.toBeInstanceOf(
    ChallengeMismatch,
  )
  const before = await market.live.balance(payer.wallet)
  expect(await publisher.payUnpaidFee({ task_id })).toMatchObject({
    task_id,
    status: 'paid',
    platform_fee_usdc: 0.1391,
    fee_tx: expect.stringMatching(/^0x/) as string,
  })
  expect(before - (await market.live.balance(payer.wallet))).toBe(139_100n)
  await publishOne(publisher)
  await expect(publisher.payUnpaidFee({ task_id })).rejects.toMatchObject({ code: 'FEE_NOT_OWED' })
})
