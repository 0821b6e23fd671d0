import process from 'node:process'
import type { LoopWatch } from '../loop-watch.ts'
import { samplesBy, type ToldOf } from './figure.ts'

export const processFigures = {
  ergon_build_info: { type: 'gauge', says: 'Always 1; the label tells the version.', labels: ['version'] },
  process_start_time_seconds: { type: 'gauge', says: 'When the process began, in Unix time.' },
  process_cpu_seconds_total: { type: 'counter', says: 'Time that its threads spent on a core.' },
  process_resident_memory_bytes: { type: 'gauge', says: 'Memory that the process holds.' },
  ergon_heap_used_bytes: { type: 'gauge', says: 'Of it, what objects take.' },
  ergon_event_loop_delay_seconds: {
    type: 'gauge',
    says: 'How late nine of ten timers fired at most, in the last second.',
  },
} as const

/** What every service knows of its own process. */
export function tellProcess(version: string, loop: Pick<LoopWatch, 'delayMs'>): ToldOf<typeof processFigures> {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    ergon_build_info: [{ labels: { version }, value: 1 }],
    process_start_time_seconds: Math.round(performance.timeOrigin / 1_000),
    process_cpu_seconds_total: (user + system) / 1e6,
    process_resident_memory_bytes: rss,
    ergon_heap_used_bytes: heapUsed,
    ergon_event_loop_delay_seconds: loop.delayMs() / 1_000,
  }
}

export const poolFigures = {
  ergon_database_connections: {
    type: 'gauge',
    says: 'Connections of this process to its database that are in use, that are idle, and that may be open at most; and how many wait for one.',
    labels: ['state'],
  },
} as const

/** A pool as the driver counts it. */
export type CountedPool = {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
  readonly options: { readonly max: number }
}

export function tellPool({ totalCount, idleCount, waitingCount, options }: CountedPool): ToldOf<typeof poolFigures> {
  const states = { used: totalCount - idleCount, idle: idleCount, most: options.max, waiting: waitingCount }
  return { ergon_database_connections: samplesBy('state', Object.entries(states)) }
}
