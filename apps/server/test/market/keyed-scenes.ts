import type { OperationName } from '@ergon/contract'
import type { WalletCaller } from '@ergon/core'
import { appliedJob, assignJob, gateTask, publisher, submittedJob, worker, type Stage } from './stage.ts'
import { addPortfolio, completedJob } from './account-life.ts'
import { hooksOn, type Call } from './keyed-process.ts'

export const anOffer = {
  title: 'I translate menus',
  description: 'Any menu of up to four pages, into English.',
  category: 'simple_action',
  unit_price_usd: 1,
  skills: ['translation'],
}

export async function publishedBy({ market }: Stage, caller: WalletCaller) {
  const { task } = await market.publish(caller, gateTask({ bountyUsd: '1' }))
  return task
}

/** What is called, and by which statement its effects are counted. */
type TalkScene = {
  readonly call: {
    readonly name: OperationName
    readonly caller: WalletCaller
    readonly input: Readonly<Record<string, unknown>>
  }
  readonly effects: readonly [text: string, values: readonly unknown[]]
}

/** What parties write to one another. */
export const talkScenes: readonly (readonly [OperationName, (stage: Stage) => Promise<TalkScene>])[] = [
  [
    'messages.send',
    async (stage) => {
      const job = await appliedJob(stage)
      await assignJob(stage, job)
      return {
        call: { name: 'messages.send', caller: worker, input: { task_id: job.taskId, text: 'Which gate?' } },
        effects: ['select count(*) from task_messages where task_id = $1', [job.taskId]],
      }
    },
  ],
  [
    'questions.ask',
    async (stage) => {
      const { taskId } = await appliedJob(stage)
      return {
        call: { name: 'questions.ask', caller: worker, input: { task_id: taskId, text: 'Which gate?' } },
        effects: ["select count(*) from task_messages where task_id = $1 and audience = 'public'", [taskId]],
      }
    },
  ],
  [
    'questions.answer',
    async (stage) => {
      const { taskId } = await appliedJob(stage)
      const { id } = await stage.market.askQuestion(worker, taskId, 'Which gate?')
      const input = { task_id: taskId, question_id: id, text: 'The green one.' }
      return {
        call: { name: 'questions.answer', caller: publisher, input },
        effects: ['select count(*) from task_messages where answers = $1', [id]],
      }
    },
  ],
  [
    'tasks.extend',
    async (stage) => {
      const { taskId } = await appliedJob(stage)
      const { deadline } = await stage.market.taskDeadline(publisher, taskId)
      const later = new Date(deadline.getTime() + 3_600_000).toISOString()
      return {
        call: { name: 'tasks.extend', caller: publisher, input: { task_id: taskId, deadline: later } },
        effects: ['select count(*) from task_extensions where task_id = $1', [taskId]],
      }
    },
  ],
  [
    'portfolio.answer',
    async (stage) => {
      const taskId = await completedJob(stage)
      await addPortfolio(stage, taskId)
      await stage.pool.query("update portfolio_pieces set state = 'asked' where task_id = $1", [taskId])
      return {
        call: { name: 'portfolio.answer', caller: publisher, input: { task_id: taskId, allow: true } },
        effects: ["select count(*) from outbox where task_id = $1 and type = 'portfolio.answered'", [taskId]],
      }
    },
  ],
  [
    'tasks.invite',
    async (stage) => {
      const { executorId } = await appliedJob(stage)
      const { id: taskId } = await publishedBy(stage, publisher)
      // One wallet invites twenty times a day, and there are more stops than that.
      await stage.pool.query('delete from task_invitations')
      return {
        call: { name: 'tasks.invite', caller: publisher, input: { task_id: taskId, worker: executorId } },
        effects: ["select count(*) from outbox where task_id = $1 and type = 'worker.invited'", [taskId]],
      }
    },
  ],
]

export async function count(stage: Stage, text: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await stage.pool.query<{ count: bigint }>(text, [...values])
  return Number(rows[0]?.count ?? 0n)
}

/** A call, and how many times its effect took place. */
export type Scene = { readonly call: Call; effects(): Promise<number> }

export async function accepted(stage: Stage) {
  const job = await appliedJob(stage)
  await assignJob(stage, job)
  return job
}

export async function disputed(stage: Stage) {
  const job = await submittedJob(stage)
  return stage.market.openDispute(worker, job.submissionId, { reason: 'other', description: 'We do not agree.' })
}

let sellers = 0
/** A seller nobody has seen: nobody may have more than twenty listings. */
export async function seller(stage: Stage): Promise<WalletCaller> {
  sellers += 1
  const wallet = `0x${sellers.toString(16).padStart(40, '5')}`
  const agentId = await stage.market.ensureIdentity(wallet)
  return { kind: 'wallet', wallet, agentId, via: 'signature' }
}

/** An endpoint of a new owner, as it is when its challenge was answered. */
export async function hooked(stage: Stage) {
  const caller = await seller(stage)
  const { webhook } = await hooksOn(stage.pool).webhooks.create(caller.wallet, {
    url: 'https://example.org/hook',
    events: ['*'],
    description: null,
    signsEd25519: false,
  })
  await stage.pool.query("update webhooks set status = 'active', verified_at = now() where id = $1", [webhook.id])
  return { caller, webhook_id: webhook.id }
}

export const queued = (stage: Stage, webhookId: string, kind: string) => () =>
  count(stage, 'select count(*) from webhook_deliveries where webhook_id = $1 and kind = $2', [webhookId, kind])

export const settled = (stage: Stage, taskId: string, purpose: string) => () =>
  count(stage, "select count(*) from settlements where task_id = $1 and purpose = $2 and status = 'confirmed'", [
    taskId,
    purpose,
  ])
