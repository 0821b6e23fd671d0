import {
  mainnetChannelProgram,
  readChallenges,
  type ReadChallenge,
  type SessionNetwork,
  type VoucherSigner,
} from '@ergon/channels'
import { PaymentRefused } from './payment-refused.ts'

/** What a buyer agrees to, whatever a gateway asks. */
export type BuyerTerms = {
  readonly network: SessionNetwork
  readonly mint: string
  readonly channelProgram: string
  /** Atomic units, for one call. */
  readonly mostPrice: bigint
  readonly vouchers: VoucherSigner
  readonly payer: string
}

/** USDC of the main network. */
export const mainnetUsdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
export const usualProgram = mainnetChannelProgram
/** A gateway that is gone keeps a buyer's rest for so long at most. */
const mostGraceSec = 86_400

/**
 * The challenge of a 402 that a buyer may answer: of its network, token and program, within its price, and with a way
 * out that it lives to see.
 *
 * @throws PaymentRefused `terms_refused` with what is wrong.
 */
export function agreeOffer(response: Response, terms: BuyerTerms): ReadChallenge {
  const challenges = readChallenges(response.headers.get('www-authenticate') ?? '')
  const found = challenges.find(({ request }) => request.voucherSigner === terms.vouchers)
  if (found === undefined) throw refused(`asks for no payment whose vouchers the ${terms.vouchers} signs`)
  const { request } = found
  const faults: readonly (readonly [boolean, string])[] = [
    [request.network !== terms.network, `is paid on ${request.network}, not ${terms.network}`],
    [request.currency !== terms.mint, `is paid in the token ${request.currency}`],
    [request.channelProgram !== terms.channelProgram, `names the channel program ${request.channelProgram}`],
    [request.tokenProgram !== undefined, 'names a token program of its own'],
    [request.amount > terms.mostPrice, `asks ${request.amount} a call, and the most is ${terms.mostPrice}`],
    [request.amount <= 0n, 'asks nothing'],
    [request.gracePeriodSec > mostGraceSec, `keeps the rest for ${request.gracePeriodSec} seconds`],
    [request.operator === terms.payer || request.recipient === terms.payer, 'names the buyer as its operator'],
  ]
  const fault = faults.find(([isSo]) => isSo)
  if (fault !== undefined) throw refused(fault[1])
  return found
}

/** Who is paid: calls of one seller at one origin go out of one channel. */
export function sellerOf(url: string, { request }: ReadChallenge): string {
  const shares = request.splits.map(({ recipient, bps }) => `${recipient}:${bps}`)
  return [new URL(url).origin, request.recipient, ...shares].join(' ')
}

function refused(does: string): PaymentRefused {
  return new PaymentRefused('terms_refused', `the gateway ${does}`)
}
