import type { SigningRequest } from '../wallet/signing.ts'

/** Which of the two transfers of a direct payment is signed, and how much it moves. */
export type DirectPart = { readonly what: 'payout' | 'fee'; readonly usd: number; readonly to: string }

/** A payment straight from the signer is two transfers, and the wallet shows each with its own amount and receiver. */
export function partOfDirect({ intent, subject }: Pick<SigningRequest, 'intent' | 'subject'>): DirectPart | undefined {
  const { way, payee, amountUsd, receivedUsd } = intent
  if (way !== 'direct' || payee === undefined || amountUsd === undefined || receivedUsd === undefined) return undefined
  if (subject.kind !== 'document' || subject.document.primaryType !== 'TransferWithAuthorization') return undefined
  const to = String(subject.document.message['to'])
  return to.toLowerCase() === payee.toLowerCase()
    ? { what: 'payout', usd: receivedUsd, to }
    : { what: 'fee', usd: Math.round((amountUsd - receivedUsd) * 1e6) / 1e6, to }
}
