import { randomUUID } from 'node:crypto'
import { queryDatabase } from '@ergon/dev-env'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { heldMoney } from './held-money.ts'
import { enterPair } from './job-steps.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

const query = (text: string, values: readonly unknown[] = []): ReturnType<typeof queryDatabase> =>
  queryDatabase(theatre.constellation.record().databases.server, text, values)

/**
 * A job that is paid, with its fee left behind: the service sweeps by itself at once, unless a sweep of the token is on
 * its way.
 */
async function leaveFeeBehind(): Promise<void> {
  await query(
    "insert into sweeps (id, network, token, decimals, key, status, due_at, updated_at) values ($1, 'localnet', 'USDC', 6, $2, 'open', now() + interval '1 hour', now())",
    [randomUUID(), `sweep:${randomUUID()}`],
  )
  await using pair = await enterPair(theatre)
  const [
    { client: paying },
    {
      client: working,
      signer: { address: worker_wallet },
    },
  ] = await Promise.all([pair.ada.account('ada'), pair.bruno.account('bruno')])
  await working.workers.register({ name: 'Bruno' })
  const { id: task_id } = await paying.tasks.publish({
    title: 'Photograph the gate',
    instructions: 'Stand in front of the gate and say what you see.',
    category: 'simple_action',
    bounty_usd: 3,
    deadline_hours: 5,
    evidence_required: ['text_response'],
  })
  const { executor_id } = await working.tasks.apply({ task_id })
  await paying.assignWorker({ task_id, executor_id })
  const { submission_id } = await working.tasks.submit({ task_id, evidence: { text_response: 'A green gate.' } })
  await paying.approveSubmission({ submission_id, worker_wallet, bounty_usd: 3 })
}

test('the operator sweeps the fees that were left behind, and reads what the chain and the ledger say of it', async () => {
  await leaveFeeBehind()
  const { treasury, adminKeys } = theatre.constellation.record()
  const before = await heldMoney(theatre, treasury)
  await using operator = await theatre.person()
  const { page } = operator
  await operator.open('/admin/money')
  await page.getByLabel('Admin key').fill(adminKeys.server)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  const row = page.getByRole('row', { name: 'USDC Local chain' })
  // 13 % of 3.00 (spec §1).
  await row.getByText('$0.39').waitFor()
  const sweep = row.getByRole('link', { name: 'Sweep USDC, Local chain' })
  const dialog = page.getByRole('dialog', { name: 'Sweep the fees of USDC, Local chain' })
  const send = async (reason: string): Promise<void> => {
    await sweep.click()
    expect(new URL(page.url()).searchParams.get('sweep')).toBe('localnet:USDC')
    await dialog.getByText('The treasury that the contract names').waitFor()
    await dialog.getByLabel('Reason').fill(reason)
    await dialog.getByLabel('Who does it').fill('Ada')
    await dialog.getByRole('button', { name: 'Sweep now' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  // While one sweep is on its way a second is not sent, and nobody is told that money moved.
  await send('To see whether it goes.')
  await page.getByRole('status').filter({ hasText: 'The chain does not show it yet.' }).waitFor()
  expect(await heldMoney(theatre, treasury)).toBe(before)
  await row.getByText('$0.39').waitFor()

  // Its task is settled in the books and the sweep is gone: the fee waits until an operator asks.
  await query('update tasks set payment_block = null')
  await query("delete from sweeps where status = 'open'")
  await send('It was left behind.')
  await page.getByRole('status').filter({ hasText: '$0.39 went to the treasury.' }).waitFor()
  await row.getByText('No fees wait.').waitFor()
  const said = await page.request.get('/api/v1/admin/metrics', { headers: { 'x-admin-key': adminKeys.server } })
  expect(await said.json()).toMatchObject({
    money: { assets: [{ network: 'localnet', token: 'USDC', fees_accrued_usd: 0, fees_swept_usd: 0.39 }] },
  })
  expect((await heldMoney(theatre, treasury)) - before).toBe(390_000n)
  const [swept] = await query("select tx_hash, amount from sweeps where status = 'confirmed'")
  expect(swept).toMatchObject({ amount: '390000' })
  await page.getByText(String(swept?.['tx_hash'])).first().waitFor({ state: 'attached' })

  await operator.open('/admin/audit?subject=localnet:USDC')
  for (const reason of ['To see whether it goes.', 'It was left behind.'])
    await page.getByRole('listitem').filter({ hasText: reason }).getByText('by Ada').waitFor()
}, 180_000)
