import { mintTestUsd } from '@ergon/contracts'
import { setTimeout as pause } from 'node:timers/promises'
import type { ConstellationRecord } from '../../constellation/record.ts'
import { readBalances, type Balances, type Parties } from '../balances.ts'
import { receiptFault, type Ground } from '../chain-proof.ts'
import { dollars, type Narrator } from '../narrator.ts'
import { freshWallets, type Wallets } from '../play.ts'

/** What one further story proved: the moves of each party in atomic units, its transactions, and what is off. */
export type ChapterReport = {
  readonly name: string
  readonly ok: boolean
  readonly task_id: string
  readonly payer_delta: string
  readonly worker_delta: string
  readonly treasury_delta: string
  readonly txs: Readonly<Record<string, string | null>>
  readonly faults: readonly string[]
  readonly seconds: number
}

/** What a story is told with. */
export type Telling = {
  readonly record: ConstellationRecord
  readonly serverUrl: string
  readonly narrator: Narrator
  readonly bounty: bigint
  readonly groundOf: (parties: Pick<Parties, 'payer' | 'worker'>) => Ground
}

/** How a story went, and what the chain should show of it, in atomic units. */
export type Told = {
  readonly taskId: string
  readonly txs: Readonly<Record<string, string | null>>
  readonly expected: { readonly payer: bigint; readonly worker: bigint; readonly treasury: bigint }
}

/** One story: two fresh wallets, what they do, and what must have moved. */
export type Chapter = {
  readonly name: string
  readonly title: string
  tell(telling: Telling, wallets: Wallets): Promise<Told>
}

const treasuryPatienceMs = 60_000
const spareAtomic = 1_000_000n

/** Plays a story and holds every balance and every receipt against what it promises. */
export async function playChapter(chapter: Chapter, telling: Telling): Promise<ChapterReport> {
  const begun = performance.now()
  const wallets = freshWallets()
  const ground = telling.groundOf({ payer: wallets.publisher.address, worker: wallets.worker.address })
  telling.narrator.title(chapter.title)
  await mintTestUsd(telling.record.rpcUrl, ground.parties.payer, telling.bounty + spareAtomic)
  const before = await readBalances(ground.chain, ground.token, ground.parties)
  const told = await chapter.tell(telling, wallets)
  const after = await settled(ground, before, told)
  const faults = [...faultsOf(before, after, told), ...(await receiptFaults(ground, told))]
  const moved = (party: 'payer' | 'worker' | 'treasury'): bigint => after.usd[party] - before.usd[party]
  telling.narrator.table(
    ['change on chain, USDC', 'amount'],
    [
      ['publisher', dollars(moved('payer'))],
      ['worker', dollars(moved('worker'))],
      ['treasury', dollars(moved('treasury'))],
    ],
  )
  return {
    name: chapter.name,
    ok: faults.length === 0,
    task_id: told.taskId,
    payer_delta: String(moved('payer')),
    worker_delta: String(moved('worker')),
    treasury_delta: String(moved('treasury')),
    txs: told.txs,
    faults,
    seconds: Number(((performance.now() - begun) / 1_000).toFixed(3)),
  }
}

/** Fees are swept a moment after the capture. */
async function settled({ chain, token, parties }: Ground, before: Balances, { expected }: Told): Promise<Balances> {
  const deadline = Date.now() + treasuryPatienceMs
  for (;;) {
    const balances = await readBalances(chain, token, parties)
    if (balances.usd.treasury - before.usd.treasury >= expected.treasury || Date.now() > deadline) return balances
    await pause(100)
  }
}

function faultsOf(before: Balances, after: Balances, { expected }: Told): readonly string[] {
  const faults = (['payer', 'worker', 'treasury'] as const).flatMap((party) => {
    const moved = after.usd[party] - before.usd[party]
    return moved === expected[party]
      ? []
      : [`the change of the ${party} is ${String(moved)} and should be ${String(expected[party])}`]
  })
  const gas = (['payer', 'worker'] as const).flatMap((party) =>
    after.wei[party] === 0n ? [] : [`the ${party} has gas money`],
  )
  return [...faults, ...gas]
}

async function receiptFaults(ground: Ground, { txs }: Told): Promise<readonly string[]> {
  const faults = await Promise.all(
    Object.entries(txs).map(async ([name, hash]) => {
      const fault = hash === null ? 'was not named' : await receiptFault(ground, hash, () => true)
      return fault === undefined ? [] : [`${name} ${fault}`]
    }),
  )
  return faults.flat()
}
