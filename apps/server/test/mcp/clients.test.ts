import { tools } from '@ergon/contract'
import type { TypedData } from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aTask, eventually, type LiveMarket, type Party } from '../http/live-market.ts'
import {
  body,
  legacyClient,
  modernClient,
  oldClient,
  signingFetch,
  startLiveTools,
  type AnyClient,
  type Answer,
} from './live-tools.ts'

let live: LiveMarket
beforeAll(async () => {
  live = await startLiveTools()
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

const clients = [
  ['2026-07-28', modernClient],
  ['2025-11-25', legacyClient],
  ['the first SDK', oldClient],
] as const

type WalletAction = {
  readonly kind: string
  readonly typed_data: TypedData
  readonly how_to_return: {
    readonly tool: string
    readonly parameter: string
    readonly value: Readonly<Record<string, unknown>>
  }
}

/** What an agent does with a wallet action: signs it and calls the tool again. */
async function signAndReturn(
  client: AnyClient,
  party: Party,
  refused: Answer,
  args: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const action = refused.structuredContent?.['wallet_action'] as WalletAction // asserted by the callers
  const { tool, parameter, value } = action.how_to_return
  const signature = await party.signer.signTypedData(action.typed_data)
  const given =
    parameter === 'payment_auth'
      ? JSON.stringify({ ...value, payload: { ...(value['payload'] as object), signature } })
      : { ...value, signature }
  return client.call(tool, { ...args, [parameter]: given })
}

describe.each(clients)('a client of %s', (_era, connect) => {
  test('lists every tool, and plays a job from publishing to payment', async () => {
    const [publisher, worker] = [await live.party(5n), await live.party(0n)]
    await using buyer = await connect(live.url, signingFetch(publisher.signer))
    await using seller = await connect(live.url, signingFetch(worker.signer))
    expect((await buyer.tools()).map(({ name }) => name).sort()).toEqual(Object.keys(tools).sort())

    const taskId = String(
      body(await buyer.call('svc_publish_task', { ...aTask(), idempotency_key: `one-${publisher.wallet}` }))['id'],
    )
    const again = body(await buyer.call('svc_publish_task', { ...aTask(), idempotency_key: `one-${publisher.wallet}` }))
    expect(again['id']).toBe(taskId)
    body(await seller.call('svc_register_as_executor', { executor_type: 'robot', display_name: 'R 1' }))
    expect(body(await seller.call('svc_browse_agent_tasks'))['tasks']).toContainEqual(
      expect.objectContaining({ id: taskId, bounty_usd: 1.07 }),
    )
    const executorId = String(
      body(await seller.call('svc_accept_agent_task', { task_id: taskId, message: 'I am near.' }))['executor_id'],
    )

    const unsigned = await buyer.call('svc_assign_task', { task_id: taskId, executor_id: executorId })
    expect(unsigned).toMatchObject({
      isError: true,
      structuredContent: {
        code: 'escrow_signature_required',
        detail: { retryable: false, required_usdc: 1.07 },
        wallet_action: { kind: 'eip712', how_to_return: { tool: 'svc_assign_task', parameter: 'payment_auth' } },
      },
    })
    expect(unsigned.structuredContent?.['challenge']).toMatchObject({
      accepts: [{ extra: { typed_data: { primaryType: 'ReceiveWithAuthorization' } } }],
    })
    expect(body(await buyer.call('svc_get_task', { task_id: taskId }))).toMatchObject({ status: 'published' })
    expect(
      body(await signAndReturn(buyer, publisher, unsigned, { task_id: taskId, executor_id: executorId })),
    ).toMatchObject({ status: 'accepted', worker_wallet: worker.wallet })

    const submissionId = String(
      body(await seller.call('svc_submit_work', { task_id: taskId, evidence: { text_response: 'It is open.' } }))[
        'submission_id'
      ],
    )
    expect(body(await buyer.call('svc_check_submission', { task_id: taskId }))['submissions']).toMatchObject([
      { id: submissionId },
    ])
    const order = await buyer.call('svc_approve_submission', { submission_id: submissionId })
    expect(order).toMatchObject({
      isError: true,
      structuredContent: {
        code: 'LIFECYCLE_ORDER_REQUIRED',
        wallet_action: {
          kind: 'eip712',
          how_to_return: { tool: 'svc_approve_submission', parameter: 'lifecycle_order' },
        },
      },
    })
    expect(body(await buyer.call('svc_get_submission', { submission_id: submissionId }))).toMatchObject({
      status: 'pending_review',
    })
    expect(
      body(await signAndReturn(buyer, publisher, order, { submission_id: submissionId, rating: 90 })),
    ).toMatchObject({ status: 'approved', worker_net_usdc: 0.9309 })
    await eventually(
      () => live.balance(worker.wallet),
      (balance) => balance === 930_900n,
    )
    const events = body(
      await buyer.call('svc_wait_for_event', { task_id: taskId, types: 'task.completed', wait_seconds: 10 }),
    )['events']
    expect(events).toMatchObject([{ type: 'task.completed', data: { task_id: taskId } }])
  })
})
