import { randomBytes } from 'node:crypto'
import { createMarket, formatUsd, type CashOut, type CashOutInput, type CashOutTx } from '@ergon/core'
import { plainSignature } from '@ergon/core/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusedWith } from './settle-stage.ts'
import { approval, gateTask, openStage, publisher, submittedJob, untilQuiet, worker, type Stage } from './stage.ts'

/** Cash-outs on real rows: who is counted, what is measured under the counts, and what is forgotten (decision 0249). */
let stage: Stage
beforeAll(async () => {
  stage = await openStage('fase2')
  for (let paid = 0; paid < 2; paid += 1) {
    const { submissionId } = await submittedJob(stage)
    await stage.market.approve(publisher, submissionId, await approval(stage, submissionId))
  }
  await untilQuiet(stage)
})
afterAll(() => stage[Symbol.asyncDispose]())

const anAddress = (): string => `0x${randomBytes(20).toString('hex')}`
function asked(change: Partial<CashOutInput> = {}): CashOutInput {
  const nonce = `0x${randomBytes(32).toString('hex')}`
  return {
    ...{ network: 'localnet', token: 'USDC', to: anAddress(), amountUsd: '1', nonce },
    validBefore: BigInt(Math.floor(stage.clock.now().getTime() / 1_000) + 300),
    signature: plainSignature(worker.wallet, nonce),
    ...change,
  }
}
const listed = () => stage.market.cashOuts(worker, { limit: 10, offset: 0, cursor: null })
/** A day by the clock of the database, which no test moves. */
const newDay = () => stage.pool.query("delete from registration_counts where counted <> 'payments'")
/** Events of cash-outs in the feed of the worker. */
const told = async (): Promise<readonly { type: string; data: Record<string, unknown> }[]> => {
  const { rows } = await stage.pool.query<{ type: string; data: Record<string, unknown> }>(
    `select o.type, o.data from outbox o join event_recipients r on r.xid = o.xid and r.seq = o.seq
      where o.type like 'cash_out.%' and r.wallet = $1 order by o.seq`,
    [worker.wallet],
  )
  return rows
}
const finish = async (): Promise<void> => {
  stage.clock.advance(31_000)
  await stage.market.duties.finishCashOuts()
}

test('twenty at the same moment from one wallet make one, and what is open counts as sent', async () => {
  await newDay()
  stage.chain.fault = (method) => (method === 'send' ? 'held' : 'none')
  const ends = await Promise.allSettled(
    Array.from({ length: 20 }, () => stage.market.cashOut(worker, asked({ amountUsd: '10' }))),
  )
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await listed()).sendable).toMatchObject([{ atomic: 7_400_000n }])
  expect(await stage.market.paymentsHealth()).toMatchObject({ inFlight: 0, inDoubt: 1 })
  await expect(stage.market.cashOut(worker, asked({ amountUsd: '7.5' }))).rejects.toThrow(
    refusedWith('APPROVAL_IN_FLIGHT'),
  )
  stage.chain.fault = () => 'none'
  expect(stage.chain.deliver()).toBe(1)
  await finish()
  await expect(stage.market.cashOut(worker, asked({ amountUsd: '7.5' }))).rejects.toThrow(
    refusedWith('INSUFFICIENT_FUNDS', { sendable_usdc: 7.4 }),
  )
  expect((await listed()).page.rows).toMatchObject([{ status: 'confirmed', attempts: 1 }])
  const [landed, ...others] = stage.chain.landings.filter(({ key }) => key.startsWith('cash-out:'))
  expect(others).toEqual([])
  expect(await told()).toMatchObject([
    { type: 'cash_out.sent', data: { amount_usd: 10, network: 'localnet', token: 'USDC', tx_hash: landed?.txHash } },
  ])
  expect(await stage.market.paymentsHealth()).toMatchObject({ inFlight: 0, inDoubt: 0, ledgerBalanced: true })
})

test('a second process that claims the same nonce at the same moment sends nothing of its own', async () => {
  await newDay()
  const one = asked()
  const ends = await Promise.all(Array.from({ length: 4 }, () => stage.market.cashOut(worker, one)))
  expect(new Set(ends.map(({ id }) => id)).size).toBe(1)
  expect(stage.chain.balance(one.to)).toBe(1_000_000n)
})

test('the day of everybody is counted apart from payments, and 0 lets none', async () => {
  await newDay()
  const few = createMarket({ ...stage.deps, settings: { ...stage.deps.settings, cashOutsPerDay: 1 } })
  await few.cashOut(worker, asked())
  await expect(few.cashOut(worker, asked())).rejects.toThrow(refusedWith('GAS_BUDGET_SPENT', { by: 'all', limit: 1 }))
  const none = createMarket({ ...stage.deps, settings: { ...stage.deps.settings, cashOutsPerDay: 0 } })
  await expect(none.cashOut(worker, asked())).rejects.toThrow(refusedWith('FEATURE_DISABLED'))
})

test('a refusal by a count is not counted', async () => {
  await newDay()
  const to = anAddress()
  for (let n = 0; n < 3; n += 1) await stage.market.cashOut(worker, asked({ to }))
  for (let n = 0; n < 3; n += 1)
    await expect(stage.market.cashOut(worker, asked())).rejects.toThrow(refusedWith('RATE_LIMITED', { by: 'wallet' }))
  const { rows } = await stage.pool.query<{ used: number }>(
    "select used from registration_counts where counted = 'cash-outs'",
  )
  expect(rows).toEqual([{ used: 3 }])
})

