import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '@ergon/sdk'
import { openKeepingBrowser, openTheatre, phone, type Theatre } from './browser.ts'
import { enterAsPerson, registerAsPerson, untilFunded, type Account } from './person.ts'

let theatre: Theatre
beforeAll(async () => {
  // Nobody takes the mail: what the page says before it is confirmed needs nobody.
  theatre = await openTheatre({
    env: { server: { SVC_MAIL_URL: 'smtp://127.0.0.1:9', SVC_MAIL_FROM: 'notices@market.test' } },
  })
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

/** Nothing on these pages asks again by the clock, and nothing reloads them: what they come to show, they were told. */
async function stopAskingAgain(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const repeat = window.setInterval.bind(window)
    const never = (): number => 0
    Object.assign(window, {
      setInterval: (...given: Parameters<typeof repeat>) => ((given[1] ?? 0) >= 5_000 ? never() : repeat(...given)),
    })
  })
}

const bell = (page: Page, name: RegExp): Promise<void> => page.getByRole('link', { name }).waitFor()

/** Published by a person, as the screen does it. */
async function publishedBy({ signer }: Account, title: string): Promise<string> {
  const client = createClient({ baseUrl: theatre.url, signer, session: true })
  await client.signIn({ origin: theatre.url })
  return (
    await client.h2a.publish({
      title,
      instructions: 'Stand in front of the gate and write what you see.',
      category: 'simple_action',
      bounty_usd: 1.25,
      evidence_required: ['text_response'],
      location_hint: 'Madrid',
    })
  ).id
}

test('what the other side does appears on the open pages of both without a reload, and is counted and told', async () => {
  await using publisher = await theatre.person()
  await using worker = await theatre.person()
  await stopAskingAgain(publisher.context)
  await stopAskingAgain(worker.context)
  await publisher.signIn('ada')
  await worker.signIn('bruno')
  await untilFunded(await publisher.account('ada'))
  const [ada, bruno] = await Promise.all([publisher.account('ada'), worker.account('bruno')])
  const { client: working } = bruno
  await registerAsPerson(theatre.url, bruno, 'Bruno')
  const taskId = await publishedBy(ada, 'Photograph the gate')
  await publisher.open('/my/tasks')
  await publisher.page.getByText('Photograph the gate').waitFor()
  await bell(publisher.page, /^Notifications, nothing new$/)
  const details = await publisher.context.newPage()
  await details.goto(`/my/tasks/${taskId}`)
  await details.getByRole('heading', { level: 1, name: 'Photograph the gate' }).waitFor()
  await bell(details, /^Notifications, nothing new$/)
  await worker.open('/notifications')
  await worker.page.getByText('Live', { exact: true }).waitFor()

  const { executor_id } = await working.tasks.apply({ task_id: taskId, message: 'I live next door.' })
  await details.getByText('I live next door.').waitFor()
  await bell(publisher.page, /^Notifications, 1 new$/)
  await bell(details, /^Notifications, 1 new$/)

  await ada.client.assignWorker({ task_id: taskId, executor_id })
  await publisher.page
    .locator('li')
    .filter({ hasText: 'Photograph the gate' })
    .getByText('Assigned', { exact: true })
    .waitFor()
  await worker.page.getByText(/chose you: you can begin$/).waitFor()
  await bell(worker.page, /^Notifications, 1 new$/)
  await working.tasks.submit({ task_id: taskId, evidence: { text_response: 'A green gate.' } })
  await publisher.page.getByRole('link', { name: 'Review' }).waitFor()

  await publisher.page.getByRole('link', { name: /^Notifications,/ }).click()
  await publisher.page.getByText('Bruno applied for your task').waitFor()
  await publisher.page.getByRole('button', { name: 'Mark everything as read' }).click()
  await bell(publisher.page, /^Notifications, nothing new$/)
  // The other tab of the same browser knows it too.
  await bell(details, /^Notifications, nothing new$/)
  await publisher.open('/notifications?kind=application')
  await publisher.page.getByText('Bruno applied for your task').waitFor()
  expect(await publisher.page.getByText('Bruno handed in work for you to review').count()).toBe(0)
  await publisher.page.getByRole('link', { name: 'Photograph the gate' }).click()
  await publisher.page.waitForURL(`**/my/tasks/${taskId}`)
}, 180_000)

test('a page whose line is cut says that it is not live, and hears what it missed once it is back', async () => {
  await using publisher = await theatre.person({
    locale: 'es-ES',
    expected: /WebSocket|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION/,
  })
  await using worker = await theatre.person()
  await stopAskingAgain(publisher.context)
  let isCut = false
  const open = new Set<() => Promise<void>>()
  await publisher.context.routeWebSocket(/\/ws$/, async (line) => {
    if (isCut) {
      await line.close({ code: 1013 })
      return
    }
    line.connectToServer()
    open.add(() => line.close({ code: 1013 }))
  })
  await publisher.signIn('ada')
  await worker.signIn('bruno')
  const [ada, bruno] = await Promise.all([publisher.account('ada'), worker.account('bruno')])
  const { client: working } = bruno
  await registerAsPerson(theatre.url, bruno, 'Bruno')
  await untilFunded(await publisher.account('ada'))
  const taskId = await publishedBy(ada, 'Mira la puerta')
  await publisher.open('/notifications')
  await publisher.page.getByText('En directo', { exact: true }).waitFor()
  isCut = true
  for (const close of open) await close()
  await publisher.page.getByText('No está en directo: se ha perdido la conexión.').waitFor()
  await publisher.page.getByRole('link', { name: /no está en directo/ }).waitFor()
  await working.tasks.apply({ task_id: taskId, message: 'Vivo al lado.' })
  expect(await publisher.page.getByText('Bruno se ofrece para tu tarea').count()).toBe(0)
  isCut = false
  await publisher.page.getByText('En directo', { exact: true }).waitFor()
  await publisher.page.getByText('Bruno se ofrece para tu tarea').waitFor()
  await bell(publisher.page, /^Avisos, 1 nuevo$/)
}, 180_000)

