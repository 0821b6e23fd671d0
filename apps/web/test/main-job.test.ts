import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { heldMoney } from './held-money.ts'
import { applyForJob, approveJob, assignJob, beginWork, captureWork, enterPair, publishJob, type Job } from './job-steps.ts'

let theatre: Theatre
beforeAll(async () => { theatre = await openTheatre() }, 300_000)
afterAll(async () => { await theatre?.[Symbol.asyncDispose]() })

test('two people do a job from the form to the payment, each in a browser of their own', async () => {
  await using pair = await enterPair(theatre)
  const { ada, bruno } = pair
  const job: Job = { title: 'Photograph the green gate', bounty: '10', evidence: ['Photo', 'Position', 'Answer in words'] }
  const taskId = await publishJob(ada, job)
  await applyForJob(bruno, job)
  // The list of applicants comes by itself; nothing is loaded again.
  await assignJob(ada)

  await beginWork(bruno, job)
  await captureWork(bruno)
  await bruno.page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await bruno.page.waitForURL('**/work')
  await bruno.page.getByRole('region', { name: 'Outbox' }).getByText('Handed in', { exact: true }).waitFor()
  await bruno.page.getByRole('link', { name: 'Handed in', exact: true }).click()
  await bruno.page.getByRole('listitem').filter({ hasText: job.title }).getByText(/publisher’s turn/).waitFor()
  await ada.page.getByRole('link', { name: 'Review the work' }).waitFor()
  const { client, signer: { address: worker } } = await bruno.account('bruno')
  expect((await client.tasks.get({ task_id: taskId })).status).toMatch(/^(?:submitted|verifying)$/)
  const { signer: { address: publisher } } = await ada.account('ada')
  expect([await heldMoney(theatre, publisher), await heldMoney(theatre, worker)]).toEqual([990_000_000n, 1_000_000_000n])

  await approveJob(ada)
  // 87 % of the bounty reach the worker; the publisher paid the bounty and nothing beside it (spec §1).
  expect([await heldMoney(theatre, publisher), await heldMoney(theatre, worker)]).toEqual([990_000_000n, 1_008_700_000n])
  const paid = await client.tasks.get({ task_id: taskId })
  expect(paid.status).toBe('completed')
  await bruno.open('/earnings')
  const payment = bruno.page.getByRole('listitem').filter({ hasText: job.title })
  await payment.getByText('$8.70').waitFor()
  await bruno.open(`/tasks/${taskId}`)
  await bruno.page.getByText('Paid out', { exact: true }).first().waitFor()
}, 180_000)
