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

/**
 * The CPU that a process and its children have used, those that have ended and were waited for included, in
 * microseconds; to the clock tick of 10 ms.
 */
export function treeCpuMicroseconds(root: number): number {
  const statOf = (pid: number): readonly string[] => {
    try {
      // The name, in parentheses, may hold anything; what follows are figures.
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    } catch {
      return []
    }
  }
  const ticks = (stat: readonly string[], ...places: readonly number[]): number =>
    places.reduce((sum, place) => sum + Number(stat[place] ?? 0), 0)
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => Number(stat[1]) === root)
  const sum = children.reduce((all, stat) => all + ticks(stat, 11, 12, 13, 14), ticks(statOf(root), 11, 12, 13, 14))
  return sum * 10_000
}

/** The memory a process holds now, in MiB. */
export function residentMib(pid: number): number {
  const pageBytes = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }))
  return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes) / 2 ** 20
}
