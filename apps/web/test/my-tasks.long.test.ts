import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { applyForJob, enterPair, publishJob } from './job-steps.ts'

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
})

test('a table is posted row by row and never twice, what is wrong in it is named, and words find it', async () => {
  await using ada = await theatre.person()
  const { page, open } = ada
  await ada.signIn('ada')
  const { client, signer } = await ada.account('ada')
  const head = 'title,instructions,category,bounty_usd,evidence_required'
  const row = (title: string, bounty = '1.10'): string =>
    `${title},Read the sign at the door and write it down.,simple_action,${bounty},text_response`
  const choose = (rows: readonly string[]): Promise<void> =>
    page.setInputFiles('input[type="file"]', {
      name: 'tasks.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([head, ...rows].join('\r\n')),
    })
  const counted = async (): Promise<number> =>
    // Totals may be two seconds old, rows never are.
    (await client.tasks.list({ publisher: signer.address, q: 'boathouse' })).tasks.length
  await open('/publish/many')
  await choose(['"never closed'])
  await page.getByText('is never closed').waitFor()
  await choose([
    row('Hours of the Boathouse A'),
    row('Hours of the Boathouse B', 'two'),
    row('Hours of the Boathouse A'),
  ])
  await page.getByRole('heading', { name: /2 tasks for US?\$2.20 in all/ }).waitFor()
  await page.getByText(/^bounty_usd: Write a number/).waitFor()
  await page.getByRole('button', { name: 'Post 2 tasks' }).click()
  await page.getByText('All 2 tasks are posted').waitFor()
  expect(await counted()).toBe(2)

  // Mended and chosen again, in a new page: what was posted is answered, and the third is new.
  await open('/publish/many')
  await choose([row('Hours of the Boathouse B', '2'), row('Hours of the Boathouse A'), row('Hours of the Boathouse A')])
  await page.getByRole('button', { name: 'Post 3 tasks' }).click()
  await page.getByText('All 3 tasks are posted').waitFor()
  expect(await counted()).toBe(3)

  await open('/my/tasks')
  await page.getByRole('searchbox', { name: 'Search your tasks' }).fill('boathouse b')
  await page.keyboard.press('Enter')
  await page.waitForURL(/q=boathouse/)
  await page.getByText('One task', { exact: true }).waitFor()
  await open('/find')
  await page.getByRole('searchbox', { name: 'Search tasks' }).fill('BOATHOUSES')
  await page.keyboard.press('Enter')
  await page.getByText('3 open tasks').waitFor()
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('bounty')
  await page.waitForURL(/sort=bounty/)
  await page.getByRole('article').first().getByText('Boathouse B').waitFor()

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'A page, or words to search for' }).fill('my tasks')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'My tasks' }).waitFor()
})

test('a publisher gives more time and invites a worker, who is told of both', async () => {
  await using pair = await enterPair(theatre)
  const { ada, bruno } = pair
  const lamps = { title: 'Count the lamps', bounty: '2', evidence: ['Answer in words'] }
  const taskId = await publishJob(ada, lamps)
  await applyForJob(bruno, lamps)
  const other = await publishJob(ada, { ...lamps, title: 'Count the doors' })
  const { client } = await bruno.account('bruno')
  const { deadline } = await client.tasks.get({ task_id: taskId })

  await ada.open(`/my/tasks/${taskId}`)
  const choose = await ada.page.getByRole('link', { name: /^Choose / }).getAttribute('href')
  await ada.page.getByRole('link', { name: 'Give more time' }).click()
  const until = ada.page.getByLabel('New deadline')
  await until.fill('2020-01-01T00:00')
  const send = ada.page.getByRole('button', { name: 'Extend the deadline' })
  await send.click()
  await ada.page.getByText(/^Choose a time after the deadline/).waitFor()
  const later = new Date(Date.parse(deadline) + 86_400_000)
  later.setSeconds(0, 0)
  await until.fill(new Date(later.getTime() - later.getTimezoneOffset() * 60_000).toISOString().slice(0, 16))
  await send.click()
  await ada.page.getByText(/^The task now ends on/).waitFor()
  expect(Date.parse((await client.tasks.get({ task_id: taskId })).deadline)).toBe(later.getTime())

  const workerId = new URL(choose ?? '', theatre.url).searchParams.get('choose') ?? ''
  await ada.open(`/people/${workerId}`)
  await ada.page.getByRole('button', { name: 'Invite to a task' }).click()
  await ada.page.getByLabel('Your open task').selectOption({ value: other })
  await ada.page.getByRole('button', { name: 'Send the invitation' }).click()
  await ada.page.getByText('The invitation is on its way.').waitFor()

  await bruno.open('/notifications')
  await bruno.page.getByText('A publisher asks you to look at a task').waitFor()
  await bruno.page.getByText(/(?:gave you|You have) more time$/).waitFor()
})
