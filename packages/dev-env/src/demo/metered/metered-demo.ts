import { localKeys } from '@ergon/solana-ledger'
import type { ConstellationRecord } from '../../constellation/record.ts'
import { giveLocalDollars } from '../../solana/local-dollars.ts'
import { dollars, type Narrator } from '../narrator.ts'
import { freshWallets } from '../play.ts'
import { foreignBalances, type MeteredBalances } from './foreign-balances.ts'
import { openMeteredStage, playMetered, type MeteredJob, type MeteredTerms } from './play-metered.ts'

/** What the metered demo proved, as its last line says it; amounts are atomic, in decimal. */
export type MeteredReport = {
  readonly ok: boolean
  readonly mode: 'channel'
  readonly task_id: string
  readonly channel_id: string
  readonly units: number
  readonly price_atomic: string
  readonly cap_atomic: string
  readonly consumed_atomic: string
  readonly worker_delta: string
  readonly treasury_delta: string
  readonly payer_delta: string
  /** How many different readings of the meter were shown while it ran. */
  readonly readings: number
  readonly txs: { readonly settle: string | null }
  readonly rpc_url: string
  readonly token: string
  readonly seconds: number
}

export type MeteredOutcome = { readonly report: MeteredReport; readonly faults: readonly string[] }

const units = 12
/** A scan costs the twentieth part of the cap, so that something comes back. */
const unitsOfCap = 20n

/** Plays a metered job on a running constellation and holds the ledger's figures against the rule. */
export async function runMeteredDemo(
  record: ConstellationRecord,
  cap: bigint,
  narrator: Narrator,
): Promise<MeteredOutcome> {
  const begun = performance.now()
  const { serverUrl, solana, chainId } = record
  if (serverUrl === undefined || solana === undefined)
    throw new Error('the constellation runs without its server, or without its Solana ledger')
  narrator.title(`One metered job, two wallets, a real Solana machine (${serverUrl}, ledger ${solana.rpcUrl})`)
  const terms: MeteredTerms = { price: cap / unitsOfCap, cap, units }
  const { mint } = solana
  const stage = openMeteredStage({ serverUrl, chainId, wallets: freshWallets(), narrator, mint, terms })
  const parties = {
    payer: stage.keys.payer.address,
    worker: stage.keys.worker.address,
    treasury: localKeys.operator.address,
  }
  await giveLocalDollars(solana, parties.payer, cap)
  await giveLocalDollars(solana, parties.worker, 0n)
  narrator.step('Two fresh wallets, each with a fresh key on Solana; the publisher gets test dollars, nobody has SOL')
  narrator.detail('payer', parties.payer)
  const read = foreignBalances(solana.rpcUrl, mint, parties)
  const before = await read()
  const job = await playMetered(stage)
  const after = await read()
  tell(narrator, before, after)
  const consumed = terms.price * BigInt(units)
  const faults = faultsOf(before, after, job, consumed)
  const moved = (party: keyof MeteredBalances['usd']): string => String(after.usd[party] - before.usd[party])
  const report: MeteredReport = {
    ok: faults.length === 0,
    mode: 'channel',
    task_id: job.taskId,
    channel_id: job.channelId,
    units,
    price_atomic: String(terms.price),
    cap_atomic: String(cap),
    consumed_atomic: String(consumed),
    worker_delta: moved('worker'),
    treasury_delta: moved('treasury'),
    payer_delta: moved('payer'),
    readings: job.readings.length,
    txs: { settle: job.settlementTx },
    rpc_url: solana.rpcUrl,
    token: mint,
    seconds: Number(((performance.now() - begun) / 1_000).toFixed(3)),
  }
  return { report, faults }
}

/** 87 and 13 percent, each rounded down; what is left over goes to the program's treasury. */
function faultsOf(
  before: MeteredBalances,
  after: MeteredBalances,
  { final, readings, settlementTx }: MeteredJob,
  consumed: bigint,
): readonly string[] {
  const expected = {
    payer: -consumed,
    worker: (consumed * 8_700n) / 10_000n,
    treasury: (consumed * 1_300n) / 10_000n,
  }
  const balances = (['payer', 'worker', 'treasury'] as const).flatMap((party) => {
    const moved = after.usd[party] - before.usd[party]
    return moved === expected[party]
      ? []
      : [`the change of the ${party} is ${String(moved)} and should be ${String(expected[party])}`]
  })
  const sol = (['payer', 'worker'] as const).flatMap((party) =>
    after.lamports[party] === 0n ? [] : [`the ${party} has SOL`],
  )
  return [
    ...balances,
    ...sol,
    ...(final.consumed_uusdc === Number(consumed) ? [] : [`the meter ends at ${String(final.consumed_uusdc)}`]),
    ...(readings.length > 1 ? [] : ['the meter was not seen to move']),
    ...(settlementTx === null ? ['no settlement was named'] : []),
  ]
}

function tell(narrator: Narrator, before: MeteredBalances, after: MeteredBalances): void {
  const rows = (
    [
      ['payer', 'publisher'],
      ['worker', 'worker'],
      ['treasury', 'treasury'],
    ] as const
  ).map(([party, name]) => {
    const change = after.usd[party] - before.usd[party]
    const sign = change > 0n ? '+' : ''
    return [`${name}, USDC`, dollars(before.usd[party]), dollars(after.usd[party]), `${sign}${dollars(change)}`]
  })
  narrator.table(['balance on the ledger, by @solana/kit', 'before', 'after', 'change'], rows)
}

/** The closing sentence for a person. */
export function meteredVerdict(report: MeteredReport, faults: readonly string[]): string {
  if (faults.length > 0) return `Something is off:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`
  const back = BigInt(report.cap_atomic) - BigInt(report.consumed_atomic)
  return (
    `Every figure agrees with the ledger: ${String(report.units)} scans, ` +
    `${dollars(BigInt(report.worker_delta))} to the worker, ` +
    `${dollars(BigInt(report.treasury_delta))} to the treasury, ${dollars(back)} back to the publisher, ` +
    `no SOL for either; ${report.seconds.toFixed(1)} s`
  )
}
