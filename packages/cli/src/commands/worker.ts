import { parties } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { checkInput } from '../check-input.ts'
import type { Command } from '../command.ts'
import { given } from '../given.ts'
import { columns } from '../help.ts'
import type { Session } from '../session.ts'

export const workerRegister: Command = {
  words: ['worker', 'register'],
  about: 'Register as a worker, or change the name.',
  options: {
    name: { value: 'TEXT', about: 'The name others see.' },
    type: {
      value: 'PARTY',
      about: 'What signs here; a person signs in with a browser.',
      among: parties.filter((one) => one !== 'human'),
    },
  },
  async run(call, session) {
    const worker = await session
      .client()
      .workers.register(
        checkInput('workers.register', given({ name: call.text('name'), executor_type: call.text('type') })),
      )
    return { data: worker, brief: worker.id, lines: [`Worker ${worker.id}`, `  wallet  ${worker.wallet_address}`] }
  },
}

export const workerProfile: Command = {
  words: ['worker', 'profile'],
  about: 'A worker as others see it; you when no id is given.',
  positionals: [{ name: 'worker', about: 'The executor id.', optional: true }],
  async run(call, session) {
    const worker = await session.reader().workers.get({ executor_id: call.text('worker') ?? (await ownId(session)) })
    return {
      data: worker,
      brief: worker.id,
      lines: [
        `${worker.display_name ?? 'unnamed'} (${worker.executor_type})`,
        ...columns([
          ['id', worker.id],
          ['wallet', worker.wallet_address],
          ['done', String(worker.tasks_completed)],
          ['reputation', String(worker.effective_reputation_score ?? 'unrated')],
        ]),
      ],
    }
  },
}

export const workerEarnings: Command = {
  words: ['worker', 'earnings'],
  about: 'What you have earned.',
  async run(_call, session) {
    const earnings = await session.client().workers.earnings({ executor_id: await ownId(session) })
    return {
      data: earnings,
      lines: earnings.payments.length + earnings.pending.length === 0 ? ['Nothing yet.'] : linesOf(earnings),
    }
  },
}

function linesOf({ paid, pending, payments }: Output<'workers.earnings'>): readonly string[] {
  return [
    ...columns([
      ...paid.map(
        ({ network, token, payout_usd, count }) =>
          [`paid on ${network}`, `${String(payout_usd)} ${token} for ${String(count)}`] as const,
      ),
      ...pending.map(
        ({ network, token, gross_usd, count }) =>
          [`under way on ${network}`, `${String(gross_usd)} ${token} of bounties, ${String(count)}`] as const,
      ),
    ]),
    ...payments.map(({ paid_at, payout_usd, token, title, payment_tx }) =>
      `${String(paid_at)}  ${String(payout_usd)} ${token}  ${title}  ${payment_tx ?? ''}`.trimEnd(),
    ),
  ]
}

/** Registering again changes nothing and answers who one is. */
async function ownId(session: Session): Promise<string> {
  return (await session.client().workers.register({})).id
}
