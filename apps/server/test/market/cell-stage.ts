import { parties, type Party } from '@ergon/contract'
import type { PolicyInput, WalletCaller } from '@ergon/core'
import { assignJob, gateTask, publisher, type Stage } from './stage.ts'

/** Whoever publishes for whomever. */
export const cells = parties.flatMap((from) => parties.map((to) => [from, to] as const))

const digits: Readonly<Record<Party, string>> = { human: 'a', agent: 'b', robot: 'c' }
const via = (party: Party) => (party === 'human' ? 'session' : 'signature')

export async function workerOf({ market }: Stage, party: Party): Promise<WalletCaller> {
  const wallet = `0x${digits[party].repeat(40)}`
  const agentId = await market.ensureIdentity(wallet)
  const caller = { kind: 'wallet', wallet, agentId, via: via(party) } as const
  await market.registerWorker(caller, { name: null, party })
  return caller
}

/** The publisher as one of the three: a human comes by a session, the others sign. */
export const publisherAs = (party: Party): WalletCaller => ({ ...publisher, via: via(party) })

/** Handed in, between these two; with the word for silence where it is signed. */
export async function delivered(
  stage: Stage,
  [from, by]: readonly [Party, WalletCaller],
  { policy, signs = false }: { readonly policy?: PolicyInput; readonly signs?: boolean } = {},
) {
  const { market } = stage
  const { task } = await market.publish(
    publisherAs(from),
    gateTask({ instructions: 'Stand in front of the gate and write what you see.', publisherType: from }),
  )
  if (policy !== undefined) await market.setPolicy(publisher, task.id, policy)
  const { executorId } = await market.apply(by, task.id, { executorId: null, message: null })
  const challenge = task.escrowStatus === 'none' ? null : await market.assignChallenge(publisher, task.id, executorId)
  const hash = challenge === null ? null : String(challenge.envelope['hash'])
  await assignJob(stage, {
    taskId: task.id,
    executorId,
    paymentAuth: challenge === null ? null : JSON.stringify(challenge.envelope),
    ...(signs && hash !== null ? { standingOrder: JSON.stringify({ payment: hash }) } : {}),
  })
  const { submission } = await market.submit(by, task.id, {
    executorId: null,
    evidence: { text_response: 'It is open.' },
    notes: null,
    deviceMetadata: null,
  })
  return { taskId: task.id, executorId, paymentAuth: null, submissionId: submission.id }
}
