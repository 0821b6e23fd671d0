import type { PreparedRequest } from '../load/drive.ts'
import type { Measured } from '../report.ts'
import type { BenchMarket } from './bench-market.ts'
import { compare } from './compare.ts'

const pageSize = 20

/** Pages of twenty from all over the market, nobody signed in, against the same keyset query on a bare route. */
export async function measureList(target: BenchMarket, cursors: readonly string[]): Promise<Measured> {
  const spread = (count: number, pathOf: (cursor: string) => string): PreparedRequest[] =>
    Array.from({ length: count }, (_, index) => ({
      method: 'GET',
      path: pathOf(cursors[(index * 31) % cursors.length] ?? ''),
      headers: {},
    }))
  const { share, cpuUs, perSecond } = await compare(target, {
    prepare: {
      market: (_side, count) =>
        spread(count, (cursor) => `/api/v1/tasks?status=published&limit=${pageSize}&cursor=${cursor}`),
      bare: (_side, count) => spread(count, (cursor) => `/tasks?cursor=${cursor}`),
    },
    perRound: 2_500,
    rounds: 9,
    status: 200,
  })
  return {
    list_share: share,
    list_cpu_us: cpuUs.market,
    bare_list_cpu_us: cpuUs.bare,
    lists_per_second: perSecond.market,
    bare_lists_per_second: perSecond.bare,
  }
}
