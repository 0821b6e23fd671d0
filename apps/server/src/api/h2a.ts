import { limits, type InputOf, type Operations, type TaskState } from '@ergon/contract'
import { MarketError, splitFee, type Task, type TaskRead, type WalletCaller } from '@ergon/core'
import { keccak256Hex, paymentInfoType, utf8, type Network } from '@ergon/protocols'
import { done, type AnswerOf, type Call, type HandlersOf } from '../dispatch/handlers.ts'
import { createDecisionHandlers } from './decisions.ts'
import type { ApiDeps } from './deps.ts'
import { createPaymentHandlers } from './payments.ts'
import { usd } from './present/money.ts'
import { pageFields, pageRequest } from './present/page.ts'
import { presentPublished, presentTask, presentTaskRead } from './present/task.ts'
import { createTaskHandlers, publishInput } from './tasks.ts'

type H2aOperations =
  | 'h2a.publish'
  | 'h2a.list'
  | 'h2a.get'
  | 'h2a.submissions'
  | 'h2a.applications'
  | 'h2a.assignChallenge'
  | 'h2a.lifecycleChallenge'
  | 'h2a.approveChallenge'
  | 'h2a.assign'
  | 'h2a.approve'
  | 'h2a.cancel'
  | 'h2a.paymentConfig'

/** The rail of people who publish (spec §1.4): a session in place of the signature, before the very same handlers. */
export function createH2aHandlers(deps: ApiDeps): HandlersOf<H2aOperations> {
  const { market } = deps
  const [tasks, decisions, payments] = [
    createTaskHandlers(deps),
    createDecisionHandlers(deps),
    createPaymentHandlers(deps),
  ]
  const onRail = (caller: WalletCaller, taskId: string): Promise<TaskRead> => taskOfPerson(deps, caller, taskId)
  return {
    'h2a.publish': async (call, input) => {
      const { task, replayed } = await market.publish(call.caller, publishInput(call, input))
      const body = presentPublishedByPerson(task)
      return replayed ? { body, headers: { 'idempotent-replayed': 'true' } } : done(body)
    },
    'h2a.list': async ({ caller }, input) => {
      // Rows are filtered by the status they carry, and `assigning` is one of those.
      const status = (input.status ?? null) as TaskState | null
      const page = await market.listTasks(
        caller,
        {
          status,
          category: input.category ?? null,
          network: null,
          publisher: input.my_tasks === true ? caller.wallet : null,
          byPeople: true,
        },
        pageRequest(input),
      )
      return done({ tasks: page.rows.map(presentTask), ...pageFields(page) })
    },
    'h2a.get': async ({ caller }, input) => done(presentTaskRead(await onRail(caller, input.task_id))),
    'h2a.submissions': async (call, input) => {
      await onRail(call.caller, input.task_id)
      const { body } = await tasks['tasks.submissions'](call, input)
      return done({ task_id: input.task_id, ...body })
    },
    'h2a.applications': async (call, input) => {
      await onRail(call.caller, input.task_id)
      const { body } = await tasks['tasks.applications'](call, input)
      return done({ task_id: input.task_id, ...body })
    },
    'h2a.assignChallenge': async (call, input) => {
      await onRail(call.caller, input.task_id)
      return tasks['tasks.assignChallenge'](call, input)
    },
    'h2a.lifecycleChallenge': async (call, input) => {
      await onRail(call.caller, input.task_id)
      return payments['escrow.lifecycleChallenge'](call, input)
    },
    'h2a.approveChallenge': async (call, input) => {
      await onRail(call.caller, input.task_id)
      return decisions['submissions.approveChallenge'](call, {
        submission_id: await market.currentSubmission(input.task_id),
      })
    },
    'h2a.assign': async (call, input) => {
      await onRail(call.caller, input.task_id)
      return tasks['tasks.assign'](call, input)
    },
    'h2a.approve': async (call, input) => {
      await onRail(call.caller, input.task_id)
      return decide(deps, decisions, call, input)
    },
    'h2a.cancel': async (call, input) => {
      await onRail(call.caller, input.task_id)
      return tasks['tasks.cancel'](call, input)
    },
    'h2a.paymentConfig': () => done(paymentConfig(deps)),
  }
}

