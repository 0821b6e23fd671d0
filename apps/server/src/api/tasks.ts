import { limits, type InputOf, type Operations, type TaskState } from '@ergon/contract'
import {
  MarketError,
  publisherOf,
  searchWords,
  writtenWords,
  type Published,
  type PublishInput,
  type UpdateInput,
  type WalletCaller,
} from '@ergon/core'
import { bodyHash } from '../dispatch/body-hash.ts'
import { done, type AnswerOf, type Call, type HandlersOf } from '../dispatch/handlers.ts'
import { readBox } from './box.ts'
import { createDecide } from './decide.ts'
import type { ApiDeps } from './deps.ts'
import { presentDeadline } from './present/deadline.ts'
import { instant } from './present/instant.ts'
import { usd } from './present/money.ts'
import { movingPageRequest, pageFields, pageRequest, shortSliceOf, sliceFields } from './present/page.ts'
import { presentEscrow } from './present/payment.ts'
import {
  answerAssignment,
  answerCancellation,
  answerWithdrawal,
  presentPlace,
  presentPublished,
  presentTask,
  presentTaskRead,
} from './present/task.ts'
import { policyInput, presentPolicyView } from './present/policy.ts'
import { presentAsked, presentTypedData } from './present/typed-data.ts'
import { presentApplication, presentApplied, presentHandedIn, presentSubmission } from './present/work.ts'

type Some = Partial<HandlersOf<'tasks'>>

export function createTaskHandlers(deps: ApiDeps): HandlersOf<'tasks'> {
  return {
    ...createFeeds(deps),
    ...createPublishing(deps),
    ...createAssigning(deps),
    ...createWorking(deps),
    ...createDeciding(deps),
    ...createPlaces(deps),
    ...createPolicies(deps),
  }
}

const createFeeds = ({ market }: ApiDeps) =>
  ({
    'tasks.list': async ({ caller }, input) => {
      // Rows are filtered by the status they carry, and `assigning` is one of those.
      const status = (input.status ?? null) as TaskState | null
      const page = await market.listTasks(
        caller,
        {
          status,
          category: input.category ?? null,
          network: input.network ?? null,
          publisher: input.publisher?.toLowerCase() ?? null,
          words: input.q === undefined ? null : searchWords(input.q),
          allParties: input.all_parties === true,
        },
        pageRequest(input),
      )
      return done({ tasks: page.rows.map(presentTask), ...pageFields(page) })
    },
    'tasks.available': async (call, input) => {
      const filter = {
        category: input.category ?? null,
        network: input.network ?? null,
        target: input.target_executor_type ?? null,
        minBountyUsd: call.exact('min_bounty') ?? null,
        maxBountyUsd: call.exact('max_bounty') ?? null,
        box: input.box === undefined ? null : readBox(input.box),
        words: input.q === undefined ? null : searchWords(input.q),
        order: input.sort ?? 'newest',
        allParties: input.all_parties === true,
      }
      const page = await market.availableTasks(call.caller, filter, movingPageRequest(input))
      return done({ tasks: page.rows.map(presentTask), ...pageFields(page) })
    },
    'tasks.get': async ({ caller }, input) => {
      const task = await market.readTask(caller, input.task_id)
      if (input.include_submissions !== true) return done(presentTaskRead(task))
      if (caller.kind === 'anonymous') throw new MarketError('SIGNATURE_REQUIRED')
      return done({
        ...presentTaskRead(task),
        submissions: (await market.submissions(caller, task.id)).map(presentSubmission),
      })
    },
  }) satisfies Some

const createPublishing = ({ market }: ApiDeps) =>
  ({
    'tasks.publish': async (call, input) =>
      answerPublished(await market.publish(call.caller, publishInput(call, input))),
    'tasks.update': async ({ caller }, input) =>
      done(presentTask(await market.updateTask(caller, input.task_id, updateInput(input)))),
    'tasks.cancel': async ({ caller }, input) =>
      answerCancellation(await market.cancel(caller, input.task_id, input.reason ?? null)),
  }) satisfies Some

/** Publishing by a tool or an agent's message: the default policy is on (decision 0199). */
export const createPromising = ({ market }: Pick<ApiDeps, 'market'>): Pick<HandlersOf<'tasks'>, 'tasks.publish'> => ({
  'tasks.publish': async (call, input) =>
    answerPublished(await market.publish(call.caller, { ...publishInput(call, input), promises: true })),
})

