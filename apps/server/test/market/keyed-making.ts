import type { OperationName } from '@ergon/contract'
import { appliedJob, approval, caughtUp, publisher, submittedJob, untilQuiet, worker, type Stage } from './stage.ts'
import { hooksOn } from './keyed-process.ts'
import {
  accepted,
  anOffer,
  count,
  disputed,
  hooked,
  publishedBy,
  queued,
  seller,
  talkScenes,
  type Scene,
} from './keyed-scenes.ts'

/** Operations that make something, or that a second run would refuse because of the first. */
export const makingScenes: readonly (readonly [OperationName, (stage: Stage, stopAt: number) => Promise<Scene>])[] = [
  [
    'listings.create',
    async (stage, stopAt) => {
      const caller = await seller(stage)
      const title = `I translate menus ${String(stopAt)}`
      return {
        call: { name: 'listings.create', caller, input: { ...anOffer, title } },
        effects: () => count(stage, 'select count(*) from listings where title = $1', [title]),
      }
    },
  ],
  [
    'listings.order',
    async (stage) => {
      const caller = await seller(stage)
      const listing = await stage.market.postListing(caller, {
        title: 'I translate',
        description: 'Any menu of up to four pages.',
        category: 'simple_action',
        unitPriceUsd: '1',
        skills: [],
        evidence: ['text_response'],
        network: null,
        acceptedNetworks: null,
      })
      return {
        call: { name: 'listings.order', caller: publisher, input: { listing_id: listing.id } },
        effects: () =>
          count(stage, 'select count(*) from applications where executor_id = $1', [listing.sellerExecutorId]),
      }
    },
  ],
  [
    'tasks.apply',
    async (stage) => {
      const { taskId } = await appliedJob(stage)
      const caller = await seller(stage)
      return {
        call: { name: 'tasks.apply', caller, input: { task_id: taskId } },
        effects: () =>
          count(
            stage,
            'select count(*) from applications a join workers w on w.id = a.executor_id where a.task_id = $1 and w.wallet = $2',
            [taskId, caller.wallet],
          ),
      }
    },
  ],
  [
    'tasks.submit',
    async (stage) => {
      const { taskId } = await accepted(stage)
      return {
        call: {
          name: 'tasks.submit',
          caller: worker,
          input: { task_id: taskId, evidence: { text_response: 'It is open.' } },
        },
        effects: () => count(stage, 'select count(*) from submissions where task_id = $1', [taskId]),
      }
    },
  ],
  [
    'submissions.dispute',
    async (stage) => {
      const { submissionId } = await submittedJob(stage)
      return {
        call: {
          name: 'submissions.dispute',
          caller: worker,
          input: { submission_id: submissionId, reason: 'other', description: 'We do not agree.' },
        },
        effects: () => count(stage, 'select count(*) from disputes where submission_id = $1', [submissionId]),
      }
    },
  ],
  [
    'disputes.addEvidence',
    async (stage) => {
      const { id } = await disputed(stage)
      return {
        call: { name: 'disputes.addEvidence', caller: worker, input: { dispute_id: id, statement: 'I was there.' } },
        effects: () => count(stage, 'select count(*) from dispute_statements where dispute_id = $1', [id]),
      }
    },
  ],
  ...talkScenes.map(([name, begin]) => {
    const scene = async (stage: Stage): Promise<Scene> => {
      const { call, effects } = await begin(stage)
      return { call, effects: () => count(stage, ...effects) }
    }
    return [name, scene] as const
  }),
  [
    'submissions.reject',
    async (stage) => {
      const { submissionId } = await submittedJob(stage)
      return {
        call: {
          name: 'submissions.reject',
          caller: publisher,
          input: { submission_id: submissionId, reason: 'The photo shows another gate.' },
        },
        effects: () => count(stage, 'select count(*) from disputes where submission_id = $1', [submissionId]),
      }
    },
  ],
  [
    'submissions.requestChanges',
    async (stage) => {
      const { submissionId, taskId } = await submittedJob(stage)
      return {
        call: {
          name: 'submissions.requestChanges',
          caller: publisher,
          input: { submission_id: submissionId, reason: 'The photo is too dark.' },
        },
        effects: () =>
          count(stage, "select count(*) from outbox where task_id = $1 and type = 'submission.revision_requested'", [
            taskId,
          ]),
      }
    },
  ],
  [
    'tasks.update',
    async (stage) => {
      const task = await publishedBy(stage, publisher)
      return {
        call: { name: 'tasks.update', caller: publisher, input: { task_id: task.id, title: 'Photograph the door' } },
        effects: () =>
          count(stage, "select count(*) from tasks where id = $1 and title = 'Photograph the door'", [task.id]),
      }
    },
  ],
  [
    'webhooks.create',
    async (stage) => {
      const caller = await seller(stage)
      return {
        call: { name: 'webhooks.create', caller, input: { url: 'https://example.org/hook', events: ['*'] } },
        effects: () => count(stage, 'select count(*) from webhooks where owner = $1', [caller.wallet]),
      }
    },
  ],
  [
    'webhooks.rotateSecret',
    async (stage) => {
      const { caller, webhook_id } = await hooked(stage)
      return {
        call: { name: 'webhooks.rotateSecret', caller, input: { webhook_id } },
        effects: async () =>
          (await count(stage, 'select count(*) from webhook_secrets where webhook_id = $1', [webhook_id])) - 1,
      }
    },
  ],
  [
    'webhooks.remove',
    async (stage) => {
      const { caller, webhook_id } = await hooked(stage)
      return {
        call: { name: 'webhooks.remove', caller, input: { webhook_id } },
        effects: async () => 1 - (await count(stage, 'select count(*) from webhooks where id = $1', [webhook_id])),
      }
    },
  ],
  [
    'webhooks.test',
    async (stage) => {
      const { caller, webhook_id } = await hooked(stage)
      return {
        call: { name: 'webhooks.test', caller, input: { webhook_id } },
        effects: queued(stage, webhook_id, 'test'),
      }
    },
  ],
  [
    'webhooks.replayDelivery',
    async (stage) => {
      const { caller, webhook_id } = await hooked(stage)
      const delivery_id = await hooksOn(stage.pool).webhooks.test(caller.wallet, webhook_id)
      return {
        call: { name: 'webhooks.replayDelivery', caller, input: { webhook_id, delivery_id } },
        effects: queued(stage, webhook_id, 'replay'),
      }
    },
  ],
  [
    'webhooks.replay',
    async (stage) => {
      const { caller, webhook_id } = await hooked(stage)
      await publishedBy(stage, caller)
      await caughtUp(stage)
      return {
        call: { name: 'webhooks.replay', caller, input: { webhook_id, from: '2020-01-01T00:00:00Z' } },
        effects: queued(stage, webhook_id, 'replay'),
      }
    },
  ],
  [
    'reputation.submit',
    async (stage) => {
      const { submissionId, taskId } = await submittedJob(stage)
      await stage.market.approve(publisher, submissionId, await approval(stage, submissionId))
      await untilQuiet(stage)
      const one = await stage.market.prepareRating(publisher, {
        taskId,
        direction: 'publisher_rates_executor',
        score: 90,
        comment: null,
      })
      const input = {
        task_id: taskId,
        direction: one.direction,
        score: one.score,
        network: one.network,
        ratee_agent_id: one.agentId,
        rater_wallet: one.rater,
        deadline: one.deadline,
        nonce: one.nonce,
        tag1: one.tag1,
        tag2: one.tag2,
        endpoint: one.endpoint,
        feedback_uri: one.feedbackUri,
        feedback_hash: one.feedbackHash,
        signature: '0x',
      }
      return {
        call: { name: 'reputation.submit', caller: publisher, input },
        effects: () =>
          count(stage, "select count(*) from outbox where task_id = $1 and type = 'reputation.updated'", [taskId]),
      }
    },
  ],
  [
    'workers.register',
    async (stage) => {
      const caller = await seller(stage)
      return {
        call: { name: 'workers.register', caller, input: { name: 'Ada' } },
        effects: () =>
          count(stage, "select count(*) from workers where wallet = $1 and display_name = 'Ada'", [caller.wallet]),
      }
    },
  ],
]