/** What people published is on their rail; a session decides nothing about the tasks of software (decision 0049). */
async function taskOfPerson(
  { market }: Pick<ApiDeps, 'market'>,
  caller: WalletCaller,
  taskId: string,
): Promise<TaskRead> {
  const task = await market.readTask(caller, taskId)
  if (task.publisherType !== 'human') throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
  return task
}

/** What a person is told who published. */
export function presentPublishedByPerson(task: Task): AnswerOf<Operations['h2a.publish']>['body'] {
  return {
    ...presentPublished(task),
    publisher_type: task.publisherType,
    target_executor_type: task.target,
    fee_usd: usd(splitFee(task.bounty).fee),
    total_required_usd: usd(task.bounty),
  }
}

type ApproveCall = Call<WalletCaller>
type ApproveAnswer = AnswerOf<Operations['h2a.approve']>

async function decide(
  deps: ApiDeps,
  decisions: ReturnType<typeof createDecisionHandlers>,
  call: ApproveCall,
  input: InputOf<Operations['h2a.approve']>,
): Promise<ApproveAnswer> {
  const { market } = deps
  const { task_id, submission_id, verdict, notes, ...fields } = input
  const submissionId = submission_id ?? (await market.currentSubmission(task_id))
  if (submission_id !== undefined && (await market.readSubmission(call.caller, submission_id)).taskId !== task_id)
    throw new MarketError('SUBMISSION_NOT_FOUND', { submission_id })
  const base = {
    task_id,
    submission_id: submissionId,
    worker_tx: null,
    fee_tx: null,
    dispute_id: null,
    notes: notes ?? null,
  }
  if (verdict === 'accepted') {
    const { body, ...answer } = await decisions['submissions.approve'](call, { submission_id: submissionId, ...fields })
    const { status } = await market.readTask(call.caller, task_id)
    return {
      ...answer,
      body: { ...base, status: body.status, task_status: status, worker_tx: body.payment_tx, fee_tx: body.fee_tx },
    }
  }
  if (notes === undefined)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'notes',
      constraint: 'required unless the verdict is accepted',
      received: 'nothing',
    })
  if (verdict === 'needs_revision') {
    const { body } = await decisions['submissions.requestChanges'](call, { submission_id: submissionId, reason: notes })
    return done({ ...base, status: 'needs_revision' as const, task_status: body.task_status })
  }
  const { body } = await decisions['submissions.reject'](call, { submission_id: submissionId, reason: notes })
  return done({ ...base, status: 'rejected' as const, task_status: body.task_status, dispute_id: body.dispute.id })
}

function paymentConfig(deps: ApiDeps): AnswerOf<Operations['h2a.paymentConfig']>['body'] {
  return {
    payment_mode: deps.paymentMode,
    fee_pct: limits.feeBps / 100,
    min_bounty_usd: limits.bountyMinUsd,
    preferred_network: deps.networks[0]?.name ?? '',
    escrow: {
      payment_info_typehash: keccak256Hex(utf8(paymentInfoType)),
      min_fee_bps: limits.feeBps,
      max_fee_bps: limits.feeBps,
      deposit_limit_usd: limits.escrowBountyMaxUsd,
      networks: Object.fromEntries(
        deps.networks.flatMap((network) => {
          const terms = signingTerms(network)
          return terms === null ? [] : [[network.name, terms]]
        }),
      ),
    },
  }
}

function signingTerms({
  chainId,
  escrow,
  tokens,
}: Network): AnswerOf<Operations['h2a.paymentConfig']>['body']['escrow']['networks'][string] | null {
  const usdc = tokens['USDC']
  if (chainId === undefined || escrow === undefined || usdc === undefined) return null
  return {
    chain_id: chainId,
    operator: escrow.operator,
    escrow: escrow.escrow,
    token_collector: escrow.collector,
    usdc: usdc.address,
    usdc_domain_name: usdc.name,
    usdc_domain_version: usdc.version,
  }
}