test('who pays out what was earned by publishing has less to send', async () => {
  expect((await stage.market.cashOuts(publisher, { limit: 1, offset: 0, cursor: null })).sendable).toEqual([])
  await expect(stage.market.cashOut(publisher, asked({ signature: '' }))).rejects.toThrow(
    refusedWith('INSUFFICIENT_FUNDS', { sendable_usdc: 0 }),
  )
  const { market } = stage
  const sendable = async () => (await listed()).sendable[0]?.atomic ?? 0n
  const before = await sendable()
  const { task } = await market.publish(worker, gateTask({ bountyUsd: '1' }))
  const { executorId } = await market.apply(publisher, task.id, { executorId: null, message: null })
  const { envelope } = await market.assignChallenge(worker, task.id, executorId)
  await market.assign(worker, task.id, { executorId, notes: null, paymentAuth: JSON.stringify(envelope) })
  expect(await sendable()).toBe(before - 1_000_000n)
  await market.cancel(worker, task.id, null)
  await untilQuiet(stage)
  expect(await sendable()).toBe(before)
})

test('what came to nothing frees its money and is forgotten after thirty days; what was sent stays', async () => {
  await newDay()
  const before = (await listed()).sendable[0]?.atomic ?? 0n
  stage.chain.fault = (method) => (method === 'send' ? 'lost before' : 'none')
  const lost = asked({ amountUsd: '2' })
  expect(await stage.market.cashOut(worker, lost)).toMatchObject({ status: 'in_doubt' })
  stage.clock.advance(301_000)
  await finish()
  stage.chain.fault = () => 'none'
  expect(await stage.market.readCashOut(worker, lost.nonce)).toMatchObject({
    status: 'refused',
    code: 'AUTHORIZATION_EXPIRED',
  })
  expect((await listed()).sendable[0]?.atomic).toBe(before)
  const { total } = (await listed()).page
  expect(await stage.store.forgetCashOuts(stage.clock.now(), 10)).toBe(1)
  expect((await listed()).page.total).toBe(total - 1)
  expect(await stage.store.forgetCashOuts(stage.clock.now(), 10)).toBe(0)
})

test('its rows are in the export of its wallet, without the signature', async () => {
  const { sections } = await stage.market.exportAccount(worker)
  const found: string[] = []
  for await (const rows of sections.find(({ name }) => name === 'cash_outs')?.pages ?? []) found.push(...rows)
  expect(found.length).toBeGreaterThan(3)
  expect(found.join()).toContain('to_address')
  expect(found.join()).not.toContain(' signs ')
})

test('what a process says about a cash-out that another took over counts only where the chain has it', async () => {
  await newDay()
  const one = asked()
  stage.chain.fault = (method) => (method === 'send' ? 'lost before' : 'none')
  const first = await stage.market.cashOut(worker, one)
  stage.chain.fault = () => 'none'
  stage.clock.advance(31_000)
  const now = stage.clock.now()
  const [held] = await stage.store.leaseCashOuts('localnet', now, new Date(now.getTime() + 30_000), now, 5)
  expect([first, held]).toMatchObject([{ attempts: 0 }, { id: first.id, attempts: 1 }])
  const said = async (by: CashOut | undefined, as: Parameters<CashOutTx['endCashOut']>[1]): Promise<string> => {
    const isWritten = await stage.store.transaction((tx) => tx.endCashOut(by ?? first, as, now))
    return `${(await stage.market.readCashOut(worker, one.nonce)).status}, ${isWritten ? 'written' : 'not written'}`
  }
  expect(await said(first, { status: 'refused', code: 'SETTLEMENT_FAILED' })).toBe('in_doubt, not written')
  expect(await said(held, { status: 'refused', code: 'AUTHORIZATION_EXPIRED' })).toBe('refused, written')
  expect(await said(held, { status: 'in_doubt', dueAt: now })).toBe('refused, not written')
  expect(await said(first, { status: 'confirmed', txHash: '0xlanded' })).toBe('confirmed, written')
  expect(await said(held, { status: 'refused', code: 'AUTHORIZATION_EXPIRED' })).toBe('confirmed, not written')
})

test('what a twin has claimed and paid since the books were read is answered as it is', async () => {
  await newDay()
  const one = asked()
  let isTwinThrough = false
  const late = createMarket({
    ...stage.deps,
    rails: (network) => {
      const rail = stage.deps.rails(network)
      return {
        ...rail,
        async find(order) {
          if (!isTwinThrough) await stage.market.cashOut(worker, one)
          isTwinThrough = true
          return rail.find(order)
        },
      }
    },
  })
  expect(await late.cashOut(worker, one)).toMatchObject({ status: 'confirmed', transfer: { to: one.to } })
  expect(stage.chain.balance(one.to)).toBe(1_000_000n)
})

test('twins that ask for all there is have one answer, and nobody reads that there is no money', async () => {
  await newDay()
  const { submissionId } = await submittedJob(stage)
  await stage.market.approve(publisher, submissionId, await approval(stage, submissionId))
  await untilQuiet(stage)
  const [left] = (await listed()).sendable
  if (left === undefined) throw new Error('nothing is left to send')
  const one = asked({ amountUsd: formatUsd(left) })
  const ends = await Promise.all(Array.from({ length: 4 }, () => stage.market.cashOut(worker, one)))
  expect(new Set(ends.map(({ id }) => id)).size).toBe(1)
  expect(stage.chain.balance(one.to)).toBe(left.atomic)
})
