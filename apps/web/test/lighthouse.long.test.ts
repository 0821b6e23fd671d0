import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { categories, openAuditor, type Audit, type Auditor } from './lighthouse.ts'
import { signInHere, untilFunded } from './person.ts'

/** Out of 100, and compressed script of a first load; who is signed in loads news and live events beside it. */
const limits = { score: 95, scriptBytes: 170_000, signedInScriptBytes: 176_000 } as const

let theatre: Theatre
let auditor: Auditor
let taskId: string
beforeAll(async () => {
  theatre = await openTheatre()
  await using publisher = await theatre.person()
  await publisher.signIn('ada')
  await untilFunded(await publisher.account('ada'))
  const { client } = await publisher.account('ada')
  for (let count = 1; count <= 30; count += 1)
    ({ id: taskId } = await client.tasks.publish({
      title: `Photograph gate ${String(count)}`,
      instructions: 'Stand in front of the gate and take one photo.',
      category: 'simple_action',
      bounty_usd: (100 + count) / 100,
      evidence_required: ['photo'],
    }))
  auditor = await openAuditor()
}, 300_000)
afterAll(async () => {
  await auditor?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

test.each([
  ['front page', '/'],
  ['list', '/find'],
  ['task', '/tasks/$taskId'],
] as const)(
  'the %s page scores at least 95 in accessibility and best practices, and loads little script for who comes to it first, on a phone',
  async (name, path) => {
    const audit = await audited(name, path.replace('$taskId', taskId))
    expect(audit.scriptBytes).toBeLessThanOrEqual(limits.scriptBytes)
  },
  300_000,
)

test('the publish page scores as much for a person who is signed in, and loads little more script', async () => {
  const page = auditor.context.pages()[0] ?? (await auditor.context.newPage())
  await page.goto(`${theatre.url}/sign-in`)
  await signInHere(page, 'ada')
  await page.getByRole('heading', { level: 1, name: 'You are signed in.' }).waitFor()
  await page.goto('about:blank')
  // On a busy machine a read may fail, and then the words of errors are loaded as well: the least of three loads.
  let least = Infinity
  for (let loads = 0; loads < 3 && least > limits.signedInScriptBytes; loads += 1)
    least = Math.min(least, (await audited('publish', '/publish')).scriptBytes)
  expect(least).toBeLessThanOrEqual(limits.signedInScriptBytes)
}, 300_000)

/**
 * A load has to be accessible and well made. How fast it was is printed and not judged: one commit scores 96 on one
 * machine and 75 on another.
 */
async function audited(name: string, path: string): Promise<Audit> {
  const audit = await auditor.audit(theatre.url + path)
  print(name, audit)
  const judged = [audit.scores.accessibility, audit.scores['best-practices']]
  expect(
    judged.every((score) => score >= limits.score),
    audit.lost.join('\n'),
  ).toBe(true)
  return audit
}

function print(name: string, { scores, milliseconds: { fcp, lcp, tbt, tti }, scriptBytes }: Audit): void {
  process.stdout.write(
    `lighthouse, ${name}: ${categories.map((category) => `${category} ${String(scores[category])}`).join(', ')}; FCP ${String(fcp)} ms, LCP ${String(lcp)} ms, TBT ${String(tbt)} ms, TTI ${String(tti)} ms, script ${String(scriptBytes)} bytes\n`,
  )
}