function answerPublished({ task, replayed }: Published): AnswerOf<Operations['tasks.publish']> {
  const body = presentPublished(task)
  return replayed ? { body, headers: { 'idempotent-replayed': 'true' } } : done(body)
}

const createAssigning = (deps: ApiDeps) => {
  const { market } = deps
  return {
    'tasks.apply': async ({ caller }, input) => {
      const application = await market.apply(caller, input.task_id, {
        executorId: input.executor_id ?? null,
        message: input.message ?? null,
        selfAccept: input.self_accept === true,
      })
      return done(presentApplied(application))
    },
    'tasks.applications': async ({ caller }, input) => {
      const page = await market.applications(caller, input.task_id, pageRequest(input))
      const known = await market.correlations(
        caller,
        page.rows.map((one) => one.executorId),
      )
      return done({
        applications: page.rows.map((one) => presentApplication(one, known.get(one.executorId))),
        ...pageFields(page),
      })
    },
    'tasks.assignChallenge': async ({ caller }, input) => {
      const challenge = await market.assignChallenge(caller, input.task_id, input.executor_id)
      const { standing } = challenge
      const extra = {
        ...presentAsked(challenge),
        ...(standing === null
          ? {}
          : { standing_order: { typed_data: presentTypedData(standing.typedData), order: { ...standing.order } } }),
      }
      const accept = {
        scheme: 'escrow',
        network: caip2Of(deps, challenge.network),
        maxAmountRequired: challenge.amount.atomic.toString(),
        asset: challenge.token,
        payTo: challenge.collector,
        extra,
      }
      return done({
        task_id: challenge.taskId,
        executor_id: challenge.executorId,
        accepts: [accept],
        most_you_can_lose_usd: usd(challenge.amount),
        expires_at: challenge.expiresAt.toISOString(),
        money_bound_until: challenge.boundUntil.toISOString(),
      })
    },
    'tasks.assign': async ({ caller }, input) => {
      const assigned = await market.assign(caller, input.task_id, {
        executorId: input.executor_id,
        notes: input.notes ?? null,
        paymentAuth: input.payment_auth ?? null,
        standingOrder: input.standing_order ?? null,
        ...destinations(input),
      })
      return answerAssignment(assigned)
    },
    'tasks.withdraw': async ({ caller }, input) =>
      answerWithdrawal(await market.withdraw(caller, input.task_id, input.reason ?? null)),
  } satisfies Some
}

const createWorking = ({ market }: ApiDeps) =>
  ({
    'tasks.begin': async ({ caller }, { task_id }) => {
      await market.begin(caller, task_id)
      return done(presentTaskRead(await market.readTask(caller, task_id)))
    },
    'tasks.application': async ({ caller }, { task_id }) => {
      const { id, outcome, place, waiting, most } = await market.ownApplication(caller, task_id)
      return done({ task_id, application_id: id, outcome, place, waiting, applications_max: most })
    },
    'tasks.submit': async ({ caller }, input) => {
      const { submission, task } = await market.submit(caller, input.task_id, {
        executorId: input.executor_id ?? null,
        evidence: input.evidence,
        notes: input.notes ?? null,
        deviceMetadata: input.device_metadata ?? null,
      })
      return done(presentHandedIn(submission, task))
    },
    'tasks.submissions': async ({ caller }, input) => {
      const found = await market.submissionsOfTask(caller, input.task_id, shortSliceOf(input))
      return done({ submissions: found.rows.map(presentSubmission), ...sliceFields(found) })
    },
    'tasks.escrow': async ({ caller }, input) => done(presentEscrow(await market.escrow(caller, input.task_id))),
  }) satisfies Some

const createDeciding = (deps: ApiDeps) => {
  const { market } = deps
  const decide = createDecide(deps)
  return {
    'tasks.approve': async ({ caller }, { task_id, ...fields }) =>
      decide.approve(caller, await market.currentSubmission(task_id), fields),
    'tasks.reject': async ({ caller }, input) =>
      decide.reject(caller, await market.currentSubmission(input.task_id), {
        reason: input.reason,
        criteria: input.criteria ?? [],
      }),
  } satisfies Some
}

