import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { publishJob } from './job-steps.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

test('what software published with the same wallet is listed beside what the person published, to read and not to decide', async () => {
  // Asking the rail of people for a task of software is refused, which the screen says.
  await using ada = await theatre.person()
  const { page } = ada
  await ada.signIn('ada')
  await page
    .getByRole('status')
    .filter({ hasText: /1[.,]000/ })
    .waitFor()
  await publishJob(ada, { title: 'Photograph the gate', bounty: '2', evidence: ['Answer in words'] })
  const { client } = await ada.account('ada')
  const publish = async (title: string): Promise<string> =>
    (
      await client.tasks.publish({
        title,
        instructions: 'Stand in front of the gate and count its bars.',
        category: 'simple_action',
        bounty_usd: 1.5,
        deadline_hours: 5,
        evidence_required: ['text_response'],
      })
    ).id
  const open = await publish('Count the bars of the gate')
  const cancelled = await publish('Count the nails of the gate')
  await client.tasks.cancel({ task_id: cancelled })

  await ada.open('/my/tasks')
  await page.getByText('3 tasks').waitFor()
  const row = (title: string): ReturnType<typeof page.getByRole> =>
    page.getByRole('listitem').filter({ hasText: title })
  expect(await row('Photograph the gate').getByText('Published by your software').count()).toBe(0)
  for (const title of ['Count the bars of the gate', 'Count the nails of the gate']) {
    await row(title).getByText('Published by your software: decided by its signature').waitFor()
    expect(await row(title).getByRole('link').count()).toBe(1)
  }
  await page.getByRole('link', { name: 'Over', exact: true }).click()
  await page.getByText('One task', { exact: true }).waitFor()
  await row('Count the nails of the gate').getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Count the nails of the gate' }).waitFor()

  await ada.open(`/tasks/${open}`)
  await page.getByText('Here you can follow along.').waitFor()
  expect(await page.getByRole('link', { name: 'Manage it' }).count()).toBe(0)
  // Whoever comes by an address of the person's own tasks is told, and led on.
  await ada.open(`/my/tasks/${open}`)
  await page.getByRole('alert').waitFor()
  await page.getByRole('link', { name: 'Public page' }).click()
  await page.waitForURL(`**/tasks/${open}`)
}, 90_000)
