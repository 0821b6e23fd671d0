import { mintTestUsd } from '@ergon/contracts'
import { lowerAddress } from '@ergon/protocols'
import { growHistory } from '@ergon/server/testing'
import { startBenchMarket, type BenchMarket } from '../market/bench-market.ts'
import { median } from '../measure/median.ts'
import { cpuMicroseconds, treeCpuMicroseconds } from '../measure/process-cpu.ts'
import type { Measured } from '../report.ts'
import { bountyUsd, createPair, playJob, type Pair } from './play-job.ts'

/** The jobs of a year, as rows. */
const yearOfJobs = 50_000
const pairs = 12
const jobsEach = 3
const rounds = 5
/** A process that has just started interprets what one in service has compiled: its first rounds cost twice as much. */
const warmRounds = 12
const parts = ['server', 'facilitator', 'postgres'] as const

type Cost = Readonly<Record<(typeof parts)[number], number>> & { readonly all: number; readonly perSecond: number }
type Ground = { readonly market: BenchMarket; readonly pairs: readonly Pair[]; readonly costs: Cost[] }

/**
 * Whole jobs, many at once: how many a second, and the CPU that server, facilitator and database spend on each; then
 * the same with the rows of a year behind them. Both deployments are up and take turns.
 */
export async function measureJobs(): Promise<Measured> {
  await using young = await startBenchMarket()
  await using aged = await startBenchMarket()
  await growHistory(aged.record.databases.server, yearOfJobs)
  const grounds = [await groundOf(young), await groundOf(aged)]
  for (let round = 0; round < warmRounds + rounds; round += 1) {
    for (const ground of grounds) {
      const cost = await playRound(ground)
      if (round >= warmRounds) ground.costs.push(cost)
    }
  }
  const [fresh = [], old = []] = grounds.map(({ costs }) => costs)
  const ms = (costs: readonly Cost[], part: (typeof parts)[number] | 'all'): number =>
    median(costs.map((cost) => cost[part])) / 1_000
  return {
    jobs_per_second: median(fresh.map(({ perSecond }) => perSecond)),
    job_server_cpu_ms: ms(fresh, 'server'),
    job_facilitator_cpu_ms: ms(fresh, 'facilitator'),
    job_database_cpu_ms: ms(fresh, 'postgres'),
    aged_jobs_per_second: median(old.map(({ perSecond }) => perSecond)),
    aged_job_server_cpu_ms: ms(old, 'server'),
    aged_job_facilitator_cpu_ms: ms(old, 'facilitator'),
    aged_job_database_cpu_ms: ms(old, 'postgres'),
    aged_share: median(fresh.map(({ all }, round) => all / (old[round]?.all ?? Number.NaN))),
  }
}

async function groundOf(market: BenchMarket): Promise<Ground> {
  const { chainId, rpcUrl } = market.record
  const made = await Promise.all(Array.from({ length: pairs }, () => createPair(market.market.url, chainId)))
  const needed = BigInt((warmRounds + rounds) * jobsEach * bountyUsd) * 1_000_000n
  for (const { payer } of made) await mintTestUsd(rpcUrl, lowerAddress(payer.address), needed)
  return { market, pairs: made, costs: [] }
}

async function playRound({ market, pairs: all }: Ground): Promise<Cost> {
  const before = cpuOf(market)
  const begun = performance.now()
  await Promise.all(
    all.map(async (pair) => {
      for (let job = 0; job < jobsEach; job += 1) await playJob(pair)
    }),
  )
  const seconds = (performance.now() - begun) / 1_000
  const after = cpuOf(market)
  const jobs = all.length * jobsEach
  const [server = 0, facilitator = 0, postgres = 0] = parts.map((part) => (after[part] - before[part]) / jobs)
  return { server, facilitator, postgres, all: server + facilitator + postgres, perSecond: jobs / seconds }
}

/** What each part has spent so far, microseconds; the database is many processes. */
function cpuOf({ record: { pids } }: BenchMarket): Readonly<Record<(typeof parts)[number], number>> {
  const pidOf = (part: (typeof parts)[number]): number => {
    const pid = pids[part]
    if (pid === undefined) throw new Error(`the constellation runs no ${part} of its own`)
    return pid
  }
  return {
    server: cpuMicroseconds(pidOf('server')),
    facilitator: cpuMicroseconds(pidOf('facilitator')),
    postgres: treeCpuMicroseconds(pidOf('postgres')),
  }
}
