import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import process from 'node:process'
import { loadFastKeccak } from '@ergon/protocols'
import { closePlatform, type Kept } from '../machine/close-platform.ts'
import type { Wish } from './arguments.ts'
import { replay, runSeeds, type Run } from './drive.ts'
import { openMarketWorld } from './market-world.ts'
import { shorten } from './shorten.ts'
import { runWorkers } from './workers.ts'

export type Failure = { readonly seed: number; readonly violation: string }
/** The last line of a run in JSON. */
export type Summary = {
  readonly seeds: number
  readonly failed: number
  readonly seeds_per_second: number
  /** What one core does when it has nothing else to do: threads of the collector and the compiler count as well. */
  readonly seeds_per_cpu_second: number
  readonly faults: number
  readonly first: number | null
  readonly violation: string | null
  readonly failures: readonly Failure[]
}

/** Two runs with one digest did the same things at the same times. */
export function digestOf(lines: readonly string[]): string {
  return hash('sha256', lines.join('\n'), 'hex').slice(0, 16)
}

function* range(from: number, to: number): Generator<number> {
  for (let seed = from; seed <= to; seed += 1) yield seed
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return 'unknown'
  }
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Runs what the command line asks for; answers the exit code. */
export async function simulate(wish: Wish, kept: Kept): Promise<number> {
  const at = commit()
  if (wish.workers > 1 && !wish.single) return conclude(wish, await runWorkers(wish), kept, at)
  await loadFastKeccak()
  closePlatform()
  if (wish.digests) return printDigests(wish, kept)
  return wish.single ? runOne(wish, kept, at) : conclude(wish, await runHere(wish, kept), kept, at)
}

const seedsBetweenLooks = 10_000

/** A long run says on standard error how far it is, and which seed failed as soon as it has. */
function progress({ clockMs }: Kept): (run: Run) => void {
  const startedAt = clockMs()
  let [done, faults, failed] = [0, 0, 0]
  return (run) => {
    done += 1
    faults += run.faults.length
    if (run.violation !== null) {
      failed += 1
      process.stderr.write(`seed ${String(run.seed)} failed: ${run.violation}\n`)
    }
    if (done % seedsBetweenLooks === 0)
      process.stderr.write(
        `${String(done)} seeds, ${String(failed)} failed, ${String(faults)} faults, ` +
          `${((clockMs() - startedAt) / 1_000).toFixed(0)} s\n`,
      )
  }
}

async function runHere(wish: Wish, kept: Kept): Promise<Summary> {
  // Thousands of errors are thrown that nobody prints.
  Error.stackTraceLimit = 0
  const startedAt = kept.clockMs()
  const cpuAt = kept.cpuMs()
  const maxFailures = wish.mutant === undefined ? 20 : 1
  const {
    seeds,
    failures: runs,
    faults,
    steps,
    kinds,
  } = await runSeeds(range(wish.from, wish.to), openMarketWorld, kept, { maxFailures, onRun: progress(kept) })
  const seconds = (kept.clockMs() - startedAt) / 1_000
  const cpuSeconds = (kept.cpuMs() - cpuAt) / 1_000
  if (!wish.json) {
    say(`${(steps / seeds).toFixed(0)} steps and ${((1_000 * cpuSeconds) / seeds).toFixed(2)} ms of CPU a seed`)
    say(
      `faults: ${[...kinds]
        .toSorted((one, other) => other[1] - one[1])
        .map(([kind, count]) => `${kind} ${String(count)}`)
        .join(', ')}`,
    )
  }
  const failures = runs.map(({ seed, violation }) => ({ seed, violation: violation ?? '' }))
  const [first] = failures
  return {
    seeds,
    failed: runs.length,
    seeds_per_second: Math.round(seeds / seconds),
    seeds_per_cpu_second: Math.round(seeds / cpuSeconds),
    faults,
    first: first?.seed ?? null,
    violation: first?.violation ?? null,
    failures,
  }
}

async function conclude(wish: Wish, summary: Summary, kept: Kept, at: string): Promise<number> {
  if (!wish.json) {
    for (const { seed, violation } of summary.failures) say(`seed ${String(seed)}: ${violation}`)
    if (summary.first !== null && wish.mutant === undefined) await tell(summary.first, kept, at)
    say(
      `${String(summary.seeds)} seeds, ${String(summary.failed)} failed, ` +
        `${String(summary.seeds_per_second)} seeds a second, ${String(summary.faults)} faults`,
    )
  }
  if (wish.json) say(JSON.stringify(summary))
  return summary.failed === 0 ? 0 : 1
}

async function printDigests(wish: Wish, kept: Kept): Promise<number> {
  const digests = new Map<number, string>()
  const options = {
    abreast: wish.abreast,
    keepsTraces: true,
    maxFailures: Infinity,
    onRun: ({ seed, lines }: Run) => {
      digests.set(seed, digestOf(lines))
    },
  }
  await runSeeds(range(wish.from, wish.to), openMarketWorld, kept, options)
  for (const [seed, digest] of [...digests].toSorted((one, other) => one[0] - other[0]))
    say(`${String(seed)} ${digest}`)
  return 0
}

async function runOne(wish: Wish, kept: Kept, at: string): Promise<number> {
  const filter = { ...(wish.first === undefined ? {} : { first: wish.first }), without: new Set(wish.without) }
  const run = await replay(wish.from, openMarketWorld, kept, filter, true)
  for (const line of run.lines) say(line)
  say(
    `seed ${String(run.seed)} at ${at}: ${run.violation ?? 'nothing is wrong'}; ${String(run.faults.length)} faults, ${String(run.steps)} steps, trace ${digestOf(run.lines)}`,
  )
  return run.violation === null ? 0 : 1
}

/** A failure as its shortest story. */
async function tell(seed: number, kept: Kept, at: string): Promise<void> {
  await loadFastKeccak()
  closePlatform()
  const failed = await replay(seed, openMarketWorld, kept, {}, false)
  const { filter, run } = await shorten(failed, openMarketWorld, kept)
  for (const line of run.lines) say(line)
  say(`seed ${String(run.seed)} at ${at}: ${run.violation ?? 'it does not fail again'}`)
  const without = [...(filter.without ?? [])].join(',')
  say(
    `again: npm run simulate -- --seed ${String(run.seed)} --faults ${String(filter.first ?? 0)}${without === '' ? '' : ` --without ${without}`}`,
  )
}
