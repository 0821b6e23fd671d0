import { returnSignature, type WalletAction } from '@ergon/contract'
import type { Signer, TypedData } from '@ergon/protocols'

export type Fields = Readonly<Record<string, unknown>>

/** What a wallet is asked to sign before a call goes through, and the field that takes the signature. */
export type ToSign = { readonly typedData: TypedData; readonly field: string }

/** What a party does in the main job. */
export type Act =
  'publish' | 'register' | 'apply' | 'assign' | 'uploadLink' | 'submit' | 'approve' | 'readTask' | 'readPayment'

/** One party that speaks a protocol of agents; every request is signed by its wallet. */
export type Agent = AsyncDisposable & {
  /** How the protocol calls an act. */
  nameOf(act: Act): string
  nameOfRating(direction: Rating['direction']): string
  /** @throws with the answer when the service refuses */
  call(act: Act, fields: Fields): Promise<Fields>
  /** The same for what moves money: what the answer asks for is signed, once it was looked at, and sent. */
  callSigned(act: 'assign' | 'approve', fields: Fields, check: (asked: readonly ToSign[]) => void): Promise<Fields>
  rate(rating: Rating): Promise<string | null>
}

export type Rating = {
  readonly task_id: string
  readonly direction: 'publisher_rates_executor' | 'executor_rates_publisher'
  readonly score: number
}

/** An answer of the service, read as an object. @throws when it is none */
export function objectOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw new Error(`the service answered ${JSON.stringify(value)}`)
  return value as Fields // an object that is not null
}

/** The service asks for one signature after the other; mode fase1 asks for two. */
const mostSignatures = 2

/**
 * Signs what an answer asks for and sends the call as the answer says, until it goes through. All that is asked for is
 * looked at first.
 * @throws when another document is put before the wallet than the one that it looked at
 */
export async function signAsked(
  refused: Fields,
  signer: Pick<Signer, 'signTypedData'>,
  check: (asked: readonly ToSign[]) => void,
  send: (fields: Fields) => Promise<Fields>,
): Promise<Fields> {
  const asked = readChallenge(objectOf(refused['challenge']))
  check(asked)
  let answer = refused
  for (let signed = 0; answer['wallet_action'] !== undefined; signed += 1) {
    const action = answer['wallet_action'] as WalletAction // the contract's block
    const document = action.typed_data as TypedData | undefined // as the contract hands it out
    if (signed === mostSignatures || document === undefined || !asked.some((one) => moves(one.typedData, document)))
      throw new Error(`asked to sign what was not looked at: ${JSON.stringify(action)}`)
    answer = await send(returnSignature(action, await signer.signTypedData(document)))
  }
  return answer
}

/** Whether both move the same sum of the same payment to the same address; nonces and times are new each time. */
function moves(looked: TypedData, document: TypedData): boolean {
  return ['from', 'to', 'value', 'amount', 'paymentInfoHash'].every(
    (field) => String(looked.message[field]) === String(document.message[field]),
  )
}

type Asked = { readonly typed_data: TypedData } | null
type Challenge = {
  readonly accepts?: readonly { readonly extra: { readonly typed_data: TypedData } }[]
  readonly lifecycle_order?: Asked
  readonly settlement_auth_worker?: Asked
  readonly settlement_auth_fee?: Asked
}

function readChallenge(body: Fields): readonly ToSign[] {
  const { accepts = [], ...challenge } = body as Challenge // the contract's output
  const named = [
    ['payment_auth', accepts[0]?.extra],
    ['lifecycle_order', challenge.lifecycle_order],
    ['settlement_auth_worker', challenge.settlement_auth_worker],
    ['settlement_auth_fee', challenge.settlement_auth_fee],
  ] as const
  return named.flatMap(([field, one]) => (one ? [{ typedData: one.typed_data, field }] : []))
}
