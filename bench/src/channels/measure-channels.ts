import { startBenchMarket } from '../market/bench-market.ts'
import type { Measured } from '../report.ts'
import { measureMeter } from './meter-latency.ts'
import { measureSettle } from './settle-units.ts'
import { measureTicks } from './tick-share.ts'

/** Work by the tick: what accepting a unit costs, and how soon those who watch the meter see it. */
export async function measureChannels(): Promise<Measured> {
  const server = { SVC_METER_STREAMS: '2000', SVC_METER_STREAMS_PER_ADDRESS: '2000' }
  await using target = await startBenchMarket({ solana: true, server })
  return { ...(await measureTicks(target)), ...(await measureMeter(target)), ...(await measureSettle()) }
}
