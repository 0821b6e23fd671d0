import { randomBytes } from 'node:crypto'
import { MarketError, type PaymentSignatures } from '@ergon/core'
import { bytesToHex, type Hex, lowerAddress, reclaimCalldata, type Signer } from '@ergon/protocols'
import type { Treasuries } from '../chain/treasuries.ts'
import type { ContractWallets } from '../contract-wallets.ts'
import { escrowOf, type ServedNetworks } from '../networks.ts'
import { paymentInfoOf } from '../rails/order-request.ts'
import { createAgreementSignatures } from './agreements.ts'
import { readCashOut } from './cash-out.ts'
import { directChallenge, readDirectPayment } from './direct-payment.ts'
import { namingPrice } from './naming-price.ts'
import { escrowChallenge, readEscrowAuthorization, receiverOf } from './escrow-authorization.ts'
import { checkReleaseOrder, releaseApproval, releaseChallenge } from './release-order.ts'
import { readStandingOrder, standingRelease, type SilenceDeps } from './silence-order.ts'

/** `random32`: a source of one's own for what nobody may foresee; without it the platform's. */
export function createPaymentSignatures(given: {
  readonly networks: ServedNetworks
  readonly treasuries: Treasuries
  readonly contracts: Pick<ContractWallets, 'ask'>
  readonly random32?: () => Hex
  /** Whose order the payer lets stand for its own where silence pays. */
  readonly spender: Signer
  /** Signs the service's own orders. */
  readonly delegate: Signer
}): PaymentSignatures {
  const { networks, treasuries, contracts } = given
  const deps: SilenceDeps = {
    spender: given.spender,
    delegate: given.delegate,
    networks,
    treasuries,
    random32: given.random32 ?? (() => bytesToHex(randomBytes(32))),
    askContract: (call) =>
      contracts.ask(call).catch((error: unknown) => {
        // Who pays is known; what is missing is the chain's word on the signature.
        const isUnasked = error instanceof MarketError && error.code === 'identity_check_unavailable'
        throw isUnasked ? new MarketError('CHAIN_UNAVAILABLE', {}, { cause: error }) : error
      }),
  }
  return {
    escrowChallenge: (terms, now) => escrowChallenge(deps, terms, now),
    readEscrowAuthorization: (raw, terms, now) =>
      namingPrice(terms.amount, () => readEscrowAuthorization(deps, raw, terms, now)),
    receiverOf: (raw, network) => receiverOf(deps, raw, network),
    releaseChallenge: (payment, amount, now) => releaseChallenge(deps, payment, amount, now),
    checkReleaseOrder: (order, payment, amount, now) => checkReleaseOrder(deps, order, payment, amount, now),
    readStandingOrder: (raw, payment, hours, now) => readStandingOrder(deps, raw, payment, hours, now),
    standingRelease: (payment, amount, order, now) => standingRelease(deps, payment, amount, order, now),
    directChallenge: (terms, now) => directChallenge(deps, terms, now),
    readDirectPayment: (raw, terms, now) => namingPrice(terms.amount, () => readDirectPayment(deps, raw, terms, now)),
    releaseApproval: (terms, now) => releaseApproval(deps, terms, now),
    readCashOut: (signed) => namingPrice(signed.amount, () => readCashOut(deps, signed)),
    reclaimCall(payment) {
      const network = networks.named(payment.network)
      return {
        escrow: lowerAddress(escrowOf(network).escrow),
        chainId: network.chainId,
        calldata: reclaimCalldata(paymentInfoOf(payment)),
      }
    },
    treasury: (network) => treasuries.of(networks.named(network)),
    ...createAgreementSignatures(deps),
  }
}