const createPlaces = ({ market }: ApiDeps) =>
  ({
    'tasks.setLocation': async ({ caller }, input) => {
      const given = { lat: input.lat, lng: input.lng, radiusM: input.radius_m ?? null }
      await market.setPlace(caller, input.task_id, given)
      return done(presentPlace(input.task_id, await market.readPlace(caller, input.task_id)))
    },
    'tasks.location': async ({ caller }, input) =>
      done(presentPlace(input.task_id, await market.readPlace(caller, input.task_id))),
    'tasks.removeLocation': async ({ caller }, input) => {
      await market.setPlace(caller, input.task_id, null)
      return done({ task_id: input.task_id })
    },
  }) satisfies Some

const createPolicies = ({ market }: ApiDeps) =>
  ({
    'tasks.setPolicy': async ({ caller }, { task_id, ...fields }) =>
      done(presentPolicyView(await market.setPolicy(caller, task_id, policyInput(fields)))),
    'tasks.policy': async ({ caller }, { task_id }) =>
      done(presentPolicyView(await market.taskPolicy(caller, task_id))),
    'tasks.invite': async ({ caller }, { task_id, worker }) => {
      const { executorId, at } = await market.invite(caller, task_id, worker)
      return done({ task_id, executor_id: executorId, created_at: instant(at) })
    },
    'tasks.extend': async ({ caller }, { task_id, deadline }) =>
      done(presentDeadline(await market.extendDeadline(caller, task_id, new Date(deadline)))),
    'tasks.deadline': async ({ caller }, { task_id }) =>
      done(presentDeadline(await market.taskDeadline(caller, task_id))),
  }) satisfies Some

export function publishInput(call: Call<WalletCaller>, input: InputOf<Operations['tasks.publish']>): PublishInput {
  const { network, payment_network, payment_streaming: streaming } = input
  if (network !== undefined && payment_network !== undefined && network !== payment_network) {
    throw new MarketError('VALIDATION_FAILED', {
      field: 'payment_network',
      constraint: 'the same as network',
      received: payment_network,
    })
  }
  return {
    title: input.title,
    instructions: input.instructions,
    category: input.category,
    bountyUsd: call.exact('bounty_usd') ?? String(input.bounty_usd),
    deadlineHours: input.deadline_hours ?? limits.deadlineHoursDefault,
    evidenceRequired: input.evidence_required,
    evidenceOptional: input.evidence_optional ?? [],
    locationHint: writtenWords(input.location_hint ?? null),
    minReputation: input.min_reputation ?? 0,
    network: network ?? payment_network ?? null,
    token: input.payment_token ?? null,
    target: input.target_executor_type ?? 'any',
    publisherType: publisherOf(call.caller.via),
    paymentAuth: input.payment_auth ?? null,
    insists: input.insist === 'sell_intent',
    ...(input.listing_id === undefined ? {} : { listingId: input.listing_id }),
    ...(streaming === undefined
      ? {}
      : {
          streaming: {
            unit: streaming.unit ?? 'observation',
            pricePerUnit: streaming.price_per_unit,
            capUsd: streaming.cap_usd,
          },
        }),
    idempotency: input.idempotency_key === undefined ? null : { key: input.idempotency_key, bodyHash: bodyHash(input) },
  }
}

function destinations({ payment_worker, payment_fee }: InputOf<Operations['tasks.assign']>): {
  readonly paymentWorker?: string
  readonly paymentFee?: string
} {
  return {
    ...(payment_worker === undefined ? {} : { paymentWorker: payment_worker }),
    ...(payment_fee === undefined ? {} : { paymentFee: payment_fee }),
  }
}

/** Only what was sent changes. */
function updateInput({
  title,
  instructions,
  location_hint,
  deadline_hours,
  min_reputation,
  target_executor_type,
  open_to_all,
  insist,
}: InputOf<Operations['tasks.update']>): UpdateInput {
  return {
    ...(title === undefined ? {} : { title }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(location_hint === undefined ? {} : { locationHint: location_hint }),
    ...(deadline_hours === undefined ? {} : { deadlineHours: deadline_hours }),
    ...(min_reputation === undefined ? {} : { minReputation: min_reputation }),
    ...(target_executor_type === undefined ? {} : { target: target_executor_type }),
    opensOrder: open_to_all === true,
    insists: insist === 'sell_intent',
  }
}

function caip2Of(deps: ApiDeps, name: string): string {
  return deps.networks.find((one) => one.name === name)?.caip2 ?? name
}
