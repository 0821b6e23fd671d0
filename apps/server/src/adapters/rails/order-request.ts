import type {
  AuthorizeOrder,
  CaptureOrder,
  ChargeOrder,
  Payment,
  RailOrder,
  SignedReleaseOrder,
  VoidOrder,
} from '@ergon/core'
import {
  keccak256Hex,
  lifecycleOrderTypedData,
  lowerAddress,
  paymentInfoToWire,
  utf8,
  type EscrowDeployment,
  type Hex,
  type PaymentInfo,
  type Signer,
} from '@ergon/protocols'
import type { ServedNetwork } from '../networks.ts'
import { escrowOf } from '../networks.ts'

/** A request to the facilitator's /settle. The same order gives the same request whenever it is sent. */
export type SettleRequest = { readonly key: string; readonly body: object }

export type RequestDeps = { readonly network: ServedNetwork; readonly orderSigner: Signer }

export async function settleRequest(order: RailOrder, deps: RequestDeps): Promise<SettleRequest> {
  switch (order.kind) {
    case 'authorize':
      return { key: order.key, body: authorizeBody(order, deps.network) }
    case 'capture':
      return order.order === null
        ? ownRequest('release', order, deps)
        : { key: order.key, body: captureBody(order, order.order, deps.network) }
    case 'void':
      return ownRequest('refundInEscrow', order, deps)
    case 'charge':
      return { key: order.key, body: chargeBody(order, deps.network) }
  }
}

// Domain payments hold addresses and hashes as plain text; they were checked where they entered (signatures.ts).

export function paymentInfoOf(payment: Payment): PaymentInfo {
  return {
    operator: lowerAddress(payment.operator),
    payer: lowerAddress(payment.payer),
    receiver: lowerAddress(payment.receiver),
    token: lowerAddress(payment.token),
    maxAmount: payment.maxAmount,
    preApprovalExpiry: payment.preApprovalExpiry,
    authorizationExpiry: payment.authorizationExpiry,
    refundExpiry: payment.refundExpiry,
    minFeeBps: payment.minFeeBps,
    maxFeeBps: payment.maxFeeBps,
    feeReceiver: lowerAddress(payment.feeReceiver),
    salt: payment.salt,
  }
}

function requirements(network: ServedNetwork, escrow: EscrowDeployment): object {
  return {
    scheme: 'escrow',
    network: network.row.caip2,
    extra: { escrowAddress: escrow.escrow, operatorAddress: escrow.operator, tokenCollector: escrow.collector },
  }
}

function authorizeBody({ payment, authorization }: AuthorizeOrder, network: ServedNetwork): object {
  const escrow = escrowOf(network)
  return {
    x402Version: 2,
    scheme: 'escrow',
    action: 'authorize',
    payload: {
      authorization: {
        from: payment.payer,
        to: lowerAddress(escrow.collector),
        value: payment.maxAmount.toString(),
        validAfter: authorization.validAfter.toString(),
        validBefore: authorization.validBefore.toString(),
        nonce: authorization.nonce,
      },
      signature: authorization.signature,
      paymentInfo: paymentInfoToWire(paymentInfoOf(payment)),
    },
    paymentRequirements: requirements(network, escrow),
  }
}

function captureBody({ payment, amount }: CaptureOrder, order: SignedReleaseOrder, network: ServedNetwork): object {
  const { signer, deadline, nonce, signature, warrant } = order
  const auth = { signer, deadline, nonce, signature }
  return lifecycleBody('release', payment, amount.atomic, network, auth, warrant)
}

type Action = 'release' | 'refundInEscrow'

function lifecycleBody(
  action: Action,
  payment: Payment,
  amount: bigint,
  network: ServedNetwork,
  lifecycleAuth: object,
  standingOrder?: object,
): object {
  return {
    x402Version: 2,
    scheme: 'escrow',
    action,
    payload: {
      paymentInfo: paymentInfoToWire(paymentInfoOf(payment)),
      payer: payment.payer,
      amount: amount.toString(),
      lifecycleAuth,
      ...(standingOrder === undefined ? {} : { standingOrder }),
    },
    paymentRequirements: requirements(network, escrowOf(network)),
  }
}

/** Facilitators take deadlines up to 900 s ahead. */
const aheadSec = 840

/**
 * Giving money back, and paying what a resolution awards, are the service's own orders. Nonce and deadline come from
 * the order itself, so that every copy of it is the same, and one at most is ever carried out.
 */
async function ownRequest(
  action: Action,
  order: VoidOrder | CaptureOrder,
  { network, orderSigner }: RequestDeps,
): Promise<SettleRequest> {
  const deadline = order.issuedAt + aheadSec
  const nonce = keccak256Hex(utf8(`${action === 'release' ? 'release' : 'refund'} order ${order.key}`))
  const terms = {
    action,
    amount: order.amount.atomic,
    deadline,
    nonce,
    paymentInfo: paymentInfoOf(order.payment),
  } as const
  const signature: Hex = await orderSigner.signTypedData(lifecycleOrderTypedData(terms, network.chainId))
  const body = lifecycleBody(action, order.payment, order.amount.atomic, network, {
    signer: orderSigner.address,
    deadline,
    nonce,
    signature,
  })
  return { key: order.key, body }
}

function chargeBody({ transfer }: ChargeOrder, network: ServedNetwork): object {
  const token = network.row.tokens[transfer.amount.asset.symbol]
  const accepted = {
    scheme: 'exact',
    network: network.row.caip2,
    amount: transfer.amount.atomic.toString(),
    asset: lowerAddress(transfer.token),
    payTo: lowerAddress(transfer.to),
    maxTimeoutSeconds: 60,
    ...(token === undefined ? {} : { extra: { name: token.name, version: token.version } }),
  }
  const authorization = {
    from: lowerAddress(transfer.from),
    to: lowerAddress(transfer.to),
    value: transfer.amount.atomic.toString(),
    validAfter: transfer.validAfter.toString(),
    validBefore: transfer.validBefore.toString(),
    nonce: transfer.nonce,
  }
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted, payload: { signature: transfer.signature, authorization } },
    paymentRequirements: accepted,
  }
}
