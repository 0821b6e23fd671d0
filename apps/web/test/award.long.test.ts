import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { enterPair } from './job-steps.ts'
import { registerAsPerson } from './person.ts'
import { publishAsPerson } from './scene.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre({ paymentMode: 'fase1' })
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

test('where nothing is set aside, whoever lost a dispute pays the award from it, and the worker is paid by the two transfers', async () => {
  await using pair = await enterPair(theatre)
  const { ada, bruno } = pair
  const [{ client: paying }, working] = await Promise.all([ada.account('ada'), bruno.account('bruno')])
  await registerAsPerson(theatre.url, working, 'Bruno')
  const taskId = await publishAsPerson(ada, {
    title: 'Photograph the gate',
    instructions: 'Stand in front of the gate and write what you see.',
    category: 'simple_action',
    bounty_usd: 1,
    evidence_required: ['text_response'],
  })
  const { executor_id } = await working.client.tasks.apply({ task_id: taskId })
  await paying.assignWorker({ task_id: taskId, executor_id })
  const { submission_id } = await working.client.tasks.submit({
    task_id: taskId,
    evidence: { text_response: 'A green gate of iron, as high as a person.' },
  })
  const { dispute } = await paying.submissions.reject({ submission_id, reason: 'This is another gate.' })

  // The operator rules for the worker: nothing moves by that, it is owed.
  await using operator = await theatre.person()
  await operator.open(`/disputes/${dispute.id}?as=operator`)
  await operator.page.getByLabel('Admin key').fill(theatre.constellation.record().adminKeys.server)
  await operator.page.getByRole('button', { name: 'Open', exact: true }).click()
  await operator.page.getByLabel('Pay the worker everything').check()
  await operator.page.getByLabel('Reason').fill('It is the gate of the task.')
  await operator.page.getByRole('button', { name: 'Continue to the confirmation' }).click()
  const deciding = operator.page.getByRole('dialog', { name: 'Decide this dispute?' })
  await deciding.getByLabel('Type PAY to confirm').fill('pay')
  await deciding.getByRole('button', { name: 'Decide and move the money' }).click()
  await deciding.waitFor({ state: 'detached' })
  expect(await paying.disputes.get({ dispute_id: dispute.id })).toMatchObject({ status: 'resolving', payment_tx: null })

  // The publisher finds the debt where the dispute is, and reads what it pays before the wallet opens.
  const { page } = ada
  await ada.open(`/disputes/${dispute.id}`)
  await page.getByText('Pay what the dispute awarded to the worker.').waitFor()
  await page.getByRole('link', { name: 'Pay what was awarded' }).click()
  await page.waitForURL(`**/my/tasks/${taskId}/review**`)
  await page.getByRole('link', { name: 'Pay what was awarded' }).click()
  const paid = page.getByRole('dialog', { name: 'Pay what was awarded' })
  // The amounts come once the service has said what is to be signed.
  for (const amount of ['$0.87', '$0.13', '$1.00'])
    await paid.getByRole('definition').filter({ hasText: amount }).first().waitFor()
  await paid.getByRole('button', { name: 'Sign and pay' }).click()
  const signing = page.getByRole('dialog', { name: 'Before you sign' })
  // Two transfers, and each is explained with the amount that the wallet shows: the worker's, then the fee.
  const asksFor = async (title: RegExp, amount: string): Promise<void> => {
    await signing.getByRole('heading', { name: title }).waitFor()
    const told = await signing.getByRole('definition').first().innerText()
    expect(told.replaceAll('US$', '$')).toBe(amount)
    await signing.getByRole('button', { name: 'Open the wallet' }).click()
  }
  await asksFor(/Bruno/, '$0.87')
  await asksFor(/^And the fee, /, '$0.13')
  await page.getByText('Paid', { exact: true }).first().waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect
    .poll(() => working.client.disputes.get({ dispute_id: dispute.id }), { timeout: 30_000 })
    .toMatchObject({ status: 'resolved', verdict: 'release', worker_gross_usdc: 1 })
  expect((await working.client.workers.earnings({ executor_id })).payments).toMatchObject([{ task_id: taskId }])
  await bruno.open(`/disputes/${dispute.id}`)
  await bruno.page.getByText('The dispute is over').waitFor()
}, 180_000)
