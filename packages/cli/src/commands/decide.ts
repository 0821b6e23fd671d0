import { disputeReasons } from '@ergon/contract'
import type { Client, Output } from '@ergon/sdk'
import { CliError } from '../cli-error.ts'
import { checkInput } from '../check-input.ts'
import type { Command, Positional } from '../command.ts'
import { given } from '../given.ts'
import { columns } from '../help.ts'
import { openInBrowser } from '../open-in-browser.ts'
import { meterOf } from './meter-lines.ts'

const task: Positional = { name: 'task', about: 'The id of the task.' }
type Submission = Output<'submissions.get'>

export const applicants: Command = {
  words: ['applicants'],
  about: 'Who applied to a task of yours.',
  positionals: [task],
  async run(call, session) {
    const page = await session.client().tasks.applications({ task_id: call.need('task') })
    const rows = page.applications.map(
      (one) =>
        [
          one.executor_id,
          `${String(one.effective_reputation_score ?? 'unrated').padStart(7)}  ${String(one.tasks_completed)} done  ${one.message ?? ''}`,
        ] as const,
    )
    return {
      data: page,
      brief: page.applications.map(({ executor_id }) => executor_id).join('\n'),
      lines: rows.length === 0 ? ['Nobody has applied yet.'] : columns(rows),
    }
  },
}

export const assign: Command = {
  words: ['assign'],
  about: 'Assign an applicant: the bounty is signed into escrow.',
  positionals: [task, { name: 'worker', about: 'The executor id, from applicants.' }],
  options: { 'worker-wallet': { value: '0x…', about: 'Sign for this payee only.' } },
  async run(call, session) {
    const [task_id, executor_id, worker_wallet] = [call.need('task'), call.need('worker'), call.text('worker-wallet')]
    const client = session.client()
    const task = await client.tasks.get({ task_id })
    const { bounty_usd, payment_network, payment_token } = task
    const meter = await meterOf(client, task)
    await session.confirm(
      meter === null
        ? `Lock ${String(bounty_usd)} ${payment_token} on ${payment_network} for this worker?`
        : `Assign this worker, to be paid ${meter.price_per_unit} ${payment_token} a ${meter.unit}?`,
    )
    session.progress('signing and locking')
    const assignment = await client.assignWorker({
      task_id,
      executor_id,
      bounty_usd,
      payment_network,
      payment_token,
      ...(worker_wallet === undefined ? {} : { worker_wallet }),
    })
    const sum = `${String(bounty_usd)} ${payment_token}`
    const held =
      assignment.escrow_tx === null ? `${sum} to be paid at approval` : `${sum} held, ${assignment.escrow_tx}`
    const byUnit = 'paid by the unit, nothing is locked yet; ergon channel open puts the money in'
    return {
      data: assignment,
      brief: assignment.task_id,
      lines: [`Assigned to ${assignment.executor_id}: ${meter === null ? held : byUnit}`],
    }
  },
}

export const review: Command = {
  words: ['review'],
  about: 'The submission of a task: its checks, how much they cover, and links to the evidence.',
  positionals: [task],
  options: { open: { about: 'Open the links in a browser.' } },
  async run(call, session) {
    const submission = await submissionOf(session.client(), call.need('task'))
    const links = Object.values(submission.evidence).filter(
      (value): value is string => typeof value === 'string' && /^https?:\/\//.test(value),
    )
    if (call.is('open')) for (const link of links) openInBrowser(link)
    return {
      data: submission,
      brief: submission.id,
      lines: [
        `Submission ${submission.id} (${submission.status})`,
        `  checks ${submission.verification}: score ${String(submission.pre_check_score ?? 'none')}, coverage ${String(submission.coverage ?? 'none')}`,
        ...columns(
          submission.checks.map(
            ({ name, result, reason }) => [`  ${name}`, `${result.padEnd(14)}  ${reason}`] as const,
          ),
        ),
        'Evidence',
        ...columns(
          Object.entries(submission.evidence).map(
            ([type, value]) => [type, typeof value === 'string' ? value : JSON.stringify(value)] as const,
          ),
        ),
      ],
    }
  },
}

