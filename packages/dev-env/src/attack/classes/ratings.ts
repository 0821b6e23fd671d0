import { localAccounts } from '@ergon/contracts'
import { reputationRegistryAbi } from '@ergon/protocols'
import { encodeFunctionData } from 'viem'
import { ask, codeOf } from '../ask.ts'
import { createTally, type AttackClass } from '../attack-class.ts'
import { assigned, aTask, idOf, newParty, type Party } from '../market.ts'
import { registries, type Target } from '../target.ts'
import { becomes } from '../waves.ts'

const huge = 10n ** 38n
const earned = 96

/** Ratings by whoever has nothing to do with a paid task. */
export const ratings: AttackClass = {
  name: 'ratings by strangers',
  on: 'any',
  held: 'only ratings of paid tasks by their parties count; the facilitator rates only what was paid',
  async attack(target) {
    const tally = createTally()
    const [publisher, worker, stranger] = [await newParty(target, 10n), await newParty(target), await newParty(target)]
    const { taskId, executorId } = await assigned(publisher, worker)
    const { submission_id } = await worker.client.tasks.submit({
      task_id: taskId,
      evidence: { text_response: 'It is open.' },
    })
    await becomes(async () => (await publisher.client.tasks.get({ task_id: taskId })).status === 'verifying', 10_000)
    await publisher.client.approveSubmission({ submission_id, rating: earned })
    const standing = async (): Promise<Readonly<Record<string, unknown>>> =>
      (await worker.ask('GET', `/api/v1/workers/${executorId}/reputation`)).body
    if (!(await becomes(async () => (await standing())['onchain_reputation_score'] === earned, 10_000)))
      throw new Error('an honest rating does not count')
    const agentId = Number((await standing())['erc8004_agent_id'])
    for (const value of [-huge, huge, -100n, 0n]) {
      await rateOnChain(target, agentId, value)
      const { body } = await worker.ask('GET', `/api/v1/reputation/agents/${String(agentId)}`)
      tally.attempt(
        `an outsider wrote ${String(value)} and made it ${String(body['score'])}`,
        body['score'] === earned && (await standing())['onchain_reputation_score'] === earned,
      )
    }
    for (const [what, path, body] of foreign(taskId)) {
      const reply = await stranger.signed('POST', path, body)
      tally.attempt(`${what}: ${String(reply.status)}`, reply.status >= 400 && reply.status < 500)
    }
    tally.attempt(
      'a rating by the facilitator that nothing paid for',
      (
        await ask(target.facilitatorUrl, {
          method: 'POST',
          target: '/feedback',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            x402Version: 1,
            network: 'localnet',
            feedback: { agentId, value: 1, tag1: 'worker' },
          }),
        })
      ).status >= 400,
    )
    tally.attempt('a sybil passes a gate', await sybilIsStopped(target, publisher))
    const { body } = await worker.ask('GET', `/api/v1/reputation/agents/${String(agentId)}`)
    tally.attempt('the reputation is another in the end', body['score'] === earned && body['rating_count'] === 1)
    return tally.score()
  },
}

function foreign(taskId: string): readonly (readonly [string, string, object])[] {
  return [
    ['a stranger rates the worker', '/api/v1/reputation/workers/rate', { task_id: taskId, score: 1 }],
    ['a stranger rates the publisher', '/api/v1/reputation/agents/rate', { task_id: taskId, score: 1 }],
    [
      'a stranger prepares a rating',
      '/api/v1/reputation/relay/prepare',
      { task_id: taskId, direction: 'publisher_rates_executor', score: 1 },
    ],
  ]
}

/** Straight to the registry, from a wallet that the service never saw. */
async function rateOnChain(target: Target, agentId: number, value: bigint): Promise<void> {
  const data = encodeFunctionData({
    abi: reputationRegistryAbi,
    functionName: 'giveFeedback',
    args: [BigInt(agentId), value, 0, '', '', '', '', `0x${'0'.repeat(64)}`],
  })
  const hash = await target.rpc('eth_sendTransaction', [
    { from: localAccounts.at(-1)?.address, to: registries?.reputation, data },
  ])
  await target.rpc('evm_mine', [])
  const landed = await becomes(
    async () =>
      ((await target.rpc('eth_getTransactionReceipt', [hash])) as { readonly status?: string } | null)?.status ===
      '0x1',
    10_000,
  ) // the node's word
  if (!landed) throw new Error('the outsider could not write to the registry')
}

/** A new person whom an outsider praises does not come in where ninety are asked for. */
async function sybilIsStopped(target: Target, publisher: Party): Promise<boolean> {
  const sybil = await newParty(target)
  const { body } = await sybil.signed('POST', '/api/v1/workers/register', { executor_type: 'agent' })
  const agentId = Number(body['erc8004_agent_id'])
  await rateOnChain(target, agentId, huge)
  const gated = idOf(await publisher.signed('POST', '/api/v1/tasks', aTask({ min_reputation: 90 })))
  const score = (await sybil.ask('GET', `/api/v1/reputation/agents/${String(agentId)}`)).body['score']
  return (
    score === null && codeOf(await sybil.signed('POST', `/api/v1/tasks/${gated}/apply`, {})) === 'REPUTATION_TOO_LOW'
  )
}
