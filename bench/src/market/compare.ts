import { drive, type PreparedRequest } from '../load/drive.ts'
import { median } from '../measure/median.ts'
import { cpuMicroseconds } from '../measure/process-cpu.ts'
import type { BenchMarket, Side } from './bench-market.ts'

export type Prepare = (side: Side, count: number) => Promise<readonly PreparedRequest[]> | readonly PreparedRequest[]
export type Comparison = {
  readonly prepare: { readonly market: Prepare; readonly bare: Prepare }
  readonly perRound: number
  readonly rounds: number
  readonly status: number
}
export type Compared = {
  /** CPU of the bare route over CPU of ours, the median of the rounds. */
  readonly share: number
  readonly cpuUs: { readonly market: number; readonly bare: number }
  readonly perSecond: { readonly market: number; readonly bare: number }
}

const connections = 50
const sideNames = ['bare', 'market'] as const

/** Both sides get the same load in turn; what happens to the machine meanwhile happens to both. */
export async function compare(target: BenchMarket, comparison: Comparison): Promise<Compared> {
  const cpuUs: Record<'market' | 'bare', number[]> = { market: [], bare: [] }
  const perSecond: Record<'market' | 'bare', number[]> = { market: [], bare: [] }
  for (let round = 0; round <= comparison.rounds; round += 1) {
    for (const name of sideNames) {
      const side = target[name]
      const requests = await comparison.prepare[name](side, comparison.perRound)
      const before = cpuMicroseconds(side.pid)
      const { seconds } = await drive(side.url, requests, { connections, status: comparison.status })
      if (round === 0) continue // warms the compilers and the caches
      cpuUs[name].push((cpuMicroseconds(side.pid) - before) / requests.length)
      perSecond[name].push(requests.length / seconds)
    }
  }
  const shares = cpuUs.bare.map((bare, round) => bare / (cpuUs.market[round] ?? Number.NaN))
  return {
    share: median(shares),
    cpuUs: { market: median(cpuUs.market), bare: median(cpuUs.bare) },
    perSecond: { market: median(perSecond.market), bare: median(perSecond.bare) },
  }
}
