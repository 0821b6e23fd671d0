import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { examples } from './machine/examples.ts'
import { runPlan, type Played } from './machine/run-plan.ts'
import { plans, type Plan } from './machine/steps.ts'
import { openWorld, type World } from './machine/world.ts'

/**
 * The escrow as a state machine on a real chain: every public call of escrow and operator, by payer, worker, anybody
 * and the facilitator, in any order, between and during the flows of the market, with time moved past every expiry. At
 * rest nothing is open, the books say what the chain says, and nobody has more than the rules give.
 *
 * ERGON_MACHINE_RUNS: how many sequences. ERGON_MACHINE_SEED: where they begin. ERGON_MACHINE_PLAN: one plan as JSON.
 * ERGON_MACHINE_SURVEY: plays so many, fails or not, and lists every kind of fault with its first sequence.
 */
const {
  ERGON_MACHINE_RUNS: runs,
  ERGON_MACHINE_SEED: seed,
  ERGON_MACHINE_PLAN: only,
  ERGON_MACHINE_SURVEY: survey,
} = process.env
const budgetMs = runs === undefined ? 70_000 : 3_600_000

const worlds: { open: World | null } = { open: null }
const world = async (): Promise<World> => (worlds.open ??= await openWorld())
const close = async (): Promise<void> => {
  await worlds.open?.[Symbol.asyncDispose]()
  worlds.open = null
}
afterAll(close)

async function expectRest(plan: Plan): Promise<void> {
  const played = await runPlan(await world(), plan)
  if (played.faults.length === 0) return
  // What it left is none of the next sequence's business.
  await close()
  throw new Error(storyOf(plan, played))
}

const storyOf = (plan: Plan, { lines, faults }: Played): string =>
  [
    '',
    ...lines.map((line, index) => `${String(index).padStart(3)}  ${line}`),
    '',
    ...faults.map((fault) => `  !  ${fault}`),
    '',
    `ERGON_MACHINE_PLAN='${JSON.stringify(plan)}'`,
  ].join('\n')

test.each(Object.entries(examples))('%s', (_, plan) => expectRest(plan))

test(
  'whatever anybody calls in whatever order, everything comes to rest and the books equal the chain',
  { timeout: budgetMs + 120_000 },
  async () => {
    if (only !== undefined) return expectRest(JSON.parse(only) as Plan) // printed by a run that failed
    const counted = { sequences: 0, steps: 0 }
    const result = await fc.check(
      fc.asyncProperty(plans, async (plan) => {
        await expectRest(plan)
        counted.sequences += 1
        counted.steps += plan.steps.length
      }),
      {
        numRuns: Number(runs ?? 120),
        interruptAfterTimeLimit: budgetMs,
        ...(seed === undefined ? {} : { seed: Number(seed) }),
      },
    )
    console.log(`${String(counted.sequences)} sequences, ${String(counted.steps)} steps, seed ${String(result.seed)}`)
    if (result.failed && result.counterexample !== null)
      throw new Error(`seed ${String(result.seed)}, path ${result.counterexamplePath ?? ''}`, {
        cause: result.errorInstance,
      })
    expect(counted.sequences).toBeGreaterThan(0)
  },
)

test.runIf(survey !== undefined)('a survey of what is found', { timeout: 3_600_000 }, async () => {
  const kinds = new Map<string, number>()
  const outcomes = new Map<string, number>()
  const count = (of: Map<string, number>, what: string): number => of.set(what, (of.get(what) ?? 0) + 1).get(what) ?? 0
  const beganAt = performance.now()
  const sample = fc.sample(plans, { numRuns: Number(survey), ...(seed === undefined ? {} : { seed: Number(seed) }) })
  for (const [index, plan] of sample.entries()) {
    if (index % 50 === 0)
      console.log(`${String(index)} sequences in ${String(Math.round((performance.now() - beganAt) / 1_000))} s`)
    const played = await runPlan(await world(), plan)
    for (const [at, step] of plan.steps.entries())
      count(outcomes, `${step.do}: ${played.lines[at + 1]?.split(': ').at(-1) ?? 'not played'}`)
    if (played.faults.length === 0) continue
    const kind = played.faults.map((fault) => fault.split('\n', 1)[0]?.replaceAll(/-?\d+/g, '#')).join(' | ')
    if (count(kinds, kind) === 1) console.log(`a kind of fault: ${kind}\n${storyOf(plan, played)}`)
    await close()
  }
  console.log(
    [...outcomes]
      .sort()
      .map(([outcome, times]) => `${String(times).padStart(6)}  ${outcome}`)
      .join('\n'),
  )
  expect([...kinds].map(([kind, times]) => `${String(times)} times: ${kind}`)).toEqual([])
})
