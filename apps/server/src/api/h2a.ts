import { limits, type InputOf, type Operations, type TaskState } from '@ergon/contract'
import { MarketError, type TaskRead, type WalletCaller } from '@ergon/core'
import { keccak256Hex, paymentInfoType, utf8, type Network } from '@ergon/protocols'
import { done, type AnswerOf, type Call, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { createEscrowHandlers } from './escrow.ts'
import { createListingHandlers } from './listings.ts'
import { pageFields, pageRequest } from './present/page.ts'
import { presentPublishedByPerson, presentTask, presentTaskRead } from './present/task.ts'
import { presentVerdict } from './present/verdict.ts'
import { createSubmissionHandlers } from './submissions.ts'
import { createTaskHandlers, publishInput } from './tasks.ts'

const payerIn = ({ payer }: { readonly payer?: string }) => (payer === undefined ? {} : { payer })

/** The rail of people who publish (spec §1.4): a session in place of the signature, before the very same handlers. */
export function createH2aHandlers(deps: ApiDeps): HandlersOf<'h2a'> {
  const { market } = deps
  const [tasks, submissions, escrow] = [
    createTaskHandlers(deps),
    createSubmissionHandlers(deps),
    createEscrowHandlers(deps),
  ]
  const onRail = (caller: WalletCaller, taskId: string): Promise<TaskRead> => taskOfPerson(deps, caller, taskId)
  return {
    'h2a.publish': async (call, input) => {
      const { task, replayed } = await market.publish(call.caller, publishInput(call, input))
      const body = presentPublishedByPerson(task)
      return replayed ? { body, headers: { 'idempotent-replayed': 'true' } } : done(body)
    },
    'h2a.order': createListingHandlers(deps)['listings.order'],
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
          allParties: input.all_parties === true,
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
      return escrow['escrow.lifecycleChallenge'](call, input)
    },
    'h2a.approveChallenge': async (call, input) => {
      await onRail(call.caller, input.task_id)
      const submission_id = await market.currentSubmission(input.task_id)
      return submissions['submissions.approveChallenge'](call, { submission_id, ...payerIn(input) })
    },
    'h2a.assign': async (call, input) => {
      await onRail(call.caller, input.task_id)
      return tasks['tasks.assign'](call, input)
    },
    'h2a.approve': async (call, input) => {
      await onRail(call.caller, input.task_id)
      return decide(deps, submissions, call, input)
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

type ApproveCall = Call<WalletCaller>
type ApproveAnswer = AnswerOf<Operations['h2a.approve']>

async function decide(
  deps: ApiDeps,
  submissions: ReturnType<typeof createSubmissionHandlers>,
  call: ApproveCall,
  input: InputOf<Operations['h2a.approve']>,
): Promise<ApproveAnswer> {
  const { market } = deps
  const { task_id, submission_id, verdict, notes, ...fields } = input
  const submissionId = submission_id ?? (await market.currentSubmission(task_id))
  if (submission_id !== undefined && (await market.readSubmission(call.caller, submission_id)).taskId !== task_id)
    throw new MarketError('SUBMISSION_NOT_FOUND', { submission_id })
  if (verdict === 'accepted') {
    if (notes !== undefined && fields.feedback !== undefined)
      throw new MarketError('VALIDATION_FAILED', {
        field: 'notes',
        constraint: 'left out where feedback is given',
        received: 'both',
      })
    const { body, ...answer } = await submissions['submissions.approve'](call, {
      submission_id: submissionId,
      ...fields,
      ...(notes === undefined ? {} : { feedback: notes }),
    })
    return { ...answer, body: presentVerdict(input, await market.readTask(call.caller, task_id), body) }
  }
  if (notes === undefined)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'notes',
      constraint: 'required unless the verdict is accepted',
      received: 'nothing',
    })
  const decided = { submission_id: submissionId, reason: notes }
  if (verdict === 'needs_revision') {
    const { body } = await submissions['submissions.requestChanges'](call, decided)
    const outcome = { submission_id: submissionId, status: 'needs_revision' as const, dispute_id: null }
    return done(presentVerdict(input, { status: body.task_status }, outcome))
  }
  const { body } = await submissions['submissions.reject'](call, decided)
  const outcome = { submission_id: submissionId, status: 'rejected' as const, dispute_id: body.dispute.id }
  return done(presentVerdict(input, { status: body.task_status }, outcome))
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
