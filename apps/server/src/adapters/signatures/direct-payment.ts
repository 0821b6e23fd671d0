import {
  cutText,
  directNonceOf,
  MarketError,
  type DirectAsk,
  type DirectPayment,
  type DirectTerms,
  type PaymentSignatures,
} from '@ergon/core'
import {
  decodePaymentHeader,
  hexToBytes,
  parseExactPayload,
  parsePaymentPayloadV1,
  parsePaymentPayloadV2,
  ProtocolError,
  sameAddress,
  transferAuthorizationToWire,
  transferWithAuthorizationDigest,
  transferWithAuthorizationTypedData,
  unwrapSignature,
  zeroAddress,
  type ExactPayload,
  type TokenDomain,
  type Hex,
  type TransferAuthorization,
} from '@ergon/protocols'
import type { ServedNetwork } from '../networks.ts'
import { isRecord } from '../chain/rpc.ts'
import { domainOf, preApprovalSec, reading, unix, walletOf } from './payment-terms.ts'
import { isSignedBy, type SignatureDeps } from './signature-deps.ts'

type Challenge = ReturnType<PaymentSignatures['directChallenge']>

export function directChallenge({ networks, random32 }: SignatureDeps, terms: DirectAsk, now: Date): Challenge {
  const network = networks.named(terms.network)
  const token = domainOf(network, terms.amount)
  const validBefore = unix(now) + preApprovalSec
  const [from, to] = [walletOf(terms.from), walletOf(terms.to)]
  if (from === to) throw new MarketError('SELF_PAYMENT_BLOCKED')
  const authorization: TransferAuthorization = {
    from,
    to,
    value: terms.amount.atomic,
    validAfter: 0n,
    validBefore: BigInt(validBefore),
    nonce: directNonceOf(terms.taskId, terms.part, BigInt(random32())) as Hex, // 32 bytes in hex,
  }
  const accepted = {
    scheme: 'exact',
    network: network.row.caip2,
    amount: terms.amount.atomic.toString(),
    asset: token.verifyingContract,
    payTo: to,
    maxTimeoutSeconds: preApprovalSec,
    extra: { name: token.name, version: token.version },
  }
  return {
    typedData: transferWithAuthorizationTypedData(token, authorization),
    envelope: {
      x402Version: 2,
      accepted,
      payload: { signature: '0x', authorization: transferAuthorizationToWire(authorization) },
    },
    expiresAt: new Date(validBefore * 1000),
  }
}

export async function readDirectPayment(
  deps: SignatureDeps,
  raw: string,
  terms: DirectTerms,
  now: Date,
): Promise<DirectPayment> {
  const network = deps.networks.named(terms.network)
  const token = domainOf(network, terms.amount)
  const { authorization, signature } = readPayload(raw, network)
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  if (sameAddress(from, to)) throw new MarketError('SELF_PAYMENT_BLOCKED')
  if (!sameAddress(to, terms.to) || sameAddress(to, zeroAddress)) throw new MarketError('FORBIDDEN_RECEIVER')
  if (value !== terms.amount.atomic || value <= 0n)
    throw new MarketError('AMOUNT_MISMATCH', { expected_atomic: terms.amount.atomic.toString() })
  if (validAfter > BigInt(unix(now)) || validBefore <= BigInt(unix(now)))
    throw new MarketError('INVALID_PAYMENT_AUTH', { reason: 'the authorization is not valid now' })
  if (!sameAddress(from, terms.from) || !(await isSigned(deps, token, authorization, signature)))
    throw new MarketError('INVALID_SIGNATURE')
  return {
    network: terms.network,
    amount: terms.amount,
    token: token.verifyingContract,
    from,
    to,
    validAfter,
    validBefore,
    nonce,
    signature,
  }
}

/** @throws CHAIN_UNAVAILABLE where a wallet that is a contract cannot be asked */
export async function isSigned(
  deps: SignatureDeps,
  token: TokenDomain,
  authorization: TransferAuthorization,
  signature: ExactPayload['signature'],
): Promise<boolean> {
  // A token puts up no wallet (ERC-6492): what is in a wrapper counts where the wallet is there to be asked.
  const wrapped = reading(() => unwrapSignature(signature))
  return isSignedBy(deps, {
    chainId: token.chainId,
    address: authorization.from,
    hash: transferWithAuthorizationDigest(token, authorization),
    signature: hexToBytes(wrapped?.signature ?? signature),
  })
}

const maxChars = 32_768

/** An x402 payment of either version, as JSON or as the base64 of a header. */
function readPayload(raw: string, network: ServedNetwork): ExactPayload {
  return reading(() => {
    if (raw.length > maxChars) throw new ProtocolError('malformed', 'the payment is too long')
    const value = raw.trimStart().startsWith('{') ? parseJson(raw) : decodePaymentHeader(raw)
    const isV1 = isRecord(value) && value['x402Version'] === 1
    const payment = isV1 ? parsePaymentPayloadV1(value) : parsePaymentPayloadV2(value)
    const { scheme, network: named } = payment.x402Version === 1 ? payment : payment.accepted
    if (scheme !== 'exact') throw new ProtocolError('malformed', "the scheme must be 'exact'")
    if (named !== network.row.caip2 && named !== network.row.name)
      throw new MarketError('NETWORK_MISMATCH', { expected: network.row.caip2, received: cutText(named, 64) })
    return parseExactPayload(payment.payload)
  })
}

function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch (cause) {
    throw new ProtocolError('malformed', 'the payment is not JSON', { cause })
  }
}
