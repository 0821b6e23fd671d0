import { cpus, loadavg, totalmem } from 'node:os'

export type Machine = {
  readonly cpu: string
  readonly cores: number
  readonly memory_mib: number
  readonly node: string
  readonly load_before: number
}

/** What the figures were measured on: absolute ones mean nothing without it. */
export function describeMachine(): Machine {
  const cores = cpus()
  return {
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memory_mib: Math.round(totalmem() / 2 ** 20),
    node: process.version,
    // Above zero, others were at work too, and the absolute figures are too low.
    load_before: Number((loadavg()[0] ?? 0).toFixed(2)),
  }
}
