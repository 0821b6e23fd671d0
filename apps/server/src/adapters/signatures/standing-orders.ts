import type { StandingOrders } from '@ergon/oauth'
import {
  anyPayment,
  hexToBytes,
  lowerAddress,
  parseStandingOrder,
  standingOrderDigest,
  standingOrderToWire,
  standingOrderTypedData,
  type Hex,
  type Signer,
  type StandingOrder,
} from '@ergon/protocols'
import { escrowOf, tokenOf } from '../networks.ts'
import { unix, walletOf } from './payment-terms.ts'
import { isSignedBy, type SignatureDeps } from './signature-deps.ts'

/** Clocks of two machines may be this far apart. */
const skewSec = 60

export function createStandingOrders(
  deps: Pick<SignatureDeps, 'networks' | 'random32' | 'askContract'> & { readonly spender: Signer },
): StandingOrders {
  return {
    spender: deps.spender,
    challenge(terms, now) {
      const network = deps.networks.named(terms.network)
      const token = tokenOf(network, terms.token)
      const maxPerRelease = (terms.maxCents * 10n ** BigInt(token.decimals)) / 100n
      const order: StandingOrder = {
        payer: lowerAddress(walletOf(terms.payer)),
        spender: lowerAddress(deps.spender.address),
        operator: lowerAddress(escrowOf(network).operator),
        token: lowerAddress(token.address),
        maxPerRelease,
        maxTotal: maxPerRelease * BigInt(terms.maxCount),
        maxCount: terms.maxCount,
        notBefore: unix(now) - skewSec,
        notAfter: unix(terms.notAfter),
        nonce: deps.random32(),
        payment: anyPayment,
      }
      const { signature: _none, ...wire } = standingOrderToWire(order, '0x')
      return { typedData: standingOrderTypedData(order, network.chainId), chainId: network.chainId, order: wire }
    },
    isSigned: (wire, chainId) => isStandingOrderSigned(deps, wire, chainId),
  }
}

/** @throws ProtocolError for what is no order; CHAIN_UNAVAILABLE or RATE_LIMITED */
export async function isStandingOrderSigned(
  deps: Pick<SignatureDeps, 'askContract'>,
  wire: unknown,
  chainId: number,
): Promise<boolean> {
  const { order, signature } = parseStandingOrder(wire)
  return isSignedBy(deps, {
    chainId,
    address: order.payer,
    hash: standingOrderDigest(order, chainId),
    signature: hexToBytes(signature),
  })
}

/** A key that has no role but the one a payer gives it; the same for every process of a deployment. */
export const spenderPurpose = 'standing orders'

export const keyText = (key: Uint8Array): Hex => `0x${Buffer.from(key).toString('hex')}`
