import { checkInput } from '../check-input.ts'
import type { Command } from '../command.ts'
import { given } from '../given.ts'

export const rate: Command = {
  words: ['rate'],
  about: 'Rate the other party of a completed task; you are its author on chain.',
  positionals: [
    { name: 'task', about: 'The id of the task.' },
    { name: 'score', about: '0 to 100.' },
  ],
  options: { comment: { value: 'TEXT', about: 'Published with the rating.' } },
  async run(call, session) {
    const client = session.client()
    const task_id = call.need('task')
    const { agent_id } = await client.tasks.get({ task_id })
    const direction =
      agent_id.toLowerCase() === session.signer().address.toLowerCase()
        ? 'publisher_rates_executor'
        : 'executor_rates_publisher'
    const rating = await client.rate(
      checkInput(
        'reputation.prepare',
        given({ task_id, direction, score: call.number('score'), comment: call.text('comment') }),
      ),
    )
    return {
      data: rating,
      brief: rating.transaction_hash ?? task_id,
      lines: [`Rated ${String(rating.score)} of 100: ${rating.transaction_hash ?? 'on its way'}`],
    }
  },
}
