import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openBed, openMemory, type Bed } from './bed.ts'
import { createDriver, type Driver, type Step, type Told } from './driver.ts'
import { fill } from './fixture.ts'
import { storeOperations, txOperations, type Given } from './operations.ts'

const processes = 2
type Unit =
  | { readonly in: readonly (readonly [string, Given])[]; readonly end: 'commit' | 'throw' }
  | { readonly ask: readonly [string, Given] }
type Run = { readonly programs: readonly (readonly Unit[])[]; readonly picks: readonly number[] }

const given = fc.record({ t: fc.nat(1), w: fc.nat(1), k: fc.nat(8), n: fc.constant(0), b: fc.boolean() })
const asking = (names: readonly string[]) => fc.tuple(fc.constantFrom(...names), given)
const inTransaction = fc.record({
  in: fc.array(asking(Object.keys(txOperations)), { minLength: 1, maxLength: 6 }),
  end: fc.constantFrom('commit', 'commit', 'commit', 'throw'),
})
const alone = fc.record({ ask: asking(Object.keys(storeOperations)) })
const program = fc.array(fc.oneof({ weight: 3, arbitrary: inTransaction }, { weight: 2, arbitrary: alone }), {
  minLength: 2,
  maxLength: 5,
}) as fc.Arbitrary<readonly Unit[]>
const run: fc.Arbitrary<Run> = fc.record({
  programs: fc.tuple(program, program),
  picks: fc.array(fc.nat(processes - 1), { minLength: 60, maxLength: 60 }),
})

/** The steps of each process; every operation gets a number of its own. */
function stepsOf({ programs }: Run): Step[][] {
  let n = 20
  const numbered = (one: Given): Given => ({ ...one, n: (n += 1) })
  return programs.map((units) =>
    units.flatMap((unit): Step[] => {
      if ('ask' in unit) return [{ kind: 'ask', ask: operation(storeOperations, unit.ask[0], numbered(unit.ask[1])) }]
      return [
        { kind: 'begin' },
        ...unit.in.map(([name, one]): Step => ({ kind: 'in', ask: operation(txOperations, name, numbered(one)) })),
        { kind: unit.end },
      ]
    }),
  )
}

function operation<T>(
  operations: Readonly<Record<string, (of: T, given: Given) => Promise<unknown>>>,
  name: string,
  one: Given,
) {
  return {
    name: `${name} ${JSON.stringify(one)}`,
    run: (of: T) => operations[name]?.(of, one) ?? Promise.reject(new Error(name)),
  }
}

type Trace = { readonly told: readonly Told[]; readonly schedule: readonly number[] }

/** Two waited for each other: the one that closed the circle is refused, outside of a transaction by a code. */
const refusals: ReadonlySet<unknown> = new Set(['40P01', 'SERVICE_BUSY'])
const isDeadlock = ({ answers }: Told): boolean =>
  answers.some(
    ([, answer]) => typeof answer === 'object' && answer !== null && 'failed' in answer && refusals.has(answer.failed),
  )

/** Takes steps in the order picked; whoever waits is passed over, and what is open at the end is ended. */
async function drive(driver: Driver, steps: Step[][], picks: readonly number[]): Promise<Trace> {
  const told: Told[] = []
  const schedule: number[] = []
  const left = steps.map((own) => [...own])
  const free = (): readonly number[] =>
    left.flatMap((own, process) => (own.length > 0 && !driver.isBusy(process) ? [process] : []))
  for (let at = 0; free().length > 0; at += 1) {
    const among = free()
    const process = among[(picks[at % picks.length] ?? 0) % among.length] ?? 0
    const step = left[process]?.shift()
    if (step === undefined) break
    schedule.push(process)
    told.push(await driver.take(process, step))
  }
  return { told, schedule }
}

async function replay(bed: Bed, steps: Step[][], schedule: readonly number[]): Promise<readonly Told[]> {
  const driver = createDriver(bed)
  const left = steps.map((own) => [...own])
  const told: Told[] = []
  for (const process of schedule) {
    const step = left[process]?.shift()
    // It waits on where ours did not: what was told so far shows where the two part.
    if (step === undefined || driver.isBusy(process)) return told
    told.push(await driver.take(process, step))
  }
  return told
}

const line = ({ process, step, answers, blocked }: Told): string =>
  `  p${String(process)} ${step} -> ${JSON.stringify(answers)} blocked ${JSON.stringify(blocked)}`

/** The first difference between two traces, with all that was told before it. */
function difference(expected: readonly Told[], found: readonly Told[]): string | null {
  const at = expected.findIndex((one, index) => JSON.stringify(one) !== JSON.stringify(found[index]))
  if (at === -1) return null
  const parted = `memory   ${JSON.stringify(expected[at])}\npostgres ${JSON.stringify(found[at])}`
  return [...expected.slice(0, at).map(line), parted].join('\n')
}

async function compare(
  one: Run,
  postgres: Bed,
): Promise<{
  readonly steps: number
  readonly waits: number
  readonly deadlocks: number
  readonly found: string | null
}> {
  const memory = openMemory(processes)
  await fill(memory.stores[0] ?? expect.unreachable())
  const expected = await drive(createDriver(memory), stepsOf(one), one.picks)
  const counted = {
    steps: expected.schedule.length,
    waits: expected.told.filter(({ blocked }) => blocked.length > 0).length,
    deadlocks: expected.told.filter(isDeadlock).length,
  }
  await postgres.clear()
  await fill(postgres.stores[0] ?? expect.unreachable())
  const told = await replay(postgres, stepsOf(one), expected.schedule)
  const parted = difference(expected.told, told)
  if (parted !== null) return { ...counted, found: parted }
  const [ours, theirs] = [await memory.rows(), await postgres.rows()]
  const table = Object.keys(theirs).find((name) => JSON.stringify(ours[name]) !== JSON.stringify(theirs[name]))
  if (table === undefined) return { ...counted, found: null }
  const rows = `memory   ${JSON.stringify(ours[table])}\npostgres ${JSON.stringify(theirs[table])}`
  return { ...counted, found: [`${table} at the end`, rows, ...expected.told.map(line)].join('\n') }
}

/** `SEED` and `RUNS` ask for others than those of every run. */
const seed = Number(process.env['SEED'] ?? 11)
const runs = Number(process.env['RUNS'] ?? 150)
const boundMs = 45_000

test('generated transactions of two processes, step by step, answer in memory as on PostgreSQL', async () => {
  const deadline = performance.now() + boundMs
  const counted = { runs: 0, steps: 0, waits: 0, deadlocks: 0 }
  const differences: string[] = []
  let postgres = await openBed('postgres', processes)
  for (const one of fc.sample(run, { seed, numRuns: runs })) {
    const { steps, waits, deadlocks, found } = await compare(one, postgres)
    counted.runs += 1
    counted.steps += steps
    counted.waits += waits
    counted.deadlocks += deadlocks
    if (found !== null) {
      differences.push(found)
      await postgres[Symbol.asyncDispose]()
      postgres = await openBed('postgres', processes)
    }
    if (performance.now() > deadline || differences.length > 12) break
  }
  await postgres[Symbol.asyncDispose]()
  console.log(JSON.stringify({ seed, ...counted }))
  expect(differences).toEqual([])
  expect(counted.waits).toBeGreaterThan(0)
})
