import type { PreparedRequest } from '../load/drive.ts'
import { startBenchMarket } from '../market/bench-market.ts'
import { compare, type Compared } from '../market/compare.ts'
import { seedTasks } from '../market/seed.ts'
import type { Measured } from '../report.ts'

const tasks = 10_000
const headers = { 'content-type': 'application/json' }

/**
 * `tasks/get` in both dialects, nobody signed in, against a bare JSON-RPC route with one keyed query on the same
 * database.
 */
export async function measureA2a(): Promise<Measured> {
  await using target = await startBenchMarket()
  const ids = await seedTasks(target.database, tasks)
  const against = (parameter: 'task_id' | 'id'): Promise<Compared> =>
    compare(target, {
      prepare: {
        market: (_side, count) => calls(ids, count, parameter),
        bare: (_side, count) => calls(ids, count, 'task_id'),
      },
      perRound: 2_500,
      rounds: 9,
      status: 200,
    })
  const [record, object] = [await against('task_id'), await against('id')]
  return {
    a2a_share: record.share,
    a2a_cpu_us: record.cpuUs.market,
    bare_a2a_cpu_us: record.cpuUs.bare,
    a2a_per_second: record.perSecond.market,
    bare_a2a_per_second: record.perSecond.bare,
    a2a_object_share: object.share,
    a2a_object_cpu_us: object.cpuUs.market,
  }
}

function calls(ids: readonly string[], count: number, parameter: 'task_id' | 'id'): readonly PreparedRequest[] {
  return Array.from({ length: count }, (_, index) => ({
    method: 'POST',
    path: '/a2a',
    headers,
    body: Buffer.from(
      JSON.stringify({
        jsonrpc: '2.0',
        id: index,
        method: 'tasks/get',
        params: { [parameter]: ids[(index * 31) % ids.length] },
      }),
    ),
  }))
}
