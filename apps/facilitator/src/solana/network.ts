import type { Network } from '@ergon/protocols'
import { createRpcLedger, LedgerUnavailable, readMint, type RpcLedger } from '@ergon/solana-ledger'
import { tokenProgram } from '@ergon/channels'
import { StartupError } from '../errors.ts'
import type { GasBook } from '../gas/gas-book.ts'
import type { GasLimits, GasOfDay } from '../gas/gas-budget.ts'
import type { BlockCheck } from '../http/context.ts'
import type { SolanaIntents } from '../store/solana-intents.ts'
import { forgetInSteps } from '../surroundings/forget-in-steps.ts'
import { remembered } from '../surroundings/remembered.ts'
import { every, type Surroundings } from '../surroundings/surroundings.ts'
import type { SolanaTerms } from './payment.ts'
import { createSolanaSettler, solanaAddressOf, type SolanaSettler } from './settler.ts'
import { createSolBudget } from './sol-budget.ts'
import { createSolanaTracker, type SolanaPace } from './tracker.ts'

/** A Solana cluster as the settings name it. */
export type SolanaConfig = {
  readonly row: Network
  readonly rpcUrls: readonly string[]
  /** How many nodes have to say the same before it is believed. */
  readonly witnesses: number
  /** Lamports a payment may offer for priority. */
  readonly mostPriority: bigint
  /** Lamports of a UTC day; undefined counts nothing. */
  readonly perDay: GasLimits | undefined
  /** Lamports below which health says so. */
  readonly alarmBelow: bigint
  /** Atomic units. */
  readonly smallest: bigint
}

export type SolanaDeps = {
  readonly config: SolanaConfig
  readonly seed: Uint8Array
  readonly timeoutMs: number
  readonly store: SolanaIntents
  readonly book: GasBook
  readonly lease: { readonly epoch: number; readonly lost: (error: Error) => void }
  readonly check: BlockCheck
  readonly surroundings: Surroundings
  readonly onTrouble: (message: string, error: unknown) => void
  readonly pace?: SolanaPace
}

/** The Solana cluster this process settles on. */
export type SolanaNetwork = AsyncDisposable & {
  readonly terms: SolanaTerms
  readonly settler: SolanaSettler
  standing(): Promise<SolanaStanding>
  /** Undefined: nothing is counted. */
  today(): Promise<GasOfDay> | undefined
}

export type SolanaStanding = {
  readonly network: string
  readonly account: string
  /** Lamports; null when no node can be believed. */
  readonly sol_balance: string | null
  readonly sol_low: boolean
  /** Cannot pay for one more payment. */
  readonly out_of_sol: boolean
  readonly nodes: { readonly all: number; readonly answering: number }
  readonly under_way: number
}

const usualPace: SolanaPace = { pollMs: 200, resendMs: 2_000, patienceMs: 60_000 }
const takeUpEveryMs = 5_000
const rememberMs = 5_000
/** Two signatures and the rent of a token account. */
const dearestUsualPayment = 2_049_280n

/** Connects a cluster and takes up what an earlier process left. @throws StartupError naming what is wrong */
export async function connectSolana(deps: SolanaDeps): Promise<SolanaNetwork> {
  const { config, seed, surroundings, store, onTrouble } = deps
  const { row } = config
  const usdc = row.tokens['USDC']
  if (usdc === undefined || row.genesisHash === undefined)
    throw new StartupError(`${row.name} has no USDC or no genesis`)
  const feePayer = solanaAddressOf(seed)
  const ledger = createRpcLedger({
    urls: config.rpcUrls,
    genesisHash: row.genesisHash,
    witnesses: config.witnesses,
    timeoutMs: deps.timeoutMs,
    onTrouble: (message) => {
      onTrouble(message, undefined)
    },
  })
  await checkMint(ledger, usdc.address, usdc.decimals, onTrouble)
  const { name, caip2 } = row
  const terms = { name, caip2, feePayer, mint: usdc.address, decimals: usdc.decimals, smallest: config.smallest }
  const pace = deps.pace ?? usualPace
  const tracker = createSolanaTracker({ ledger, store, network: name, surroundings, pace, onTrouble })
  await tracker.resume()
  const budget = config.perDay === undefined ? undefined : createSolBudget(config.perDay, deps.book)
  const settler = createSolanaSettler({
    terms,
    mostPriority: config.mostPriority,
    seed,
    ledger,
    store,
    tracker,
    budget,
    epoch: deps.lease.epoch,
    onFenced: deps.lease.lost,
    check: deps.check,
    surroundings,
  })
  const stops = [
    // A row whose writing was not answered is kept like any other.
    every(surroundings, takeUpEveryMs, () => tracker.resume()),
    forgetInSteps(surroundings, (limit) => store.purge(limit)),
  ]
  const balance = remembered(surroundings, rememberMs, () =>
    ledger.account(feePayer).then(
      (account) => account?.lamports ?? 0n,
      () => undefined,
    ),
  )
  return {
    terms,
    settler,
    standing: async () => standingOf(await balance(), { terms, ledger, underWay: tracker.size, config }),
    today: () => budget?.today(),
    [Symbol.asyncDispose]: async () => {
      for (const stop of stops) stop()
      tracker.stop()
    },
  }
}

/** A mint that is none of SPL Token's is a mistake of whoever set it up; a cluster that is silent is waited for. */
async function checkMint(
  ledger: RpcLedger,
  mint: string,
  decimals: number,
  onTrouble: SolanaDeps['onTrouble'],
): Promise<void> {
  try {
    const account = await ledger.account(mint)
    const found = account?.owner === tokenProgram ? readMint(account.data)?.decimals : undefined
    if (found === undefined) throw new StartupError(`${mint} is no mint of SPL Token on this Solana cluster`)
    if (found !== decimals)
      throw new StartupError(`the mint ${mint} has ${String(found)} decimals, not ${String(decimals)}`)
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error
    onTrouble('no node of Solana can be believed yet: payments there are answered with rpc_unavailable', error)
  }
}

function standingOf(
  balance: bigint | undefined,
  of: {
    readonly terms: SolanaTerms
    readonly ledger: RpcLedger
    readonly underWay: number
    readonly config: SolanaConfig
  },
): SolanaStanding {
  return {
    network: of.terms.name,
    account: of.terms.feePayer,
    sol_balance: balance?.toString() ?? null,
    sol_low: balance !== undefined && balance < of.config.alarmBelow,
    out_of_sol: balance !== undefined && balance < dearestUsualPayment,
    nodes: of.ledger.standing(),
    under_way: of.underWay,
  }
}
