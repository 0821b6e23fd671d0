import * as Type from 'typebox'
import { type Access, operation } from '../operation.ts'
import { approveFields } from '../resources/decision.ts'
import { task } from '../resources/task.ts'
import { application, ratingStatus, submission } from '../resources/work.ts'
import {
  chainId,
  closed,
  hex32,
  id,
  networkName,
  nullable,
  open,
  optional,
  page,
  paging,
  party,
  shortSlice,
  sliced,
  target,
  text,
  txHash,
  usd,
  wallet,
} from '../schema.ts'
import { categories, headerNames, limits, paymentModes, taskStatuses } from '../vocabulary.ts'
import { escrow } from './escrow.ts'
import { listings } from './listings.ts'
import { submissions } from './submissions.ts'
import { allParties } from '../resources/task-filter.ts'
import { tasks } from './tasks.ts'

const section = 'h2a'
const access = { by: 'session' } as const satisfies Access
const path = '/api/v1/h2a/tasks'
const task_id = id('The task.')

/**
 * The rail of people who publish (spec §1.4, decision 0049): a session says who they are, their wallet signs what moves
 * money. Fields, codes and answers are those of the signed operations wherever both exist.
 */
export const h2a = {
  'h2a.publish': operation({
    section,
    summary: 'Publish a task as a person, for people, agents or robots. The caller is the payer.',
    access,
    spends: 'publish',
    input: tasks['tasks.publish'].input,
    output: open({
      ...tasks['tasks.publish'].output.properties,
      publisher_type: party('Always human here.'),
      target_executor_type: target(),
      fee_usd: usd('The fee within the bounty.'),
      total_required_usd: usd('What the wallet must hold: the bounty.'),
    }),
    success: 201,
    resend: 'kept',
    errors: tasks['tasks.publish'].errors,
    rest: [
      { method: 'POST', path, headers: tasks['tasks.publish'].rest[0].headers },
      { method: 'POST', path: '/api/v1/publish', headers: tasks['tasks.publish'].rest[0].headers },
    ],
  }),
  'h2a.order': operation({
    section,
    summary:
      'Order a service as a person: publishes the task, paid by the caller, with the seller as its applicant. Assigning the seller locks the escrow.',
    access,
    spends: 'publish',
    input: listings['listings.order'].input,
    output: listings['listings.order'].output,
    success: 201,
    resend: 'recovered',
    inFlight: true,
    errors: listings['listings.order'].errors,
    rest: [
      {
        method: 'POST',
        path: '/api/v1/h2a/services/{listing_id}/order',
        headers: listings['listings.order'].rest[0].headers,
      },
    ],
  }),
  'h2a.list': operation({
    section,
    summary: 'Tasks that people published: the public ones, or all of the caller.',
    access,
    input: closed({
      my_tasks: optional(Type.Boolean({ default: false, description: 'Only the tasks of the caller, in any status.' })),
      status: optional(Type.Enum([...taskStatuses])),
      category: optional(Type.Enum([...categories])),
      all_parties: allParties,
      ...paging,
    }),
    output: open({ tasks: Type.Array(task), ...page }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path }],
  }),
  'h2a.get': operation({
    section,
    summary: 'Read one task that a person published.',
    access,
    input: closed({ task_id }),
    output: task,
    success: 200,
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN'],
    rest: [{ method: 'GET', path: `${path}/{task_id}` }],
  }),
  'h2a.submissions': operation({
    section,
    summary: 'The submissions of a task. Reading stamps evidence_accessed_at.',
    marks: true,
    access,
    input: closed({ task_id, ...shortSlice }),
    output: open({ task_id, submissions: Type.Array(submission), ...sliced }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN'],
    rest: [{ method: 'GET', path: `${path}/{task_id}/submissions` }],
  }),
  'h2a.applications': operation({
    section,
    summary: 'Who applied to a task.',
    access,
    input: closed({ task_id, ...paging }),
    output: open({ task_id, applications: Type.Array(application), ...page }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN'],
    rest: [{ method: 'GET', path: `${path}/{task_id}/applications` }],
  }),
  'h2a.assignChallenge': operation({
    section,
    summary: 'What the wallet has to sign to assign a worker.',
    access,
    input: tasks['tasks.assignChallenge'].input,
    output: tasks['tasks.assignChallenge'].output,
    success: 200,
    errors: [...tasks['tasks.assignChallenge'].errors, 'TASK_GONE'],
    rest: [{ method: 'GET', path: `${path}/{task_id}/assign/challenge` }],
  }),
  'h2a.lifecycleChallenge': operation({
    section,
    summary: 'The release order for the wallet to sign.',
    access,
    input: escrow['escrow.lifecycleChallenge'].input,
    output: escrow['escrow.lifecycleChallenge'].output,
    success: 200,
    errors: [...escrow['escrow.lifecycleChallenge'].errors, 'TASK_GONE'],
    rest: [{ method: 'GET', path: `${path}/{task_id}/lifecycle-challenge` }],
  }),
  'h2a.approveChallenge': operation({
    section,
    summary: 'What the wallet has to sign to approve the submission that waits for review.',
    access,
    input: closed({ task_id, payer: submissions['submissions.approveChallenge'].input.properties.payer }),
    output: submissions['submissions.approveChallenge'].output,
    success: 200,
    errors: [...submissions['submissions.approveChallenge'].errors, 'TASK_NOT_FOUND', 'TASK_GONE'],
    rest: [{ method: 'GET', path: `${path}/{task_id}/approve/challenge` }],
  }),
  'h2a.assign': operation({
    section,
    summary: 'Assign an applicant and lock the bounty in escrow.',
    access,
    input: tasks['tasks.assign'].input,
    output: tasks['tasks.assign'].output,
    success: 200,
    resend: 'recovered',
    inFlight: true,
    errors: [...tasks['tasks.assign'].errors, 'TASK_GONE'],
    rest: [{ method: 'POST', path: `${path}/{task_id}/assign`, headers: tasks['tasks.assign'].rest[0].headers }],
  }),
  'h2a.approve': operation({
    section,
    summary: 'Decide about a submission: pay for it, reject it, or ask for changes.',
    access,
    input: closed({
      task_id,
      submission_id: optional(id('The submission; left out, the one that waits for review.')),
      verdict: Type.Enum(['accepted', 'rejected', 'needs_revision']),
      notes: optional(
        text(
          'Why; required unless accepted. With accepted it is the feedback, which then is left out.',
          limits.reasonMin,
          limits.reasonMax,
        ),
      ),
      ...approveFields,
    }),
    output: open({
      task_id,
      submission_id: id('The submission.'),
      status: Type.Enum(['approved', 'approving', 'rejected', 'needs_revision']),
      task_status: Type.Enum([...taskStatuses]),
      worker_tx: txHash('The payment of the worker.'),
      fee_tx: txHash('The payment of the fee.'),
      dispute_id: nullable(id('The dispute that a rejection opens.')),
      notes: nullable(Type.String()),
      rating_status: ratingStatus,
    }),
    success: 200,
    resend: 'recovered',
    inFlight: true,
    errors: [...submissions['submissions.approve'].errors, 'TASK_NOT_FOUND', 'TASK_GONE', 'DEADLINE_PASSED'],
    rest: [{ method: 'POST', path: `${path}/{task_id}/approve`, headers: { approval: headerNames.approval } }],
  }),
  'h2a.cancel': operation({
    section,
    summary: 'Cancel a task; a locked escrow is refunded to the payer first.',
    access,
    input: tasks['tasks.cancel'].input,
    output: tasks['tasks.cancel'].output,
    success: 200,
    resend: 'recovered',
    inFlight: true,
    errors: [...tasks['tasks.cancel'].errors, 'TASK_GONE'],
    rest: [{ method: 'POST', path: `${path}/{task_id}/cancel` }],
  }),
  'h2a.paymentConfig': operation({
    section,
    summary: 'What a wallet has to know before it signs: fee, bounds and contracts of each network.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({
      payment_mode: Type.Enum([...paymentModes]),
      fee_pct: Type.Number({ description: 'Per cent of the bounty.' }),
      min_bounty_usd: usd('Minimum.'),
      escrow: open({
        payment_info_typehash: hex32('Type hash of PaymentInfo.'),
        min_fee_bps: Type.Integer(),
        max_fee_bps: Type.Integer(),
        deposit_limit_usd: usd('Most that one escrow holds.'),
        networks: Type.Record(
          Type.String(),
          open({
            chain_id: chainId(),
            operator: wallet('Operator contract.'),
            escrow: wallet('Escrow contract.'),
            token_collector: wallet('Pulls the authorized funds.'),
            usdc: wallet('Token contract.'),
            usdc_domain_name: Type.String(),
            usdc_domain_version: Type.String(),
          }),
        ),
      }),
      preferred_network: networkName(),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/h2a/payment-config' }],
  }),
}
