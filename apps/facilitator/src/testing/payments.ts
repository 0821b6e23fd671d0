import { randomBytes } from 'node:crypto'
import { localAccounts, localAddresses, localChainId, type LocalAccount } from '@ergon/contracts'
import {
  authorizationNonce,
  bytesToHex,
  hexToBytes,
  lifecycleOrderDigest,
  paymentInfoToWire,
  receiveWithAuthorizationDigest,
  signDigest,
  transferWithAuthorizationDigest,
  type Address,
  type Hex,
  type PaymentInfo,
  type TokenDomain,
  type TransferAuthorization,
} from '@ergon/protocols'

export const caip2 = `eip155:${localChainId}`

function lower(address: string): Address {
  // Lowercasing keeps the 0x prefix.
  return address.toLowerCase() as Address
}

export const addresses = {
  token: lower(localAddresses.TestUSD),
  escrow: lower(localAddresses.Escrow),
  collector: lower(localAddresses.Eip3009Collector),
  operator: lower(localAddresses.Operator),
}

export const tokenDomain: TokenDomain = {
  name: 'USD Coin',
  version: '2',
  chainId: localChainId,
  verifyingContract: addresses.token,
}

export function account(index: number): LocalAccount & { readonly address: Address } {
  const found = localAccounts[index]
  if (found === undefined) throw new Error(`no local account ${index}`)
  return { ...found, address: lower(found.address) }
}

export const facilitator = account(1)
export const treasury = account(2)
export const service = account(3)
export const payer = account(4)
export const worker = account(5)
export const stranger = account(6)

export function sign(digest: Uint8Array, privateKey: Hex): Hex {
  return bytesToHex(signDigest(digest, hexToBytes(privateKey)))
}

export function randomHex32(): Hex {
  return bytesToHex(randomBytes(32))
}

export function nowSec(): number {
  return Math.floor(Date.now() / 1000)
}

export function aPaymentInfo(overrides: Partial<PaymentInfo> = {}): PaymentInfo {
  const now = nowSec()
  return {
    operator: addresses.operator,
    payer: payer.address,
    receiver: worker.address,
    token: addresses.token,
    maxAmount: 1_000_000n,
    preApprovalExpiry: now + 3_600,
    authorizationExpiry: now + 7_200,
    refundExpiry: now + 86_400,
    minFeeBps: 0,
    maxFeeBps: 1_300,
    feeReceiver: addresses.operator,
    salt: BigInt(randomHex32()),
    ...overrides,
  }
}

export function authorizationFor(
  info: PaymentInfo,
  overrides: Partial<TransferAuthorization> = {},
): TransferAuthorization {
  return {
    from: info.payer,
    to: addresses.collector,
    value: info.maxAmount,
    validAfter: 0n,
    validBefore: BigInt(info.preApprovalExpiry),
    nonce: authorizationNonce(info, localChainId, addresses.escrow),
    ...overrides,
  }
}

export function authorizationWire(authorization: TransferAuthorization): Record<string, string> {
  return {
    from: authorization.from,
    to: authorization.to,
    value: authorization.value.toString(),
    validAfter: authorization.validAfter.toString(),
    validBefore: authorization.validBefore.toString(),
    nonce: authorization.nonce,
  }
}

export function escrowRequirements(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    scheme: 'escrow',
    network: caip2,
    extra: {
      escrowAddress: addresses.escrow,
      operatorAddress: addresses.operator,
      tokenCollector: addresses.collector,
    },
    ...overrides,
  }
}

export function authorizeBody(
  info: PaymentInfo,
  overrides: { authorization?: Partial<TransferAuthorization>; signature?: Hex; key?: Hex } = {},
): Record<string, unknown> {
  const authorization = authorizationFor(info, overrides.authorization)
  const signature =
    overrides.signature ??
    sign(receiveWithAuthorizationDigest(tokenDomain, authorization), overrides.key ?? payer.privateKey)
  return {
    x402Version: 2,
    scheme: 'escrow',
    action: 'authorize',
    payload: { authorization: authorizationWire(authorization), signature, paymentInfo: paymentInfoToWire(info) },
    paymentRequirements: escrowRequirements(),
  }
}

