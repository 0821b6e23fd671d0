import type { Hex } from 'viem'
import { authorizationNonce } from '@ergon/protocols'
import { localAddresses, localChainId } from '../src/index.ts'
import type { ModelDeployment, PaymentTerms } from '../src/testing/index.ts'
import { authorizationFields, tokenDomain } from './payment.ts'
import { address, asInfo, parties } from './machine-steps.ts'

/** What each signature was made over, so that the model knows a good one. */
export type Signatures = {
  readonly isSigned: (message: object, signature: string) => boolean
  readonly remember: (message: object, signature: string) => void
}

export function createSignatures(): Signatures {
  const signed = new Map<string, string>()
  const keyOf = (message: object): string =>
    JSON.stringify(message, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
  return {
    isSigned: (message: object, signature: string): boolean => signed.get(signature) === keyOf(message),
    remember: (message: object, signature: string): void => {
      signed.set(signature, keyOf(message))
    },
  }
}

export async function signTerms(
  deployment: ModelDeployment,
  book: Signatures,
  terms: PaymentTerms,
  forged: boolean,
): Promise<Hex> {
  const nonce = authorizationNonce(asInfo(terms), localChainId, localAddresses.Escrow)
  const message = {
    from: terms.payer,
    to: deployment.collector,
    value: terms.maxAmount,
    validAfter: 0n,
    validBefore: BigInt(terms.preApprovalExpiry),
    nonce,
  }
  const signature = await (forged ? parties.stranger : parties.payer).signTypedData({
    domain: tokenDomain,
    types: { ReceiveWithAuthorization: authorizationFields },
    primaryType: 'ReceiveWithAuthorization',
    message: { ...message, from: address(terms.payer), to: address(deployment.collector) },
  })
  if (!forged) book.remember({ type: 'receive', ...message }, signature)
  return signature
}
