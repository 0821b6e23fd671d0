import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/**
 * The CPU a process has used, all its threads together, in microseconds; to the nanosecond, where the clock ticks of
 * `stat` are 10 ms.
 */
export function cpuMicroseconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1_000
}

/** The memory a process holds now, in MiB. */
export function residentMib(pid: number): number {
  const pageBytes = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }))
  return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes) / 2 ** 20
}