test('a page that comes back as it was left shows what happened meanwhile, and hears on', async () => {
  const browser = await openKeepingBrowser()
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => browser.close())
  await using publisher = await enterAsPerson(browser, theatre.url, { expected: /Page entered Back-Forward Cache/ })
  const { page } = publisher
  await stopAskingAgain(publisher.context)
  await publisher.signIn('ada')
  const ada = await publisher.account('ada')
  await publisher.open('/notifications')
  await page.getByText('Live', { exact: true }).waitFor()
  await publisher.open('/my/tasks')
  await page.evaluate(() => {
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) document.documentElement.dataset['came'] = 'back'
    })
  })
  // Another page of the service, which is none of the app.
  await page.goto(`${theatre.url}/robots.txt`)
  await publishedBy(ada, 'Photograph the gate meanwhile')
  // Playwright waits for a load that does not come.
  await page.evaluate(() => {
    history.back()
  })
  await page.locator('html[data-came="back"]').waitFor({ state: 'attached' })
  await page.getByText('Photograph the gate meanwhile').waitFor()
  await publishedBy(ada, 'Photograph the gate afterwards')
  await page.getByText('Photograph the gate afterwards').waitFor()
})

test('a visitor hears nothing and loads nothing for it', async () => {
  await using visitor = await theatre.person()
  const sockets: string[] = []
  visitor.page.on('websocket', (socket) => {
    sockets.push(socket.url())
  })
  await visitor.open('/notifications')
  await visitor.page.getByText('Here is what happens to your tasks and your work.').waitFor()
  const loaded = await visitor.page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => /news-link/.test(name)),
  )
  expect([sockets, loaded]).toEqual([[], []])
})

test('a person gives an address for notices, sees that it waits for its confirmation, and takes it back', async () => {
  await using person = await theatre.person({ ...phone, locale: 'es-ES' })
  await person.signIn('ada')
  await person.open('/notifications')
  const card = person.page.getByRole('region', { name: 'Por correo' })
  await card.getByLabel('Tu dirección de correo').fill('ana@mail.test, eva@mail.test')
  await card.getByRole('button', { name: 'Enviar la confirmación' }).click()
  await card.getByText('Escribe una sola dirección').waitFor()
  await card.getByLabel('Tu dirección de correo').fill('ana@mail.test')
  await card.getByLabel('Valoraciones').uncheck()
  await card.getByRole('button', { name: 'Enviar la confirmación' }).click()
  await card.getByText('Enviamos un enlace a ana@mail.test.').waitFor()
  const { client } = await person.account('ada')
  const { mail } = await client.mail.read()
  expect([mail?.state, mail?.language, mail?.kinds.includes('rating')]).toEqual(['waiting', 'es', false])
  await card.getByRole('button', { name: 'No recibir más correos' }).click()
  await card.getByText('Enviamos un enlace a').waitFor({ state: 'detached' })
  expect((await client.mail.read()).mail).toBeNull()
})

test('a person saves what it looks for, finds it among its notices, and takes it back', async () => {
  await using person = await theatre.person({ ...phone, locale: 'es-ES' })
  await person.signIn('ada')
  await person.open('/find?q=campanario&min=1')
  const { page } = person
  await page.getByRole('link', { name: 'Guardar búsqueda' }).click()
  const form = page.getByRole('form', { name: 'Guardar esta búsqueda' })
  await form.getByLabel('Nombre').fill('  ')
  await form.getByRole('button', { name: 'Guardar búsqueda' }).click()
  await form.getByText('Ponle un nombre de 60 caracteres como máximo.').waitFor()
  await form.getByLabel('Nombre').fill('Torres')
  await form.getByRole('button', { name: 'Guardar búsqueda' }).click()
  await page.getByText('La búsqueda está guardada.').waitFor()
  const card = page.getByRole('region', { name: 'Búsquedas guardadas' })
  await card.getByText('«campanario» · desde 1', { exact: false }).waitFor()
  await card.getByRole('link', { name: /^Ver tareas ?: Torres$/ }).click()
  await page.waitForURL(/\/find\?q=campanario&min=1/)
  await person.open('/notifications')
  await card.getByRole('button', { name: /^Quitar ?: Torres$/ }).click()
  await card.getByText('Aún no tienes búsquedas guardadas').waitFor()
  const { client } = await person.account('ada')
  expect((await client.searches.list()).total).toBe(0)
})
