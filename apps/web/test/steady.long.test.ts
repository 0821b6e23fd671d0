import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { untilFunded, type Person } from './person.ts'

/** Decision 0303: a page that is left open for days stays as it was. */
let theatre: Theatre
const titles = Array.from({ length: 2 }, (_, index) => `Photograph gate ${String(index)}`)
beforeAll(async () => {
  theatre = await openTheatre({ env: { server: { SVC_PUBLISH_PER_HOUR: '0' } } })
  await using publisher = await theatre.person()
  await publisher.signIn('ada')
  const ada = await publisher.account('ada')
  await untilFunded(ada)
  for (const title of titles)
    await ada.client.tasks.publish({
      title,
      instructions: 'Stand in front of the gate and take one photo.',
      category: 'simple_action',
      bounty_usd: 1.5,
      evidence_required: ['text_response'],
    })
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

const rounds = 3
type Left = { readonly heap: number; readonly nodes: number; readonly listeners: number }

type Visits = { readonly times: number; readonly visit: (index: number) => Promise<void> }

/** What each visit leaves in the page; of several rounds the least, after one that warms everything up. */
async function leftInPage({ context, page, settled }: Person, { times, visit }: Visits): Promise<Left> {
  const devtools = await context.newCDPSession(page)
  for (const domain of ['Performance', 'HeapProfiler'] as const) await devtools.send(`${domain}.enable`)
  const sizes: Left[] = []
  for (let round = 0; round <= rounds; round += 1) {
    for (let index = 0; index < times; index += 1) await visit(round * times + index)
    await settled()
    for (let turn = 0; turn < 3; turn += 1) await devtools.send('HeapProfiler.collectGarbage')
    const { metrics } = await devtools.send('Performance.getMetrics')
    const of = (name: string): number => metrics.find((one) => one.name === name)?.value ?? Number.NaN
    sizes.push({ heap: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') })
  }
  const least = (key: keyof Left): number =>
    Math.min(...sizes.slice(1).map((size, index) => (size[key] - (sizes[index]?.[key] ?? Number.NaN)) / times))
  return { heap: least('heap'), nodes: least('nodes'), listeners: least('listeners') }
}

/** Signals and times of requests that are answered are kept for a minute, by the platform. */
const most: Left = { heap: 20_000, nodes: 10, listeners: 5 }

function expectNothing({ heap, nodes, listeners }: Left): void {
  expect(nodes).toBeLessThan(most.nodes)
  expect(listeners).toBeLessThan(most.listeners)
  expect(heap).toBeLessThan(most.heap)
}

test('tasks that are opened and left again leave nothing in the page', async () => {
  await using visitor = await theatre.person()
  const { page } = visitor
  await visitor.open('/find')
  const left = await leftInPage(visitor, {
    times: 12,
    async visit(index) {
      const title = titles[index % titles.length] ?? ''
      await page.getByRole('link', { name: title, exact: true }).first().click()
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      await page.goBack()
      await page.getByRole('link', { name: title, exact: true }).first().waitFor()
    },
  })
  expectNothing(left)
}, 300_000)

test('a line that breaks and comes back leaves nothing in the page', async () => {
  // In a session the page hears what happens; lines of the console tell that it hears nothing.
  await using person = await theatre.person({ expected: /ERR_INTERNET_DISCONNECTED/ })
  await person.signIn('bruno')
  await person.open('/find')
  const left = await leftInPage(person, {
    times: 30,
    async visit(index) {
      await person.context.setOffline(index % 2 === 0)
      await person.page.waitForTimeout(150)
    },
  })
  expectNothing(left)
}, 300_000)
