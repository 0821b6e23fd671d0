import type { Caller, WalletCaller } from '../caller.ts'
import {
  cashOutLimits,
  claimedCashOut,
  nonceUsed,
  orderOf,
  requireSameWords,
  requireSendable,
  requireShortlyValid,
  requireWorthSending,
  unsent,
  type CashOut,
  type CashOutWords,
  type Sendable,
} from '../cash-outs/cash-out.ts'
import { MarketError } from '../errors.ts'
import { parseUsd, type Asset } from '../money/amount.ts'
import { assetOn, networkNamed } from '../network.ts'
import { emptyPage, type Page, type PageRequest } from '../page.ts'
import { requireBalanceOf } from './approve.ts'
import { payCashOut } from './carry-cash-out.ts'
import type { MarketDeps } from './deps.ts'
import { requireNotBanned } from './set-ban.ts'

export type CashOutInput = {
  readonly network: string
  readonly token: string
  readonly to: string
  readonly amountUsd: string
  readonly validBefore: bigint
  readonly nonce: string
  readonly signature: string
}

/** Of the newest of a wallet, which has three a day. */
const looked = 20

/**
 * Sends money of the calling wallet on, by what it signed: claim, pay, confirm. What costs anything, a signature to
 * check or a chain to read, is asked after what the books know. The same nonce again answers what became of it.
 */
export async function cashOut(deps: MarketDeps, caller: WalletCaller, input: CashOutInput): Promise<CashOut> {
  const perDay = deps.settings.cashOutsPerDay ?? 0
  const words = wordsOf(deps, input)
  const { wallet } = caller
  const earlier = await deps.store.cashOut(wallet, words.nonce)
  if (earlier !== null) return answered(earlier, words)
  if (perDay === 0) throw switchedOff()
  const fresh = await claimed(deps, { ...words, from: wallet, signature: input.signature }, perDay)
  if (!(fresh instanceof MarketError)) return payCashOut(deps, fresh)
  // A twin of this request may have claimed it, and even paid it, since the books were read: what is missing then is
  // what the twin sends.
  const first = await deps.store.cashOut(wallet, words.nonce)
  if (first !== null) return answered(first, words)
  throw fresh.code === 'INSUFFICIENT_FUNDS' && (await isSending(deps, wallet, words)) ? inFlight() : fresh
}

type Signed = CashOutWords & { readonly from: string; readonly signature: string }

/** The row that is to be paid now, or why there is none. */
async function claimed(deps: MarketDeps, signed: Signed, perDay: number): Promise<CashOut | MarketError> {
  const { from, amount, validBefore } = signed
  try {
    requireWorthSending(amount)
    requireShortlyValid(validBefore, deps.clock.now())
    const [known] = await deps.store.sendableOf(from, [amount.asset])
    requireSendable(known?.atomic ?? 0n, amount)
    const transfer = await deps.signatures.readCashOut(signed)
    await requireNotBanned(deps, transfer.to)
    await requireBalanceOf(deps, from, amount)
    const fresh = claimedCashOut(deps.ids.next(), deps.clock.now(), transfer)
    if (await isUsedOnChain(deps, fresh)) return nonceUsed(signed.nonce)
    return (await claim(deps, fresh, perDay)) ? fresh : inFlight()
  } catch (error) {
    if (error instanceof MarketError) return error
    throw error
  }
}

/** Whether another of the token is on its way: one at a time, so it is among the newest. */
async function isSending({ store }: MarketDeps, wallet: string, { network, amount }: CashOutWords): Promise<boolean> {
  const { rows } = await store.cashOutsOf(wallet, { limit: looked, offset: 0, cursor: null })
  return rows.some(
    ({ status, transfer }) =>
      (status === 'claimed' || status === 'in_doubt') &&
      transfer.network === network &&
      transfer.amount.asset.symbol === amount.asset.symbol,
  )
}

/** One of the caller's own. @throws NOT_FOUND */
export async function readCashOut(deps: MarketDeps, caller: WalletCaller, nonce: string): Promise<CashOut> {
  const found = await deps.store.cashOut(caller.wallet, nonce.toLowerCase())
  if (found === null) throw new MarketError('NOT_FOUND', { nonce }, { message: 'There is no cash-out of this nonce.' })
  return found
}

export type CashOuts = { readonly page: Page<CashOut>; readonly sendable: readonly Sendable[] }

/** Those of a wallet, and what it may send now. */
export async function cashOuts(deps: MarketDeps, caller: Caller, page: PageRequest): Promise<CashOuts> {
  if (caller.kind === 'anonymous') return { page: emptyPage(page), sendable: [] }
  const { wallet } = caller
  const isOff = (deps.settings.cashOutsPerDay ?? 0) === 0
  const sendable = isOff ? [] : await deps.store.sendableOf(wallet, assetsOf(deps))
  return { page: await deps.store.cashOutsOf(wallet, page), sendable: sendable.filter(({ atomic }) => atomic > 0n) }
}

/** A network without a chain id has no EIP-3009. */
const assetsOf = ({ networks }: MarketDeps): readonly Asset[] =>
  networks
    .filter(({ chainId }) => chainId !== null)
    .flatMap((network) => Object.keys(network.tokens).map((symbol) => assetOn(network, symbol)))

function wordsOf({ networks }: MarketDeps, input: CashOutInput): CashOutWords {
  const asset = assetOn(networkNamed(networks, input.network), input.token)
  const { network, to, validBefore } = input
  return { network, to, validBefore, nonce: input.nonce.toLowerCase(), amount: parseUsd(input.amountUsd, asset) }
}

function answered(earlier: CashOut, words: CashOutWords): CashOut {
  requireSameWords(earlier, words)
  if (earlier.status === 'refused') throw unsent(earlier)
  return earlier
}

/** What the chain has of the nonce already is no cash-out to be made. @throws CHAIN_UNAVAILABLE */
async function isUsedOnChain(deps: MarketDeps, fresh: CashOut): Promise<boolean> {
  const found = await deps.rails(fresh.transfer.network).find(orderOf(fresh))
  return found.state === 'landed' || found.isDead === true
}

/**
 * False when another is in its way. The counts are taken first: they keep a second cash-out of the wallet waiting, so
 * that both are never measured against the same earnings.
 */
async function claim(deps: MarketDeps, fresh: CashOut, perDay: number): Promise<boolean> {
  const { from, to, amount } = fresh.transfer
  const { perWalletDay, perAddressDay } = cashOutLimits
  const dueAt = new Date(fresh.createdAt.getTime() + deps.settings.leaseMs)
  try {
    await deps.store.transaction(async (tx) => {
      await tx.countCashOut({ wallet: from, to, perWalletDay, perAddressDay, perDay })
      requireSendable(await tx.sendable(from, amount.asset), amount)
      if (!(await tx.insertCashOut(fresh, dueAt))) throw new InTheWay()
    })
    return true
  } catch (error) {
    if (error instanceof InTheWay) return false
    throw error
  }
}

/** Undoes the counts. */
class InTheWay extends Error {}

function switchedOff(): MarketError {
  return new MarketError('FEATURE_DISABLED', {}, { message: 'This deployment sends nothing on without gas.' })
}

function inFlight(): MarketError {
  return new MarketError(
    'APPROVAL_IN_FLIGHT',
    {},
    { message: 'A cash-out of this token is on its way. Read it before you sign another.' },
  )
}
