import {
  decodeTransaction,
  directPaymentInstructions,
  encodeTransaction,
  isSolanaAddress,
  unsignedTransaction,
  verifyDirectPayment,
} from '@ergon/channels'
import { MarketError, type DirectPayment, type SplitPayments, type SplitTerms } from '@ergon/core'
import { base64ToBytes, bytesToBase64, bytesToHex, ProtocolError, sha256 } from '@ergon/protocols'
import { isRecord } from '../chain/rpc.ts'
import { namingPrice } from '../signatures/naming-price.ts'
import { envelopeOf, messageOf, readable, tokenOf, type SplitDeps } from './split-terms.ts'

/** A blockhash is good for 150 blocks, about a minute. */
const signWithinMs = 55_000
const askMs = 5_000
const mostChars = 8_192

/** Bounties on Solana: the transaction is built here, signed by its payer, and the facilitator pays its fee. */
export function createSplitPayments(deps: SplitDeps): SplitPayments {
  const { network, ledger } = deps
  const feePayer = rememberedFeePayer(deps)
  return {
    network: network.name,
    async challenge(terms, payer, now) {
      const message = messageOf(deps, terms, { payer, feePayer: await feePayer() })
      const { blockhash, lastValidBlockHeight } = await readable(network, () => ledger.blockhash())
      const unsigned = unsignedTransaction(message.feePayer, blockhash, directPaymentInstructions(message))
      return {
        payer,
        envelope: envelopeOf(network, message, bytesToBase64(encodeTransaction(unsigned))),
        lastValidBlockHeight,
        expiresAt: new Date(now.getTime() + signWithinMs),
      }
    },
    async read(raw, terms) {
      const wire = wireIn(raw)
      const asked = { ...terms.payout, atomic: terms.payout.atomic + terms.fee.atomic }
      const payer = await feePayer()
      return namingPrice(asked, () => Promise.resolve(paymentOf(deps, wire, terms, payer)))
    },
  }
}

function paymentOf(deps: SplitDeps, wire: Uint8Array, terms: SplitTerms, feePayer: string): DirectPayment {
  const { network, treasury } = deps
  try {
    const payer = decodeTransaction(wire).message.signers.find((address) => address !== feePayer) ?? ''
    const message = messageOf(deps, terms, { payer, feePayer })
    const { messageBytes } = verifyDirectPayment(wire, message)
    return {
      network: network.name,
      amount: terms.payout,
      token: tokenOf(network, terms.payout).address,
      from: payer,
      to: terms.worker,
      validAfter: 0n,
      validBefore: 0n,
      nonce: bytesToHex(sha256(messageBytes)),
      signature: bytesToBase64(wire),
      ...(terms.fee.atomic === 0n ? {} : { alongside: { to: treasury, amount: terms.fee } }),
    }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    if (error.code === 'signature') throw new MarketError('INVALID_SIGNATURE')
    throw new MarketError('INVALID_PAYMENT_AUTH', { reason: error.message }, { cause: error })
  }
}

/** The transaction in the envelope of a challenge, or in the payload alone. */
function wireIn(raw: string): Uint8Array {
  const value = raw.length > mostChars ? undefined : parsed(raw)
  const outer = isRecord(value) && isRecord(value['paymentPayload']) ? value['paymentPayload'] : value
  const payload = isRecord(outer) ? outer['payload'] : undefined
  const text = isRecord(payload) ? payload['transaction'] : undefined
  const wire = typeof text === 'string' ? base64ToBytes(text) : undefined
  if (wire === undefined)
    throw new MarketError('INVALID_PAYMENT_AUTH', { reason: 'payload.transaction is a transaction in base64' })
  return wire
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

/** The facilitator may be started with another key at any time. */
const rememberMs = 5_000

/** Whoever signs names who pays the fee, so the facilitator is asked; one that is silent has the key it had. */
function rememberedFeePayer(deps: SplitDeps): () => Promise<string> {
  const { network } = deps
  let known: { readonly address: string; readonly at: number } | undefined
  return () =>
    readable(network, async () => {
      if (known !== undefined && performance.now() - known.at < rememberMs) return known.address
      const address = (await askFeePayer(deps)) ?? known?.address
      if (address === undefined) throw new MarketError('CHAIN_UNAVAILABLE', { network: network.name })
      known = { address, at: performance.now() }
      return address
    })
}

async function askFeePayer({ network, facilitator }: SplitDeps): Promise<string | undefined> {
  const answer = await facilitator.get('/supported', askMs)
  const kinds = answer.kind === 'done' ? answer.body['kinds'] : undefined
  const kind = (Array.isArray(kinds) ? (kinds as readonly unknown[]) : []).find(
    (one) => isRecord(one) && one['scheme'] === 'split' && one['network'] === network.caip2,
  )
  const extra = isRecord(kind) ? kind['extra'] : undefined
  const address = isRecord(extra) ? extra['feePayer'] : undefined
  return isSolanaAddress(address) ? address : undefined
}
