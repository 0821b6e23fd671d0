import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { runPlan } from './machine/run-plan.ts'
import { plans, type Plan } from './machine/steps.ts'
import { openWorld, type World } from './machine/world.ts'

/**
 * The escrow as a state machine on a real chain: every public call of escrow and operator, by payer, worker, anybody and
 * the facilitator, in any order, between and during the flows of the market, with time moved past every expiry. At rest
 * nothing is open, the books say what the chain says, and nobody has more than the rules give.
 *
 * ERGON_MACHINE_RUNS: how many sequences. ERGON_MACHINE_SEED: where they begin. ERGON_MACHINE_PLAN: one plan as JSON.
 */
const { ERGON_MACHINE_RUNS: runs, ERGON_MACHINE_SEED: seed, ERGON_MACHINE_PLAN: only } = process.env
const budgetMs = runs === undefined ? 75_000 : 3_600_000

const worlds: { open: World | null } = { open: null }
const world = async (): Promise<World> => (worlds.open ??= await openWorld())
const close = async (): Promise<void> => {
  await worlds.open?.[Symbol.asyncDispose]()
  worlds.open = null
}
afterAll(close)

async function expectRest(plan: Plan): Promise<void> {
  const { lines, faults } = await runPlan(await world(), plan)
  if (faults.length === 0) return
  // What it left is none of the next sequence's business.
  await close()
  throw new Error(['', ...lines.map((line, index) => `${String(index).padStart(3)}  ${line}`), '', ...faults.map((fault) => `  !  ${fault}`), '', `ERGON_MACHINE_PLAN='${JSON.stringify(plan)}'`].join('\n'))
}

test('whatever anybody calls in whatever order, everything comes to rest and the books equal the chain', { timeout: budgetMs + 120_000 }, async () => {
  if (only !== undefined) return expectRest(JSON.parse(only) as Plan) // printed by a run that failed
  const counted = { sequences: 0, steps: 0 }
  const result = await fc.check(
    fc.asyncProperty(plans, async (plan) => {
      await expectRest(plan)
      counted.sequences += 1
      counted.steps += plan.steps.length
    }),
    { numRuns: Number(runs ?? 40), interruptAfterTimeLimit: budgetMs, ...(seed === undefined ? {} : { seed: Number(seed) }) },
  )
  console.log(`${String(counted.sequences)} sequences, ${String(counted.steps)} steps, seed ${String(result.seed)}`)
  if (result.failed && result.counterexample !== null) throw new Error(`seed ${String(result.seed)}, path ${result.counterexamplePath ?? ''}`, { cause: result.errorInstance })
  expect(counted.sequences).toBeGreaterThan(0)
})
