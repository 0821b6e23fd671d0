import { errorCatalogue } from '@ergon/contract'
import { sellIntent } from '@ergon/contract/facts'
import { requireBounty, splitOf } from '../money.ts'
import { checkInput } from '../check-input.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import type { Client } from '@ergon/sdk'
import { readTaskFile } from '../task-file.ts'
import { waitOptions, watchTask } from '../watch-task.ts'

const sellWarnings = {
  none: [],
  unsure: ['  note      it may read like an offer to sell; publishing makes you the one who pays'],
} as const

export const taskPublish: Command = {
  words: ['task', 'publish'],
  about: 'Publish a task from a file, as its payer.',
  options: {
    file: { short: 'f', value: 'FILE', about: 'YAML or JSON with the fields of the task; - reads stdin.' },
    'dry-run': { about: 'Hold the file against the rules and say what it would cost; nothing is sent.' },
    watch: { about: 'Stay and tell what happens until the task is over.' },
    ref: {
      value: 'NAME',
      about:
        'A name for this publication: the same file under another name is another task; under the same one it is published once.',
    },
    ...waitOptions,
  },
  examples: [
    'ergon task publish -f task.yaml --dry-run',
    'ergon task publish -f task.yaml --watch',
    'ergon task publish -f task.yaml --ref "$(date +%F)"',
  ],
  async run(call, session) {
    const { network } = session.profiles.read().profiles[session.profileName] ?? {}
    const { policy: asked, ...written } = readTaskFile(call.need('file'))
    const fields = { ...(network === undefined ? {} : { payment_network: network }), ...written }
    const input = checkInput('tasks.publish', fields)
    const policy = readPolicy(asked, input.payment_streaming !== undefined)
    requireBounty(input.bounty_usd)
    const { payout, fee } = splitOf(input.bounty_usd)
    if (call.is('dry-run')) {
      const intent = input.insist === undefined ? sellIntent(input.title, input.instructions) : 'none'
      if (intent === 'sure') throw offerRefused()
      return {
        data: { dry_run: true, valid: true, task: input, payout_usd: payout, fee_usd: fee, sell_intent: intent },
        brief: 'valid',
        lines: [
          `${input.title}: the file meets the rules; nothing was sent`,
          `  costs ${String(input.bounty_usd)} USD: ${String(payout)} to the worker, ${String(fee)} of fees`,
          ...sellWarnings[intent],
        ],
      }
    }
    const ref = call.text('ref')
    const client = session.client()
    session.progress('publishing')
    // Whoever runs the same line again means the same task (decision 0070) and is told so.
    const { data: task, replayed } = await client.call('tasks.publish', {
      ...input,
      ...(ref === undefined ? {} : { client_ref: ref }),
    })
    const promise = policy === null ? 'none: at its deadline it ends' : await givePolicy(client, task.id, policy)
    const lines = [
      replayed ? `Published before, and not again: ${task.id}` : `Published ${task.id}`,
      `  bounty    ${String(task.bounty_usd)} USD on ${task.payment_network}: ${String(payout)} to the worker`,
      `  deadline  ${task.deadline}`,
      `  silence   ${promise}`,
      ...(replayed ? ['  another   --ref with a name of its own publishes the same file once more'] : []),
    ]
    if (!call.is('watch')) return { data: task, brief: task.id, lines }
    if (!session.manner.json && !session.manner.quiet) for (const line of lines) session.emit(line)
    return watchTask(session, task.id, { timeoutSec: call.number('timeout'), tell: true })
  },
}

/** As the service would refuse it (spec §1.7). */
function offerRefused(): CliError {
  return new CliError(
    'validation',
    'sell_intent_rejected',
    errorCatalogue.sell_intent_rejected.message,
    'Add "insist: sell_intent" to the file if you do want to pay for it; nothing was sent.',
  )
}

type Policy = Readonly<Record<string, unknown>>

/**
 * What the file says about silence: nothing is the default policy, `none` is none, or its fields (decision 0172). Work
 * by the tick has none by itself: it is paid as it is accepted, and silence has no lock to release (0199).
 */
function readPolicy(asked: unknown, isMetered: boolean): Policy | null {
  if (asked === undefined) return isMetered ? null : {}
  if (asked === 'none') return null
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked))
    throw usageError('policy is no list of fields', 'Write policy: none, or below it review_hours: 72 and so on.')
  checkInput('tasks.setPolicy', { task_id: '00000000-0000-7000-8000-000000000000', ...asked })
  return asked as Policy
}

/** Fixed before anybody applies. A task that is published again under the same name has its policy already. */
async function givePolicy(client: Client, task_id: string, policy: Policy): Promise<string> {
  const earlier = await client.tasks.policy({ task_id })
  const { policy: given } = earlier.fixed ? earlier : await client.tasks.setPolicy({ task_id, ...policy })
  if (given === null) return 'none: a worker applied before the policy could be set'
  const outcome = given.on_silence === 'release' ? 'the worker is paid where the checks passed' : 'a dispute opens'
  return `after ${String(given.review_hours)} h without a decision ${outcome}`
}
