import type { Output, Signer } from '@ergon/sdk'
import type { TypedData } from '@ergon/protocols'

type Asked = Output<'offers.challenge'>['settlement_auth_worker']

/** The document says other amounts than the page. */
export class NotWhatWasShown extends Error {
  override readonly name = 'NotWhatWasShown'
}

const tokenDecimals = 6

/** Signs the words of an offer, if they divide the money as the page shows it. @throws NotWhatWasShown */
export async function signOffer(signer: Signer, document: unknown, workerUsd: number): Promise<string> {
  // The contract says that it is typed data.
  const words = document as TypedData
  const atomic = String(Math.round(workerUsd * 10 ** tokenDecimals))
  if (words.primaryType !== 'SettlementOffer' || words.message['workerAmount'] !== atomic) throw new NotWhatWasShown()
  return signer.signTypedData(words)
}

type Payments = { readonly settlement_auth_worker?: string; readonly settlement_auth_fee?: string }

/** The payer's direct payments, where nothing is held. */
export async function signPayments(
  signer: Signer,
  asked: { readonly settlement_auth_worker: Asked; readonly settlement_auth_fee: Asked },
): Promise<Payments> {
  const { settlement_auth_worker: payout, settlement_auth_fee: fee } = asked
  return {
    ...(payout === null ? {} : { settlement_auth_worker: await signOne(signer, payout) }),
    ...(fee === null ? {} : { settlement_auth_fee: await signOne(signer, fee) }),
  }
}

async function signOne(signer: Signer, { typed_data, envelope }: NonNullable<Asked>): Promise<string> {
  const signature = await signer.signTypedData(typed_data)
  const payload = envelope['payload']
  const fields = typeof payload === 'object' && payload !== null ? payload : {}
  return JSON.stringify({ ...envelope, payload: { ...fields, signature } })
}
