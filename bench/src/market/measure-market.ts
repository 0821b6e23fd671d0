import { setTimeout as pause } from 'node:timers/promises'
import { residentMib } from '../measure/process-cpu.ts'
import type { Measured } from '../report.ts'
import { startBenchMarket } from './bench-market.ts'
import { measureList } from './list.ts'
import { measureMixed } from './mixed.ts'
import { measurePublish } from './publish.ts'
import { seedTasks } from './seed.ts'

const tasks = 100_000
const idleMs = 5_000

/** Memory of the idle server, then lists and publishes over a market of a hundred thousand tasks. */
export async function measureMarket(): Promise<Measured> {
  await using target = await startBenchMarket()
  await pause(idleMs) // The figure is asked for after five idle seconds.
  const rss_mib = residentMib(target.market.pid)
  const cursors = await seedTasks(target.database, tasks)
  return {
    ...(await measurePublish(target)),
    ...(await measureList(target, cursors)),
    ...(await measureMixed(target, cursors)),
    rss_mib,
    rss_after_load_mib: residentMib(target.market.pid),
  }
}
