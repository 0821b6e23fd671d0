import {
  authorizationNonce,
  authorizeCalldata,
  paymentInfoHash,
  receiveWithAuthorizationDigest,
  zeroAddress,
  type Address,
  type Hex,
  type PaymentInfo,
  type TransferAuthorization,
} from '@ergon/protocols'
import type { ChainCall } from '../chain/chain.ts'
import type { Revert } from '../chain/reverts.ts'
import { Refusal } from '../errors.ts'
import { mostGasOfPayment, tooDear } from '../gas/gas-share.ts'
import type { Networks, ServedEscrow, ServedNetwork, ServedToken } from '../network/served-network.ts'
import { readAuthorization, readSignature, type Wrapper } from '../wire/authorization.ts'
import { isEscrowScheme, type Envelope } from '../wire/envelope.ts'
import { readPaymentInfo } from '../wire/payment-info.ts'
import { readAddress, readRecord } from '../wire/read.ts'
import { askContract, isSignedBy } from './signature.ts'

export type EscrowTarget = { readonly network: ServedNetwork; readonly escrow: ServedEscrow }

export type EscrowAuthorization = EscrowTarget & {
  readonly authorization: TransferAuthorization
  readonly signature: Hex
  /** What the signature came in, which may put up its wallet (ERC-6492). */
  readonly wrapper?: Wrapper
  readonly info: PaymentInfo
  readonly hash: Hex
  readonly digest: Uint8Array
  /** False when no key of the payer signed: then only a contract wallet can have. */
  readonly recovered: boolean
}

const payloadKeys = ['authorization', 'signature', 'paymentInfo']
const feeBps = 1_300
const graceSec = 6
/** spec §8: at most 100 USD in one escrow. */
const maxDepositUnits = 100n

export type EscrowAction = 'authorize' | 'release' | 'refundInEscrow'

/** What an escrow envelope orders; without a word it is an authorization. */
export function readAction({ action = 'authorize' }: Pick<Envelope, 'action'>): EscrowAction {
  if (action === 'authorize' || action === 'release' || action === 'refundInEscrow') return action
  throw unknownAction(`Unknown operator action: ${action}`)
}

export const unknownAction = (text: string): Refusal =>
  invalid('UnknownAction', text, { valid_actions: ['authorize', 'release', 'refundInEscrow'] })

/** The network and the deployment the request means; both must be ours, and the payer's side must mean the same. */
export function readEscrowTarget(envelope: Envelope, networks: Networks): EscrowTarget {
  const { payloadScheme, payloadNetwork } = envelope
  if (payloadScheme !== undefined && !isEscrowScheme(payloadScheme))
    throw invalid('InvalidScheme', `Invalid scheme: expected 'escrow', got '${payloadScheme}'`)
  const name = envelope.network
  if (name === undefined) throw invalid('MissingField', 'Missing required field: paymentRequirements.network')
  const network = name.includes(':') ? networks.find(name) : undefined
  if (network?.escrow === undefined) {
    throw invalid('UnsupportedNetwork', `Network ${name} does not support PaymentOperator (escrow not deployed)`)
  }
  if (payloadNetwork !== undefined && networks.find(payloadNetwork) !== network)
    throw badInfo(`the payload is for another network (${payloadNetwork}) than what is asked for (${name})`)
  const extra = envelope.requirements?.extra
  if (extra === undefined) throw invalid('MissingField', 'Missing required field: paymentRequirements.extra')
  checkDeployment(network.escrow, extra)
  return { network, escrow: network.escrow }
}

export function checkDeployment(escrow: ServedEscrow, extra: Readonly<Record<string, unknown>>): void {
  if (readAddress(extra['escrowAddress'], 'extra.escrowAddress') !== escrow.escrow) throw badInfo('escrow mismatch')
  if (readAddress(extra['tokenCollector'], 'extra.tokenCollector') !== escrow.collector)
    throw badInfo('token_collector mismatch')
  checkOperator(escrow, readAddress(extra['operatorAddress'], 'extra.operatorAddress'))
}

export function checkOperator(escrow: ServedEscrow, operator: Address): void {
  if (operator !== escrow.operator)
    throw invalid(
      'operator_not_registered',
      `operator_not_registered: ${operator} is not an operator of this facilitator`,
    )
}

/** Every check of an authorization that needs no chain, so that a bad one costs no transaction. */
export function judgeEscrowAuthorization(envelope: Envelope, networks: Networks, now: number): EscrowAuthorization {
  const target = readEscrowTarget(envelope, networks)
  const payload = readRecord(envelope.payload, 'payload', payloadKeys)
  const authorization = readAuthorization(payload['authorization'])
  const read = readSignature(payload['signature'])
  const info = readPaymentInfo(payload['paymentInfo'], authorization.from)
  const { network, escrow } = target
  checkOperator(escrow, info.operator)
  checkParties(target, info)
  const token = network.tokens.get(info.token)
  if (token === undefined) throw badInfo(`token ${info.token} is not served`)
  checkTerms(escrow, info, authorization, envelope, token)
  checkTimes(info, authorization, now)
  if (authorizationNonce(info, network.chainId, escrow.escrow).toLowerCase() !== authorization.nonce) {
    throw badInfo('authorization.nonce is not the hash of paymentInfo')
  }
  const digest = receiveWithAuthorizationDigest(token.domain, authorization)
  const recovered = isSignedBy(digest, read.signature, authorization.from)
  return {
    ...target,
    authorization,
    ...read,
    info,
    hash: paymentInfoHash(info, network.chainId, escrow.escrow),
    digest,
    recovered,
  }
}

