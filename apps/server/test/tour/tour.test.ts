import { operations, type OperationName } from '@ergon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routesOf } from './journal.ts'
import { openScene, type Scene } from './scene.ts'
import said from './step-names.json' with { type: 'json' }
import { steps } from './steps.ts'

/** One market on a real chain and real SQL; every operation is called by each of its routes and succeeds. */
let scene: Scene & AsyncDisposable
beforeAll(async () => {
  scene = await openScene()
})
afterAll(async () => {
  await scene[Symbol.asyncDispose]()
})

/** What each step does; docs/reference/endpoints.md says it too. A missing one does not compile. */
const stepNames: Readonly<Record<OperationName, string>> = said
const names = Object.keys(operations) as OperationName[] // the keys of a literal

test.each(names.map((name) => [name, stepNames[name]] as const))('%s: %s', async (name) => {
  scene.journal.begin()
  expect(routesOf(name).length).toBeGreaterThan(0)
  const answered = await steps[name](scene)
  expect(
    routesOf(name).filter((route) => !scene.journal.succeeded.has(route)),
    JSON.stringify(answered),
  ).toEqual([])
})

test('the names are those of operations that exist', () => {
  expect(Object.keys(said).sort()).toEqual([...names].sort())
})

test('after the tour the ledger is where the chain is', async () => {
  await scene.market.app.market.duties.auditMoney()
  expect(await scene.market.app.market.unresolvedFindings(10)).toEqual([])
  expect((await scene.get('/api/v1/health/payments')).body).toMatchObject({ in_doubt: 0, ledger_balanced: true })
})
