import { localRoles, mintTestUsd } from '@ergon/contracts'
import { measureEscrowPairs, measureVerify } from '@ergon/facilitator/testing'
import { median } from '../measure/median.ts'
import { cpuMicroseconds } from '../measure/process-cpu.ts'
import type { Measured } from '../report.ts'
import { startBenchFacilitator, type BenchFacilitator, type Service } from './bench-facilitator.ts'

const inFlight = 32
const verifyRounds = 5
const verifies = { ours: 4_000, reference: 300 } as const
const pairRounds = 3
const pairs = 1_000

/** Verification side by side with the reference, then lock and release pairs through HTTP. */
export async function measureFacilitator(): Promise<Measured> {
  await using target = await startBenchFacilitator()
  return { ...(await measureVerifyRatio(target)), ...(await measureEscrow(target)) }
}

type Verified = { readonly perSecond: number; readonly cpuUs: number }

async function measureVerifyRatio(target: BenchFacilitator): Promise<Measured> {
  const sides = ['ours', 'reference'] as const
  for (const side of sides) await verify(target[side], verifies[side])
  const rounds: Record<(typeof sides)[number], Verified>[] = []
  for (let round = 0; round < verifyRounds; round += 1) {
    rounds.push({
      ours: await verify(target.ours, verifies.ours),
      reference: await verify(target.reference, verifies.reference),
    })
  }
  return {
    facilitator_verify_ratio: median(rounds.map(({ ours, reference }) => ours.perSecond / reference.perSecond)),
    facilitator_verify_cpu_ratio: median(rounds.map(({ ours, reference }) => reference.cpuUs / ours.cpuUs)),
    facilitator_verifies_per_second: median(rounds.map(({ ours }) => ours.perSecond)),
    reference_verifies_per_second: median(rounds.map(({ reference }) => reference.perSecond)),
  }
}

/** As many payments as requests: no side meets a payment twice. */
async function verify({ pid, url }: Service, requests: number): Promise<Verified> {
  const load = { requests, distinct: requests, inFlight }
  const before = cpuMicroseconds(pid)
  const { perSecond, failures } = await measureVerify(url, load)
  if (failures[0] !== undefined)
    throw new Error(`${failures.length} of ${requests} payments were not verified: ${failures[0]}`)
  return { perSecond, cpuUs: (cpuMicroseconds(pid) - before) / requests }
}

async function measureEscrow({ ours, rpcUrl }: BenchFacilitator): Promise<Measured> {
  const payer = localRoles.wallets[0]
  if (payer === undefined) throw new Error('there is no local wallet')
  await mintTestUsd(rpcUrl, payer.address, BigInt(pairs * (pairRounds + 1)) * 1_000_000n)
  const loads = []
  for (let round = 0; round <= pairRounds; round += 1) {
    const load = await measureEscrowPairs(ours.url, { pairs, inFlight })
    if (load.failures[0] !== undefined)
      throw new Error(`${load.failures.length} of ${pairs} pairs failed: ${load.failures[0]}`)
    if (round > 0) loads.push(load)
  }
  return {
    escrow_tasks_per_second: median(loads.map(({ perSecond }) => perSecond)),
    escrow_pair_p50_ms: median(loads.map(({ p50Ms }) => p50Ms)),
    escrow_pair_p99_ms: median(loads.map(({ p99Ms }) => p99Ms)),
  }
}
