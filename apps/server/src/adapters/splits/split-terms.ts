import { isSolanaAddress, type DirectPayment as SplitMessage } from '@ergon/channels'
import { MarketError, type Amount, type SplitTerms } from '@ergon/core'
import type { Network } from '@ergon/protocols'
import type { RpcLedger } from '@ergon/solana-ledger'
import type { FacilitatorClient } from '../facilitator/facilitator-client.ts'

export type SplitDeps = {
  readonly network: Network
  readonly ledger: Pick<RpcLedger, 'blockhash' | 'blockHeight' | 'account' | 'status'>
  /** Owner of the account that fees go to. */
  readonly treasury: string
  readonly facilitator: Pick<FacilitatorClient, 'get' | 'post'>
}

/** Two token accounts made, two transfers and a memo, with room to spare. */
const computeUnits = 150_000
/** Millionths of a lamport: a trifle that makes nobody wait for nothing. */
const computePrice = 1_000n

/** The one message that pays these terms, but for its blockhash. */
export function messageOf(
  { network, treasury }: Pick<SplitDeps, 'network' | 'treasury'>,
  terms: SplitTerms,
  { payer, feePayer }: { readonly payer: string; readonly feePayer: string },
): SplitMessage {
  if (!isSolanaAddress(payer))
    throw new MarketError('INVALID_PAYMENT_AUTH', { reason: 'the payer is an address of 32 bytes in base58' })
  if (payer === terms.worker || payer === treasury) throw new MarketError('SELF_PAYMENT_BLOCKED')
  const { address: mint, decimals } = tokenOf(network, terms.payout)
  const payees = [
    { owner: terms.worker, amount: terms.payout.atomic },
    { owner: treasury, amount: terms.fee.atomic },
  ].filter(({ amount }) => amount > 0n)
  return { payer, feePayer, mint, decimals, payees, reference: terms.submissionId, computeUnits, computePrice }
}

/** The x402 payment around a transaction; the same transaction always gives the same one. */
export function envelopeOf(network: Network, message: SplitMessage, transaction: string) {
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, payload: { transaction } },
    paymentRequirements: {
      scheme: 'split',
      network: network.caip2,
      asset: message.mint,
      payees: message.payees.map(({ owner, amount }) => ({ payTo: owner, amount: amount.toString() })),
      extra: {
        feePayer: message.feePayer,
        payer: message.payer,
        reference: message.reference,
        computeUnits: message.computeUnits,
        computePrice: message.computePrice.toString(),
      },
    },
  }
}

export function tokenOf(network: Network, { asset }: Amount): { readonly address: string; readonly decimals: number } {
  const token = network.tokens[asset.symbol]
  if (token === undefined)
    throw new MarketError('TOKEN_NOT_ACCEPTED', { network: network.name, accepted: Object.keys(network.tokens) })
  return token
}

/** What the ledger or the facilitator did not say is not known. */
export async function readable<T>(network: Network, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    if (cause instanceof MarketError) throw cause
    throw new MarketError('CHAIN_UNAVAILABLE', { network: network.name }, { cause })
  }
}
