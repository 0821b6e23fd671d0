import { localRoles, mintTestUsd } from '@ergon/contracts'
import { measureEscrowPairs, measureVerify, type Payer } from '@ergon/facilitator/testing'
import { addressOf, generatePrivateKey, hexToBytes, lowerAddress } from '@ergon/protocols'
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

/** One payer is a client that pays often; fifty are as many as a node has balances to read of. */
async function measureVerifyRatio(target: BenchFacilitator): Promise<Measured> {
  const one = await verifyRoundsOf(target, undefined)
  const fifty = await verifyRoundsOf(target, await fundPayers(target.rpcUrl, 50))
  const ratio = (rounds: readonly Round[]): number =>
    median(rounds.map(({ ours, reference }) => ours.perSecond / reference.perSecond))
  return {
    facilitator_verify_ratio: ratio(one),
    facilitator_verify_fifty_ratio: ratio(fifty),
    facilitator_verify_cpu_ratio: median(one.map(({ ours, reference }) => reference.cpuUs / ours.cpuUs)),
    facilitator_verifies_per_second: median(one.map(({ ours }) => ours.perSecond)),
    facilitator_verifies_fifty_per_second: median(fifty.map(({ ours }) => ours.perSecond)),
    reference_verifies_per_second: median(one.map(({ reference }) => reference.perSecond)),
    reference_verifies_fifty_per_second: median(fifty.map(({ reference }) => reference.perSecond)),
  }
}

const sides = ['ours', 'reference'] as const
type Round = Readonly<Record<(typeof sides)[number], Verified>>

async function verifyRoundsOf(
  target: BenchFacilitator,
  payers: readonly Payer[] | undefined,
): Promise<readonly Round[]> {
  for (const side of sides) await verify(target[side], verifies[side], payers)
  const rounds: Round[] = []
  for (let round = 0; round < verifyRounds; round += 1) {
    rounds.push({
      ours: await verify(target.ours, verifies.ours, payers),
      reference: await verify(target.reference, verifies.reference, payers),
    })
  }
  return rounds
}

async function fundPayers(rpcUrl: string, count: number): Promise<readonly Payer[]> {
  const payers: Payer[] = []
  for (let index = 0; index < count; index += 1) {
    const privateKey = generatePrivateKey()
    const address = lowerAddress(addressOf(hexToBytes(privateKey)))
    await mintTestUsd(rpcUrl, address, 1_000_000_000n)
    payers.push({ address, privateKey })
  }
  return payers
}

/** As many payments as requests: no side meets a payment twice. */
async function verify(
  { pid, url }: Service,
  requests: number,
  payers: readonly Payer[] | undefined,
): Promise<Verified> {
  const load = { requests, distinct: requests, inFlight, ...(payers === undefined ? {} : { payers }) }
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
