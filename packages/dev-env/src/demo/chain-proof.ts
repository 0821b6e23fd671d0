import { escrowAbi, operatorAbi, reputationRegistryAbi, sameAddress, tokenAbi, type Address } from '@ergon/protocols'
import { parseEventLogs, type PublicClient, type TransactionReceipt } from 'viem'
import type { Balances, Parties } from './balances.ts'
import type { Job } from './play.ts'

/** Where the money of the job moves. */
export type Ground = {
  readonly chain: PublicClient
  readonly token: Address
  readonly escrow: Address
  readonly reputation: Address
  readonly parties: Parties
  readonly bounty: bigint
  readonly hasEscrow: boolean
}

/** The worker's share and the operator's, by the rule of spec §1.8: the fee is rounded down. */
export function splitBounty(bounty: bigint): { readonly payout: bigint; readonly fee: bigint } {
  const fee = (bounty * 1_300n) / 10_000n
  return { payout: bounty - fee, fee }
}

/** What is off by the balances: nobody gained or lost anything but the payout, the fee and the bounty, and no gas. */
export function faultsOfBalances(before: Balances, after: Balances, bounty: bigint): readonly string[] {
  const { payout, fee } = splitBounty(bounty)
  const moved = (party: keyof Parties): bigint => after.usd[party] - before.usd[party]
  const faults: string[] = []
  const expect = (what: string, actual: bigint, expected: bigint): void => {
    if (actual !== expected) faults.push(`${what} is ${String(actual)} and should be ${String(expected)}`)
  }
  expect('the change of the payer', moved('payer'), -bounty)
  expect('the change of the worker', moved('worker'), payout)
  // Fees that were collected before and swept together with these are the operator's loss.
  expect('the change of the treasury', moved('treasury'), fee - moved('operator'))
  if (moved('operator') > 0n) faults.push(`the operator keeps ${String(moved('operator'))} that belong to the treasury`)
  for (const party of ['payer', 'worker'] as const) expect(`the gas money of the ${party}`, after.wei[party], 0n)
  return faults
}

/** What is off by the receipts: each transaction succeeded, with its event, and was sent by neither of the two. */
export async function faultsOfTransactions(ground: Ground, job: Job): Promise<readonly string[]> {
  const checks: Readonly<Record<keyof Job['txs'], (receipt: TransactionReceipt) => boolean>> = ground.hasEscrow
    ? escrowChecks(ground, job)
    : directChecks(ground, job)
  const faults: string[] = []
  for (const [name, check] of Object.entries(checks)) {
    // The keys of `checks` are those of `txs`.
    const hash = job.txs[name as keyof Job['txs']]
    if (hash === null && name === 'authorize' && !ground.hasEscrow) continue
    const fault = hash === null ? 'was not named' : await receiptFault(ground, hash, check)
    if (fault !== undefined) faults.push(`${name} ${fault}`)
  }
  return faults
}

/** What is off by one receipt, or undefined: it succeeded, neither party paid for it, and it shows what it should. */
export async function receiptFault(
  { chain, parties }: Ground,
  hash: string,
  check: (receipt: TransactionReceipt) => boolean,
): Promise<string | undefined> {
  // A hash of the service's answer; a malformed one finds no receipt.
  const receipt = await chain.getTransactionReceipt({ hash: hash as Address }).catch(() => undefined)
  if (receipt === undefined) return `${hash} is not on chain`
  if (receipt.status !== 'success') return `${hash} was reverted`
  if (sameAddress(receipt.from, parties.payer) || sameAddress(receipt.from, parties.worker))
    return `${hash} was paid for by a party`
  return check(receipt) ? undefined : `${hash} lacks its event`
}

type Checks = Readonly<Record<keyof Job['txs'], (receipt: TransactionReceipt) => boolean>>

function escrowChecks(ground: Ground, job: Job): Checks {
  const { parties, escrow, token, bounty } = ground
  const { payout, fee } = splitBounty(bounty)
  return {
    ...ratingChecks(ground, job),
    authorize: ({ logs }) =>
      parseEventLogs({ abi: escrowAbi, logs, eventName: 'PaymentAuthorized' }).some(
        ({ address, args }) =>
          sameAddress(address, escrow) &&
          args.amount === bounty &&
          sameAddress(args.paymentInfo.payer, parties.payer) &&
          sameAddress(args.paymentInfo.receiver, parties.worker),
      ),
    release: (receipt) =>
      parseEventLogs({ abi: escrowAbi, logs: receipt.logs, eventName: 'PaymentCaptured' }).some(
        ({ address, args }) => sameAddress(address, escrow) && args.amount === bounty && args.feeBps === 1_300,
      ) && paid(receipt, token, parties.worker, payout),
    distribute_fees: ({ logs }) =>
      parseEventLogs({ abi: operatorAbi.legacy, logs, eventName: 'FeesDistributed' }).some(
        ({ address, args }) =>
          sameAddress(address, parties.operator) &&
          sameAddress(args.token, token) &&
          args.arbiterAmount + args.protocolAmount >= fee,
      ),
  }
}

function directChecks(ground: Ground, job: Job): Checks {
  const { parties, token, bounty } = ground
  const { payout, fee } = splitBounty(bounty)
  return {
    ...ratingChecks(ground, job),
    authorize: () => false,
    release: (receipt) => paid(receipt, token, parties.worker, payout, parties.payer),
    distribute_fees: (receipt) => paid(receipt, token, parties.treasury, fee, parties.payer),
  }
}

function ratingChecks(
  { reputation, parties }: Ground,
  { scores, ratedBy }: Job,
): Pick<Checks, 'rate_worker' | 'rate_publisher'> {
  const rated =
    (rater: Address, score: number) =>
    ({ logs, from }: TransactionReceipt): boolean =>
      parseEventLogs({ abi: reputationRegistryAbi, logs, eventName: 'NewFeedback' }).some(
        ({ address, args }) =>
          sameAddress(address, reputation) &&
          sameAddress(args.clientAddress, ratedBy === 'the relayer' ? from : rater) &&
          args.value === BigInt(score) &&
          args.valueDecimals === 0,
      )
  return { rate_worker: rated(parties.payer, scores.worker), rate_publisher: rated(parties.worker, scores.publisher) }
}

function paid({ logs }: TransactionReceipt, token: Address, to: Address, value: bigint, from?: Address): boolean {
  return parseEventLogs({ abi: tokenAbi, logs, eventName: 'Transfer' }).some(
    ({ address, args }) =>
      sameAddress(address, token) &&
      sameAddress(args.to, to) &&
      args.value === value &&
      (from === undefined || sameAddress(args.from, from)),
  )
}
