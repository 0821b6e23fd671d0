import { categories, taskStatuses } from '@ergon/contract'
import { checkInput } from '../check-input.ts'
import type { Command } from '../command.ts'
import { columns } from '../help.ts'
import { given } from '../given.ts'
import { pageFields, pageLines, pageOptions } from '../list-page.ts'
import { createClient, type Output } from '@ergon/sdk'

export const taskList: Command = {
  words: ['task', 'list'],
  about: 'Open tasks of the marketplace, or all of your own.',
  options: {
    mine: { about: 'Those you published, in every state.' },
    status: { value: 'STATUS', about: 'Only those in this state.', among: taskStatuses },
    category: { value: 'CATEGORY', about: 'Only this category.', among: categories },
    network: { value: 'NAME', about: 'Only those paid on this network.' },
    ...pageOptions,
  },
  async run(call, session) {
    const client = call.is('mine') ? session.client() : createClient({ baseUrl: session.url() })
    const page = await client.tasks.list(
      checkInput(
        'tasks.list',
        given({
          status: call.text('status'),
          category: call.text('category'),
          network: call.text('network'),
          ...pageFields(call),
          publisher: call.is('mine') ? session.profile().address : undefined,
        }),
      ),
    )
    const rows = page.tasks.map(
      (task) =>
        [task.id, `${String(task.bounty_usd).padStart(6)} USD  ${task.status.padEnd(11)} ${task.title}`] as const,
    )
    return {
      data: page,
      lines: pageLines(columns(rows), page, 'No task.'),
      brief: page.tasks.map(({ id }) => id).join('\n'),
    }
  },
}

export const taskShow: Command = {
  words: ['task', 'show'],
  about: 'One task, as you may see it.',
  positionals: [{ name: 'task', about: 'Its id.' }],
  async run(call, session) {
    const task = await session.reader().tasks.get({ task_id: call.need('task') })
    return {
      data: task,
      brief: task.status,
      lines: [
        `${task.title} (${task.status})`,
        ...columns([
          ['id', task.id],
          ['bounty', `${String(task.bounty_usd)} ${task.payment_token} on ${task.payment_network}`],
          ['deadline', task.deadline],
          ['publisher', task.agent_id],
          ['evidence', task.evidence_required.join(', ')],
          ['worker', task.executor_id ?? 'none yet'],
          ['escrow', task.escrow_status],
          ['silence', silenceOf(task.policy)],
          ...(task.next_action === null
            ? []
            : [['next', `${task.next_action.who}: ${task.next_action.what}`] as const]),
          ...(task.payment_tx === null ? [] : [['paid by', task.payment_tx] as const]),
          ...(task.refund_tx === null ? [] : [['refunded by', task.refund_tx] as const]),
        ]),
        '',
        task.instructions,
      ],
    }
  },
}

/** What a worker can rely on when nobody decides. */
function silenceOf(policy: Output<'tasks.get'>['policy']): string {
  if (policy === null) return 'no policy: at its deadline it ends, whatever was handed in'
  return `${String(policy.review_hours)} h to decide, then ${policy.on_silence}; never a refund`
}
