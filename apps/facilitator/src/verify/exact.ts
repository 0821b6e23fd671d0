import {
  transferWithAuthorizationCalldata,
  transferWithAuthorizationDigest,
  type Address,
  type Hex,
  type TransferAuthorization,
} from '@ergon/protocols'
import type { ChainCall } from '../chain/chain.ts'
import type { Revert } from '../chain/reverts.ts'
import { mostGasOfPayment, tooDear } from '../gas/gas-share.ts'
import type { Networks, ServedNetwork, ServedToken } from '../network/served-network.ts'
import type { Envelope } from '../wire/envelope.ts'
import { readAuthorization, readSignature } from '../wire/authorization.ts'
import { readRecord } from '../wire/read.ts'
import { keepsMoney } from './escrow.ts'
import { isSignedBy, isSignedByContract } from './signature.ts'

/** A direct payment: a TransferWithAuthorization straight from payer to payee. */
export type ExactPayment = {
  readonly network: ServedNetwork
  readonly token: ServedToken
  readonly asset: Address
  readonly authorization: TransferAuthorization
  readonly signature: Hex
}

/** The first check that fails, by the reference facilitator's reason code. */
export type ExactVerdict =
  | { readonly reason?: undefined; readonly payment: ExactPayment; readonly payer: Address }
  | { readonly reason: string; readonly payer: Address | undefined }

const payloadKeys = ['signature', 'authorization']
/** Clocks differ and a block takes time. */
const graceSec = 6n

/** Everything that can be told without asking the chain (facts §2.2, same order). */
export function judgeExact(envelope: Envelope, networks: Networks, now: number): ExactVerdict {
  const payload = readRecord(envelope.payload, 'payload', payloadKeys)
  const authorization = readAuthorization(payload['authorization'])
  // A token knows no wrapper: what is in it counts where the wallet is there to be asked.
  const { signature } = readSignature(payload['signature'])
  const payer = authorization.from
  const no = (reason: string): ExactVerdict => ({ reason, payer })
  const { requirements } = envelope
  if (
    requirements === undefined ||
    requirements.amount === undefined ||
    requirements.asset === undefined ||
    requirements.payTo === undefined
  ) {
    return no('invalid_payment_requirements')
  }
  if (envelope.scheme !== 'exact') return no('unsupported_scheme')
  if (envelope.payloadScheme !== undefined && envelope.payloadScheme !== 'exact') return no('invalid_exact_evm_scheme')
  const network = networks.find(envelope.network ?? '')
  if (network === undefined) return no('invalid_network')
  if (envelope.payloadNetwork !== undefined && networks.find(envelope.payloadNetwork) !== network)
    return no('invalid_exact_evm_network_mismatch')
  if (authorization.to !== requirements.payTo) return no('invalid_exact_evm_recipient_mismatch')
  const seconds = BigInt(now)
  if (authorization.validBefore < seconds + graceSec) return no('invalid_exact_evm_payload_authorization_valid_before')
  if (authorization.validAfter > seconds + graceSec) return no('invalid_exact_evm_payload_authorization_valid_after')
  const token = network.tokens.get(requirements.asset)
  if (token === undefined) return no('invalid_exact_evm_asset_not_supported')
  const { name, version } = requirements.extra ?? {}
  if (name !== undefined && name !== token.domain.name) return no('invalid_exact_evm_token_name_mismatch')
  if (version !== undefined && version !== token.domain.version) return no('invalid_exact_evm_token_version_mismatch')
  if (authorization.value < requirements.amount || authorization.value === 0n)
    return no('invalid_exact_evm_payload_authorization_value_mismatch')
  if (authorization.value < token.smallest) return no('amount_below_minimum')
  if (authorization.to === payer) return no('self_payment')
  // The treasury may be paid directly: a fee settled in one step.
  if (keepsMoney(network, authorization.to)) return no('forbidden_receiver')
  return { payment: { network, token, asset: requirements.asset, authorization, signature }, payer }
}

/** What a payment would come to now: the call of its settlement, made without being sent. Undefined when it goes. */
export async function simulateExact(payment: ExactPayment): Promise<ExactFault | undefined> {
  const simulated = await payment.network.simulator.simulate(exactCall(payment))
  if (simulated.revert !== undefined) return faultOf(simulated.revert)
  const { spends = 0 } = simulated
  return spends > mostGasOfPayment ? { reason: simulationFailed, message: tooDear } : undefined
}

/** `message`: the contract's own words, where the reason does not say it all. */
export type ExactFault = { readonly reason: string; readonly message?: string }

const simulationFailed = 'invalid_exact_evm_transaction_simulation_failed'

export function faultOf({ code, reason }: Revert): ExactFault {
  if (/not yet valid/i.test(reason)) return { reason: 'invalid_exact_evm_payload_authorization_valid_after' }
  const known = reasons[code]
  return known === undefined ? { reason: simulationFailed, message: reason } : { reason: known }
}

const reasons: Readonly<Record<string, string>> = {
  insufficient_balance: 'invalid_exact_evm_insufficient_balance',
  invalid_signature: 'invalid_exact_evm_signature',
  expired_authorization: 'invalid_exact_evm_payload_authorization_valid_before',
  nonce_already_used: 'invalid_exact_evm_nonce_already_used',
}

/** What settles it. */
export function exactCall({ asset, authorization, signature }: ExactPayment): ChainCall {
  return { to: asset, data: transferWithAuthorizationCalldata(authorization, signature) }
}

/** What needs the chain: contract signatures, balance and nonce as of the newest block. */
export async function checkExactOnChain(payment: ExactPayment): Promise<string | undefined> {
  const { network, authorization, signature } = payment
  const digest = transferWithAuthorizationDigest(payment.token.domain, authorization)
  if (
    !isSignedBy(digest, signature, authorization.from) &&
    !(await isSignedByContract(network.rpc, digest, signature, authorization.from))
  ) {
    return 'invalid_exact_evm_signature'
  }
  const state = await network.states.read(payment.asset, authorization.from, authorization.nonce)
  if (state.nonceUsed) return 'invalid_exact_evm_nonce_already_used'
  if (state.balance < authorization.value) return 'invalid_exact_evm_insufficient_balance'
  return undefined
}