export const approve: Command = {
  words: ['approve'],
  about: 'Approve the submission of a task: the worker is paid at once.',
  positionals: [task],
  options: {
    rating: { value: '0-100', about: 'Rate the worker as well.' },
    feedback: { value: 'TEXT', about: 'A comment on the rating.' },
    'worker-wallet': { value: '0x…', about: 'Sign for this payee only.' },
  },
  async run(call, session) {
    const client = session.client()
    const [task_id, worker_wallet] = [call.need('task'), call.text('worker-wallet')]
    const { id: submission_id } = await submissionOf(client, task_id)
    const task = await client.tasks.get({ task_id })
    const { bounty_usd, payment_network, payment_token } = task
    const meter = await meterOf(client, task)
    const input = checkInput(
      'submissions.approve',
      given({ submission_id, rating: call.number('rating'), feedback: call.text('feedback') }),
    )
    const sum = meter === null ? String(bounty_usd) : `${String(meter.consumed_usd)} of ${String(meter.cap_usd)}`
    await session.confirm(`Pay for this task (${sum} ${payment_token})?`)
    session.progress('signing and paying')
    const approval = await client.approveSubmission({
      ...input,
      bounty_usd,
      payment_network,
      payment_token,
      ...(worker_wallet === undefined ? {} : { worker_wallet }),
    })
    return {
      data: approval,
      brief: approval.payment_tx ?? submission_id,
      lines: [
        `Approved: ${String(approval.worker_net_usdc)} ${payment_token} to the worker`,
        `  payment  ${approval.payment_tx ?? approval.escrow_release_tx ?? 'on its way'}`,
      ],
    }
  },
}

export const payFee: Command = {
  words: ['pay-fee'],
  about: 'Pay the fee of a task that was left unpaid when its worker was paid.',
  positionals: [task],
  async run(call, session) {
    const client = session.client()
    const task_id = call.need('task')
    const { platform_fee_usdc, network, token } = await client.payments.feeChallenge({ task_id })
    await session.confirm(`Pay ${String(platform_fee_usdc)} ${token} on ${network} for the fee of this task?`)
    session.progress('signing and paying')
    const paid = await client.payUnpaidFee({ task_id })
    return {
      data: paid,
      brief: paid.fee_tx ?? task_id,
      lines: [
        `Paid: ${String(paid.platform_fee_usdc)} ${token} for the fee`,
        `  payment  ${paid.fee_tx ?? 'on its way'}`,
      ],
    }
  },
}

export const reject: Command = {
  words: ['reject'],
  about: 'Reject the submission of a task: a dispute opens.',
  positionals: [task],
  options: {
    reason: { value: 'TEXT', about: 'Why.' },
    criterion: { value: 'TEXT', about: 'What is not met.', many: true },
  },
  async run(call, session) {
    const { id: submission_id } = await submissionOf(session.client(), call.need('task'))
    const criteria = call.list('criterion')
    const input = checkInput(
      'submissions.reject',
      given({ submission_id, reason: call.need('reason'), criteria: criteria.length === 0 ? undefined : criteria }),
    )
    await session.confirm('Reject this work? A dispute opens.')
    const rejection = await session.client().submissions.reject(input)
    return {
      data: rejection,
      brief: rejection.submission_id,
      lines: [`Rejected; the task is ${rejection.task_status}`],
    }
  },
}

export const requestChanges: Command = {
  words: ['request-changes'],
  about: 'Ask the worker to hand in again.',
  positionals: [task],
  options: { reason: { value: 'TEXT', about: 'What is missing.' } },
  async run(call, session) {
    const { id: submission_id } = await submissionOf(session.client(), call.need('task'))
    const asked = await session
      .client()
      .submissions.requestChanges(
        checkInput('submissions.requestChanges', { submission_id, reason: call.need('reason') }),
      )
    return { data: asked, brief: asked.submission_id, lines: [`Asked for changes; the task is ${asked.task_status}`] }
  },
}

export const dispute: Command = {
  words: ['dispute'],
  about: 'Dispute a submission in review, as either party.',
  positionals: [task],
  options: {
    reason: { value: 'REASON', about: 'Why.', among: disputeReasons },
    description: { value: 'TEXT', about: 'What is wrong.' },
  },
  async run(call, session) {
    const { id: submission_id } = await submissionOf(session.client(), call.need('task'))
    const opened = await session.client().submissions.dispute(
      checkInput('submissions.dispute', {
        submission_id,
        reason: call.need('reason'),
        description: call.need('description'),
      }),
    )
    return { data: opened, brief: opened.id, lines: [`Dispute ${opened.id} is open`] }
  },
}

/** The newest submission: earlier ones were sent back. */
async function submissionOf(client: Client, task_id: string): Promise<Submission> {
  const { submissions } = await client.tasks.submissions({ task_id })
  const newest = submissions.toSorted((one, other) => other.submitted_at.localeCompare(one.submitted_at))[0]
  if (newest === undefined)
    throw new CliError(
      'notFound',
      'SUBMISSION_NOT_FOUND',
      'nothing has been handed in for this task yet',
      `Wait for it: ergon wait ${task_id} --for submission.received`,
    )
  return newest
}