export type Step = 'release' | 'refundInEscrow'
export type OrderOverrides = {
  key?: Hex
  signer?: Address
  deadline?: number
  nonce?: Hex
  amount?: bigint
  action?: Step
  signature?: Hex
}

export function lifecycleAuth(
  action: Step,
  info: PaymentInfo,
  amount: bigint,
  overrides: OrderOverrides = {},
): Record<string, unknown> {
  const deadline = overrides.deadline ?? nowSec() + 600
  const nonce = overrides.nonce ?? randomHex32()
  const digest = lifecycleOrderDigest(
    { action: overrides.action ?? action, amount: overrides.amount ?? amount, deadline, nonce, paymentInfo: info },
    localChainId,
  )
  return {
    signer: overrides.signer ?? payer.address,
    deadline,
    nonce,
    signature: overrides.signature ?? sign(digest, overrides.key ?? payer.privateKey),
  }
}

export function lifecycleBody(
  action: Step,
  info: PaymentInfo,
  amount: bigint,
  auth: Record<string, unknown> | undefined,
): Record<string, unknown> {
  return {
    x402Version: 2,
    scheme: 'escrow',
    action,
    payload: {
      paymentInfo: paymentInfoToWire(info),
      payer: info.payer,
      amount: amount.toString(),
      ...(auth === undefined ? {} : { lifecycleAuth: auth }),
    },
    paymentRequirements: escrowRequirements(),
  }
}

export function releaseBody(
  info: PaymentInfo,
  amount: bigint,
  overrides: OrderOverrides = {},
): Record<string, unknown> {
  return lifecycleBody('release', info, amount, lifecycleAuth('release', info, amount, overrides))
}

export function refundBody(info: PaymentInfo, amount: bigint, overrides: OrderOverrides = {}): Record<string, unknown> {
  return lifecycleBody(
    'refundInEscrow',
    info,
    amount,
    lifecycleAuth('refundInEscrow', info, amount, { key: service.privateKey, signer: service.address, ...overrides }),
  )
}

export function aTransfer(overrides: Partial<TransferAuthorization> = {}): TransferAuthorization {
  return {
    from: payer.address,
    to: worker.address,
    value: 50_000n,
    validAfter: 0n,
    validBefore: BigInt(nowSec() + 600),
    nonce: randomHex32(),
    ...overrides,
  }
}

export type ExactOverrides = { signature?: Hex; key?: Hex; requirements?: Record<string, unknown>; network?: string }

export function exactV1(transfer: TransferAuthorization, overrides: ExactOverrides = {}): Record<string, unknown> {
  const network = overrides.network ?? 'localnet'
  return {
    x402Version: 1,
    paymentPayload: { x402Version: 1, scheme: 'exact', network, payload: exactPayload(transfer, overrides) },
    paymentRequirements: {
      scheme: 'exact',
      network,
      maxAmountRequired: transfer.value.toString(),
      resource: 'https://market.example/tasks',
      description: '',
      mimeType: '',
      payTo: transfer.to,
      maxTimeoutSeconds: 60,
      asset: addresses.token,
      extra: { name: 'USD Coin', version: '2' },
      ...overrides.requirements,
    },
  }
}

export function exactV2(transfer: TransferAuthorization, overrides: ExactOverrides = {}): Record<string, unknown> {
  const requirements = {
    scheme: 'exact',
    network: overrides.network ?? caip2,
    amount: transfer.value.toString(),
    payTo: transfer.to,
    maxTimeoutSeconds: 60,
    asset: addresses.token,
    extra: { name: 'USD Coin', version: '2' },
    ...overrides.requirements,
  }
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted: requirements, payload: exactPayload(transfer, overrides) },
    paymentRequirements: requirements,
  }
}

function exactPayload(transfer: TransferAuthorization, overrides: ExactOverrides): Record<string, unknown> {
  const signature =
    overrides.signature ??
    sign(transferWithAuthorizationDigest(tokenDomain, transfer), overrides.key ?? payer.privateKey)
  return { signature, authorization: authorizationWire(transfer) }
}