/** What a lock would come to now: the call of its settlement, made without being sent. */
export async function simulateAuthorize(payment: SignedAuthorization): Promise<Refusal | undefined> {
  const { network, escrow } = payment
  const simulated = await network.simulator.simulate(authorizeCall(payment))
  if (simulated.revert !== undefined) return refuseRevert(escrow.operator)(simulated.revert)
  const { spends = 0 } = simulated
  return spends > mostGasOfPayment ? invalid('ContractCall', `Contract call failed: ${tooDear}`) : undefined
}

/** What locks it. */
export function authorizeCall({ escrow, info, collected }: SignedAuthorization): ChainCall {
  return { to: escrow.operator, data: authorizeCalldata(info, info.maxAmount, escrow.collector, collected) }
}

/** As it is sent. `collected`: what the collector is given; `deploys`: it puts up the payer's wallet before. */
export type SignedAuthorization = EscrowAuthorization & { readonly collected: Hex; readonly deploys: boolean }

/**
 * Asks the payer's contract where the signature is not a key's. One that is yet to be put up cannot be asked: where its
 * factory is one of ours, the simulation of the whole tells. @throws Refusal invalid_signature
 */
export async function requireSigned(payment: EscrowAuthorization): Promise<SignedAuthorization> {
  const { network, signature, wrapper } = payment
  if (payment.recovered) return { ...payment, collected: signature, deploys: false }
  const word = await askContract(network.rpc, payment.digest, signature, payment.info.payer)
  if (word === 'signed') return { ...payment, collected: signature, deploys: false }
  if (word !== 'nobody' || wrapper === undefined)
    throw invalid('invalid_signature', 'invalid_signature: the authorization is not signed by its payer')
  if (!network.walletFactories.has(wrapper.factory))
    throw invalid(
      'invalid_signature',
      `invalid_signature: this facilitator does not call the factory ${wrapper.factory}`,
    )
  return { ...payment, collected: wrapper.whole, deploys: true }
}

/**
 * The payee of an escrow is a party: never the payer again, nor a contract or the treasury that would keep the money.
 */
export function checkParties({ network, escrow }: EscrowTarget, info: PaymentInfo): void {
  if (info.receiver === info.payer)
    throw invalid(
      'self_payment',
      'PaymentInfo validation failed: payer and receiver are the same (SELF_PAYMENT_BLOCKED)',
    )
  if (info.receiver === escrow.owner || keepsMoney(network, info.receiver)) {
    throw invalid(
      'forbidden_receiver',
      `PaymentInfo validation failed: receiver ${info.receiver} may not be paid (FORBIDDEN_RECEIVER)`,
    )
  }
}

/** Nobody gets out again what is sent to a token's own contract, to those of the escrow, or to nobody. */
export function keepsMoney({ tokens, escrow }: ServedNetwork, payee: Address): boolean {
  const contracts = escrow === undefined ? [] : [escrow.escrow, escrow.operator, escrow.collector]
  return payee === zeroAddress || tokens.has(payee) || contracts.includes(payee)
}

function checkTerms(
  escrow: ServedEscrow,
  info: PaymentInfo,
  authorization: TransferAuthorization,
  envelope: Envelope,
  { decimals, smallest }: ServedToken,
): void {
  if (authorization.to !== escrow.collector)
    throw badInfo(`authorization.to (${authorization.to}) does not match tokenCollector (${escrow.collector})`)
  if (info.maxAmount === 0n) throw badInfo('maxAmount is zero')
  if (info.maxAmount > maxDepositUnits * 10n ** BigInt(decimals))
    throw invalid('deposit_limit', 'PaymentInfo validation failed: maxAmount is above the limit of 100 USD')
  if (info.maxAmount < smallest)
    throw invalid('amount_below_minimum', `amount_below_minimum: the least that is taken is ${smallest} atomic units`)
  if (authorization.value !== info.maxAmount) throw badInfo('authorization.value differs from maxAmount')
  const { amount, asset } = envelope.requirements ?? {}
  if (amount !== undefined && amount > info.maxAmount) throw badInfo('maxAmount is below the required amount')
  if (asset !== undefined && asset !== info.token) throw badInfo('token differs from the required asset')
  if (info.feeReceiver !== escrow.operator) throw badInfo('feeReceiver must be the operator')
  if (info.minFeeBps > feeBps || info.maxFeeBps < feeBps || info.maxFeeBps > 10_000)
    throw badInfo(`the fee bounds must include ${feeBps}`)
}

function checkTimes(info: PaymentInfo, authorization: TransferAuthorization, now: number): void {
  if (info.preApprovalExpiry > info.authorizationExpiry || info.authorizationExpiry > info.refundExpiry)
    throw badInfo('expiries are out of order')
  if (authorization.validBefore !== BigInt(info.preApprovalExpiry))
    throw badInfo('authorization.validBefore differs from preApprovalExpiry')
  if (authorization.validAfter !== 0n) throw badInfo('authorization.validAfter must be 0')
  if (info.preApprovalExpiry < now + graceSec)
    throw invalid('expired_authorization', 'expired_authorization: preApprovalExpiry has passed')
}

/** The five named reverts stand first in the text; the two families of upstream keep their wording (facts §2.3). */
export function refuseRevert(operator: Hex): (revert: Revert) => Refusal {
  return ({ code, reason }) => {
    if (code === 'PaymentInfoInvalid') return invalid(code, `PaymentInfo validation failed: ${reason}`)
    if (code === 'ContractCall') return invalid(code, `Contract call failed: ${reason} (operator=${operator})`)
    return invalid(code, `${code}: ${reason}`)
  }
}

export function badInfo(text: string): Refusal {
  return invalid('PaymentInfoInvalid', `PaymentInfo validation failed: ${text}`)
}

export function invalid(code: string, text: string, details?: Readonly<Record<string, unknown>>): Refusal {
  return new Refusal(code, text, details === undefined ? {} : { details })
}
