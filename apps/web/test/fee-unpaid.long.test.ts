import { queryDatabase } from '@ergon/dev-env'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { publishAsPerson } from './scene.ts'
import { untilFunded } from './person.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

/** Leaves a paid task as one whose fee was refused until what was signed for it was dead. */
async function leaveFeeUnpaid(taskId: string): Promise<void> {
  const sql = (text: string): Promise<unknown> =>
    queryDatabase(theatre.constellation.record().databases.server, text, [taskId])
  const copy = `insert into settlements (id, task_id, submission_id, executor_id, purpose, subject, order_json, status,
        tx_hash, block_number, code, must_land, due_at, created_at, updated_at)
    select ('00000000' || substr(gen_random_uuid()::text, 9))::uuid, s.task_id, s.submission_id, s.executor_id`
  const from = "from settlements s join tasks t on t.id = s.task_id where s.task_id = $1 and s.purpose = 'release'"
  await sql(
    `${copy}, 'payout', 'payout:' || s.submission_id, s.order_json, 'confirmed', s.tx_hash, s.block_number, null, false,
        s.due_at, s.created_at, s.updated_at ${from}`,
  )
  await sql(`${copy}, 'fee', 'fee:' || s.submission_id,
      jsonb_build_object('kind', 'charge', 'key', 'charge:' || s.submission_id, 'transfer', jsonb_build_object(
      'network', t.network, 'amount', jsonb_build_object(
        'atomic', jsonb_build_object('$n', (t.bounty_atomic * 13 / 100)::text),
        'asset', s.order_json->'amount'->'asset'),
      'token', s.order_json->'payment'->>'token',
      'from', t.publisher_wallet, 'to', s.order_json->'payment'->>'operator',
      'validAfter', jsonb_build_object('$n', '0'), 'validBefore', jsonb_build_object('$n', '1000'),
      'nonce', s.order_json->'payment'->>'hash', 'signature', '0x')),
    'refused', null, null, 'AUTHORIZATION_EXPIRED', true, s.due_at, s.created_at, s.updated_at ${from}`)
}

test('whoever owes a fee is told how much, for what and from where, pays it with one signature and publishes', async () => {
  await using ada = await theatre.person(phone)
  await using bruno = await theatre.person(phone)
  const { page } = ada
  await ada.signIn('ada')
  await bruno.signIn('bruno')
  await untilFunded(await ada.account('ada'))
  const [{ client: paying }, { client: working }] = await Promise.all([ada.account('ada'), bruno.account('bruno')])
  await working.workers.register({ name: 'Bruno' })
  const taskId = await publishAsPerson(ada, {
    title: 'Photograph the gate',
    instructions: 'Stand in front of the gate and write what you see.',
    category: 'simple_action',
    bounty_usd: 10,
    evidence_required: ['text_response'],
  })
  const { executor_id } = await working.tasks.apply({ task_id: taskId })
  await paying.assignWorker({ task_id: taskId, executor_id })
  const { submission_id } = await working.tasks.submit({ task_id: taskId, evidence: { text_response: 'It is green.' } })
  await paying.approveSubmission({ submission_id })
  await leaveFeeUnpaid(taskId)

  await ada.open('/publish')
  await page.getByRole('button', { name: 'Find something out' }).click()
  await page.getByRole('button', { name: 'Step 4 of 4: Check' }).click()
  await page.getByRole('button', { name: 'Post it' }).click()
  const refusal = page.getByRole('alert').filter({ hasText: 'You still owe the fee of an earlier task.' })
  await refusal.getByText('US$1.30 USDC').waitFor()
  const said = await refusal.innerText()
  for (const text of ['Local chain', 'this task', 'You need US$1.30 in USDC on this wallet.'])
    expect(said).toContain(text)
  expect(await refusal.getByRole('link', { name: 'this task' }).getAttribute('href')).toBe(`/tasks/${taskId}`)
  await refusal.getByRole('button', { name: 'Pay US$1.30' }).click()
  const signing = page.getByRole('dialog', { name: 'Before you sign' })
  await signing.getByText('Pay the fee of US$1.30 that you owe').waitFor()
  await signing.getByRole('button', { name: 'Open the wallet' }).click()
  await refusal.getByText('The fee is paid. Publish again.').waitFor()
  await page.getByRole('button', { name: 'Post it' }).click()
  await page.waitForURL(/\/my\/tasks\/[\w-]+$/)
  expect((await paying.payments.get({ task_id: taskId })).fee_tx).toMatch(/^0x/)
})
