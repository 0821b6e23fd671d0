import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { loadFastKeccak } from '@ergon/protocols'
import { closePlatform, type Kept } from '../machine/close-platform.ts'
import type { Wish } from './arguments.ts'
import { replay, runSeeds, type Run } from './drive.ts'
import { openMarketWorld } from './market-world.ts'
import { shorten } from './shorten.ts'

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

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Runs what the command line asks for; answers the exit code. */
export async function simulate(wish: Wish, kept: Kept): Promise<number> {
  await loadFastKeccak()
  const at = commit()
  closePlatform()
  if (wish.single) return runOne(wish, kept, at)
  const startedAt = kept.clockMs()
  const cpuAt = kept.cpuMs()
  const batch = await runSeeds(range(wish.from, wish.to), openMarketWorld, kept)
  const seconds = (kept.clockMs() - startedAt) / 1_000
  const cpuSeconds = (kept.cpuMs() - cpuAt) / 1_000
  if (!wish.json) {
    say(`${String(batch.seeds)} seeds, ${String(batch.failures.length)} failed, ${(batch.seeds / seconds).toFixed(0)} seeds a second (${(batch.seeds / cpuSeconds).toFixed(0)} a second of CPU), ${String(batch.faults)} faults, ${(batch.steps / batch.seeds).toFixed(0)} steps a seed`)
    for (const failure of batch.failures) say(`seed ${String(failure.seed)}: ${failure.violation ?? ''}`)
  }
  const [worst] = batch.failures
  if (worst !== undefined && !wish.json) await tell(worst, kept, at)
  if (wish.json) say(JSON.stringify({ seeds: batch.seeds, failed: batch.failures.length, seeds_per_second: Math.round(batch.seeds / seconds), faults: batch.faults }))
  return batch.failures.length === 0 ? 0 : 1
}

async function runOne(wish: Wish, kept: Kept, at: string): Promise<number> {
  const filter = { ...(wish.first === undefined ? {} : { first: wish.first }), without: new Set(wish.without) }
  const run = await replay(wish.from, openMarketWorld, kept, filter, true)
  for (const line of run.lines) say(line)
  say(`seed ${String(run.seed)} at ${at}: ${run.violation ?? 'nothing is wrong'}; ${String(run.faults.length)} faults, ${String(run.steps)} steps, trace ${run.digest}`)
  return run.violation === null ? 0 : 1
}

/** A failure as its shortest story. */
async function tell(failed: Run, kept: Kept, at: string): Promise<void> {
  const { filter, run } = await shorten(failed, openMarketWorld, kept)
  for (const line of run.lines) say(line)
  say(`seed ${String(run.seed)} at ${at}: ${run.violation ?? ''}`)
  say(`again: npm run simulate -- --seed ${String(run.seed)} --faults ${String(filter.first ?? 0)}${filter.without === undefined || filter.without.size === 0 ? '' : ` --without ${[...filter.without].join(',')}`}`)
}
