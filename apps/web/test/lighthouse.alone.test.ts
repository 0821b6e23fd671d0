import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { categories, openAuditor, type Audit, type Auditor } from './lighthouse.ts'
import { signInHere } from './person.ts'

/** Out of 100, and compressed script of a first load. */
const mostLoads = 8
const limits = { score: 95, scriptBytes: 170_000 } as const

let theatre: Theatre
let auditor: Auditor
let taskId: string
beforeAll(async () => {
  theatre = await openTheatre()
  await using publisher = await theatre.person()
  await publisher.signIn('ada')
  await publisher.page.locator('p').filter({ hasText: /1[.,]000/ }).waitFor()
  const { client } = await publisher.account('ada')
  for (let count = 1; count <= 30; count += 1) ({ id: taskId } = await client.tasks.publish({ title: `Photograph gate ${String(count)}`, instructions: 'Stand in front of the gate and take one photo.', category: 'simple_action', bounty_usd: (100 + count) / 100, evidence_required: ['photo'] }))
  auditor = await openAuditor()
}, 300_000)
afterAll(async () => {
  await auditor?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

test.each([['list', '/'], ['task', '/tasks/$taskId']] as const)('the %s page scores at least 95 in performance, accessibility and best practices for who comes to it first, on a phone', async (name, path) => {
  const audit = await bestOf(name, path.replace('$taskId', taskId))
  expect(audit.scriptBytes).toBeLessThanOrEqual(limits.scriptBytes)
}, 300_000)

test('the publish page scores at least 95 in performance, accessibility and best practices for a person, on a phone', async () => {
  const page = auditor.context.pages()[0] ?? await auditor.context.newPage()
  await page.goto(`${theatre.url}/sign-in`)
  await signInHere(page, 'ada')
  await page.getByRole('heading', { level: 1, name: 'You are signed in.' }).waitFor()
  await page.goto('about:blank')
  await bestOf('publish', '/publish')
}, 300_000)

/** Every load has to be accessible and well made; how fast it was is taken from the one that the machine disturbed least. */
async function bestOf(name: string, path: string): Promise<Audit> {
  const audits: Audit[] = []
  const isFast = ({ scores }: Audit): boolean => scores.performance >= limits.score
  while (audits.length < mostLoads && !audits.some(isFast)) {
    const audit = await auditor.audit(theatre.url + path)
    print(name, audit)
    expect([audit.scores.accessibility, audit.scores['best-practices']].every((score) => score >= limits.score), audit.lost.join('\n')).toBe(true)
    audits.push(audit)
  }
  const [best] = audits.toSorted((one, other) => other.scores.performance - one.scores.performance || one.milliseconds.tti - other.milliseconds.tti)
  if (best === undefined) throw new Error('nothing was loaded')
  expect(best.scores.performance, best.lost.join('\n')).toBeGreaterThanOrEqual(limits.score)
  return best
}

function print(name: string, { scores, milliseconds: { fcp, lcp, tbt, tti }, scriptBytes }: Audit): void {
  process.stdout.write(`lighthouse, ${name}: ${categories.map((category) => `${category} ${String(scores[category])}`).join(', ')}; FCP ${String(fcp)} ms, LCP ${String(lcp)} ms, TBT ${String(tbt)} ms, TTI ${String(tti)} ms, script ${String(scriptBytes)} bytes\n`)
}
