import { ChallengeMismatch, type Output, type Signer } from '@ergon/sdk'
import type { TypedData } from '@ergon/protocols'
import { payerPctOf } from './award.ts'
import type { Said } from './ruling-draft.ts'

/** Signs a ruling, if it is the one that the page shows. @throws ChallengeMismatch */
export async function signRuling(
  signer: Signer,
  { typed_data }: Output<'disputes.rulingChallenge'>,
  said: Said,
): Promise<string> {
  // The contract says that it is typed data.
  const document = typed_data as TypedData
  const { disputeId, arbiter, verdict, payerPct, reason, criteria } = document.message
  const isThat =
    document.primaryType === 'DisputeRuling' &&
    disputeId === said.dispute_id &&
    String(arbiter).toLowerCase() === signer.address.toLowerCase() &&
    verdict === said.verdict &&
    payerPct === String(payerPctOf(said.verdict, said.split_pct ?? 0)) &&
    reason === said.reason &&
    JSON.stringify(criteria) === JSON.stringify(said.criteria)
  if (!isThat) throw new ChallengeMismatch('ruling', said.verdict, verdict)
  return signer.signTypedData(document)
}
