import { spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Wish } from './arguments.ts'
import type { Summary } from './simulate.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

function part(from: number, to: number, wish: Wish): Promise<Summary> {
  return new Promise((resolve, reject) => {
    const options = [
      '--seeds',
      `${String(from)}..${String(to)}`,
      '--json',
      ...(wish.realSignatures ? ['--real-signatures'] : []),
    ]
    const child = spawn(process.execPath, [...process.execArgv, main, ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
    child.on('error', reject)
    child.on('close', (code) => {
      const last = output.trim().split('\n').at(-1) ?? ''
      if (!last.startsWith('{'))
        reject(new Error(`the worker of seeds ${String(from)}..${String(to)} ended with ${String(code)}`))
      else resolve(JSON.parse(last) as Summary) // our own last line
    })
  })
}

/** Shares the seeds out over processes, in disjoint runs of them. */
export async function runWorkers(wish: Wish): Promise<Summary> {
  const share = Math.ceil((wish.to - wish.from + 1) / wish.workers)
  const starts = Array.from({ length: wish.workers }, (_, index) => wish.from + index * share).filter(
    (from) => from <= wish.to,
  )
  const parts = await Promise.all(starts.map((from) => part(from, Math.min(wish.to, from + share - 1), wish)))
  const sum = (pick: (one: Summary) => number): number => parts.reduce((total, one) => total + pick(one), 0)
  const failed = parts.flatMap((one) => one.failures).toSorted((one, other) => one.seed - other.seed)
  return {
    seeds: sum((one) => one.seeds),
    failed: sum((one) => one.failed),
    seeds_per_second: sum((one) => one.seeds_per_second),
    seeds_per_cpu_second: Math.round(sum((one) => one.seeds_per_cpu_second) / parts.length),
    faults: sum((one) => one.faults),
    first: failed[0]?.seed ?? null,
    violation: failed[0]?.violation ?? null,
    failures: failed,
  }
}
