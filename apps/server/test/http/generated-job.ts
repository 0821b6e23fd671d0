/**
 * A whole job as whoever has only the document writes it: against what `@hey-api/openapi-ts` makes of it, without a
 * cast and without our client. It is compiled beside the generated files, where its imports are.
 */
export const generatedJob = `
import * as market from './client'
import type { TypedData } from './client'
import { createClient } from './client/client'

export type Wallet = {
  readonly address: string
  readonly fetch: typeof fetch
  readonly sign: (document: TypedData) => Promise<string>
}

export async function job(baseUrl: string, publisher: Wallet, worker: Wallet) {
  const as = ({ fetch }: Wallet) => ({ client: createClient({ baseUrl, fetch }), throwOnError: true as const })
  const [buyer, seller] = [as(publisher), as(worker)]
  const keyed = () => ({ 'X-Idempotency-Key': crypto.randomUUID() })

  await market.workersRegister({ ...seller, body: { name: 'Bob', executor_type: 'agent' } })
  const { data: task } = await market.tasksPublish({
    ...buyer,
    headers: keyed(),
    body: {
      title: 'What is on the menu today?',
      instructions: 'Read the board of the canteen and write down the three dishes of the day.',
      category: 'data_collection',
      bounty_usd: 1.07,
      evidence_required: ['text_response'],
    },
  })
  const path = { task_id: task.id }
  await market.tasksApply({ ...seller, path, body: { message: 'I am near.' } })
  const { data: applied } = await market.tasksApplications({ ...buyer, path })
  const [applicant] = applied.applications
  if (applicant === undefined) throw new Error('nobody applied')
  const { executor_id } = applicant

  const { data: toLock } = await market.tasksAssignChallenge({ ...buyer, path, query: { executor_id } })
  const [offer] = toLock.accepts
  if (offer === undefined) throw new Error('the challenge offers nothing to sign')
  const { typed_data, envelope } = offer.extra
  const auth = { ...envelope, payload: { ...envelope.payload, signature: await publisher.sign(typed_data) } }
  const { data: assigned } = await market.tasksAssign({
    ...buyer,
    path,
    headers: { ...keyed(), 'X-Payment-Auth': JSON.stringify(auth) },
    body: { executor_id },
  })

  const evidence = { text_response: 'It is open.' }
  const { data: submitted } = await market.tasksSubmit({ ...seller, path, body: { evidence } })
  const one = { path: { submission_id: submitted.submission_id } }
  const { data: toRelease } = await market.submissionsApproveChallenge({ ...buyer, ...one })
  const { lifecycle_order } = toRelease
  if (lifecycle_order === null) throw new Error('the challenge has no order')
  const signature = await publisher.sign(lifecycle_order.typed_data)
  const { data: approved } = await market.submissionsApprove({
    ...buyer,
    ...one,
    headers: keyed(),
    body: { lifecycle_order: { ...lifecycle_order.order, signer: publisher.address, signature } },
  })

  const { data: ended } = await market.tasksGet({ ...seller, path })
  const refused = await market.tasksGet({ client: seller.client, path: { task_id: executor_id } })
  return {
    assigned: assigned.status,
    approved: approved.status,
    net: approved.worker_net_usdc,
    ended: ended.status,
    refused: [refused.error?.code, refused.error?.detail.retryable, refused.error?.detail.recovery],
  }
}
`

/** What a challenge hands out goes back with a signature, and no field is of two types at once. */
export const generatedTypes = `
import type { components } from './types'
type Schemas = components['schemas']
type Asked = NonNullable<Schemas['SubmissionsApproveChallengeAnswer']['lifecycle_order']>['order']

export const signed = (order: Asked, signer: string, signature: string): Schemas['LifecycleOrder'] => ({
  ...order,
  signer,
  signature,
})
export const kept: Schemas['AccountExportAnswer'] = {
  exported_at: '2026-11-23T12:00:00.000Z',
  executor_id: null,
  profile: null,
  submissions: [],
  applications: [],
  reports: [],
  blocked_users: [],
}
`
