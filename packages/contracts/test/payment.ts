import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { localAddresses, localChainId, localRoles } from '../src/index.ts'
import { accountAt, type Call, type TestChain } from './chain.ts'

/** The accounts of the tests; the operator is a plain key where the escrow is tested without one. */
export const facilitator = accountAt(1)
export const payer = accountAt(4)
export const payee = accountAt(5)
export const stranger = accountAt(6)
export const bareOperator = accountAt(7)
export const feeTaker = accountAt(8)

export const zeroAddress = '0x0000000000000000000000000000000000000000'

export type PaymentInfo = {
  readonly operator: `0x${string}`
  readonly payer: `0x${string}`
  readonly receiver: `0x${string}`
  readonly token: `0x${string}`
  readonly maxAmount: bigint
  readonly preApprovalExpiry: number
  readonly authorizationExpiry: number
  readonly refundExpiry: number
  readonly minFeeBps: number
  readonly maxFeeBps: number
  readonly feeReceiver: `0x${string}`
  readonly salt: bigint
}

export type PaymentState = readonly [hasCollectedPayment: boolean, capturable: bigint, refundable: bigint]

let nextSalt = 1n

/** A valid payment that starts now, through the bare operator, that no other test has. */
export async function aPayment(chain: TestChain, overrides: Partial<PaymentInfo> = {}): Promise<PaymentInfo> {
  const now = await chain.now()
  return {
    operator: bareOperator.address,
    payer: payer.address,
    receiver: payee.address,
    token: localAddresses.TestUSD,
    maxAmount: 1_000_000n,
    preApprovalExpiry: now + 3_600,
    authorizationExpiry: now + 7_200,
    refundExpiry: now + 86_400,
    minFeeBps: 0,
    maxFeeBps: 1_300,
    feeReceiver: zeroAddress,
    salt: nextSalt++,
    ...overrides,
  }
}

/** A valid payment through the marketplace's operator. */
export function anOperatorPayment(chain: TestChain, overrides: Partial<PaymentInfo> = {}): Promise<PaymentInfo> {
  return aPayment(chain, { operator: localAddresses.Operator, feeReceiver: localAddresses.Operator, ...overrides })
}

export async function paymentHash(chain: TestChain, info: PaymentInfo): Promise<Hex> {
  // getHash answers one bytes32.
  return (await chain.read('Escrow', 'getHash', [info])) as Hex
}

export async function stateOf(chain: TestChain, info: PaymentInfo): Promise<PaymentState> {
  // paymentState answers three values.
  return (await chain.read('Escrow', 'paymentState', [await paymentHash(chain, info)])) as PaymentState
}

export const authorizationFields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

export const tokenDomain = {
  name: 'USD Coin',
  version: '2',
  chainId: localChainId,
  verifyingContract: localAddresses.TestUSD,
} as const

/** The payer's signature over every term of the payment. */
export async function signPayment(
  chain: TestChain,
  info: PaymentInfo,
  signer: PrivateKeyAccount = payer,
): Promise<Hex> {
  return signer.signTypedData({
    domain: tokenDomain,
    types: { ReceiveWithAuthorization: authorizationFields },
    primaryType: 'ReceiveWithAuthorization',
    message: {
      from: info.payer,
      to: localAddresses.Eip3009Collector,
      value: info.maxAmount,
      validAfter: 0n,
      validBefore: BigInt(info.preApprovalExpiry),
      nonce: await paymentHash(chain, { ...info, payer: zeroAddress }),
    },
  })
}

/** The arguments of `authorize`, signed. */
export async function authorizeArguments(chain: TestChain, info: PaymentInfo, amount = info.maxAmount) {
  return [info, amount, localAddresses.Eip3009Collector, await signPayment(chain, info)] as const
}

/** Authorizes a payment at the escrow itself, as the bare operator. */
export async function authorizeBare(chain: TestChain, info: PaymentInfo, amount = info.maxAmount): Promise<void> {
  await chain.write('Escrow', 'authorize', await authorizeArguments(chain, info, amount), { from: bareOperator })
}

/** Authorizes a payment through the marketplace's operator, relayed by the facilitator. */
export async function authorizeThroughOperator(chain: TestChain, info: PaymentInfo, amount = info.maxAmount) {
  return chain.write('Operator', 'authorize', await authorizeArguments(chain, info, amount), { from: facilitator })
}

export const asOperator: Call = { from: bareOperator }
export const asFacilitator: Call = { from: facilitator }
export const asPayer: Call = { from: payer }
export const asStranger: Call = { from: stranger }
export const treasury = localRoles.treasury.address
