import type { SignedAuthorization, TypedData } from '@ergon/protocols'
import { expectStatus, type Party } from './live-market.ts'

type Prepared = Readonly<Record<string, unknown>> & {
  readonly typed_data: TypedData
  readonly chain_id: number
  readonly delegate: SignedAuthorization['address']
  readonly delegated: boolean
  readonly account_nonce: number
}

/** A rating of the worker as its publisher signs it, ready to be relayed. */
export async function ratingOf(publisher: Party, taskId: string): Promise<Record<string, unknown>> {
  const reply = expectStatus(
    await publisher.call('POST', '/api/v1/reputation/relay/prepare', {
      task_id: taskId,
      direction: 'publisher_rates_executor',
      score: 95,
      comment: 'Sharp.',
    }),
    200,
  )
  const {
    typed_data,
    digest: _digest,
    chain_id,
    delegate,
    delegated,
    account_nonce,
    rater_role: _rater,
    ratee_role: _ratee,
    ...terms
  } = reply.body as unknown as Prepared // the contract's output
  const signature = await publisher.signer.signTypedData(typed_data)
  if (delegated) return { ...terms, signature }
  return {
    ...terms,
    signature,
    authorization: await publisher.signer.signAuthorization?.({
      chainId: chain_id,
      address: delegate,
      nonce: account_nonce,
    }),
  }
}
