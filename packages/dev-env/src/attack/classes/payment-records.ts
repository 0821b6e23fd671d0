import { createTally, type AttackClass } from '../attack-class.ts'
import { applied, newParty } from '../market.ts'

const locks = 6

/** Many locks at once: whoever reads the records of a payment reads them in the order in which they were made. */
export const paymentRecords: AttackClass = {
  name: 'order of payment records',
  on: 'any',
  held: 'records are numbered by the database',
  async attack(target) {
    const tally = createTally()
    const [publisher, worker] = [await newParty(target, 10n), await newParty(target)]
    const jobs = []
    for (let count = 0; count < locks; count += 1) jobs.push(await applied(publisher, worker))
    await Promise.all(
      jobs.map(({ taskId, executorId }) => publisher.client.assignWorker({ task_id: taskId, executor_id: executorId })),
    )
    for (const { taskId } of jobs) {
      const { body } = await publisher.signed('GET', `/api/v1/payments/events/${taskId}`)
      const types = (Array.isArray(body['events']) ? body['events'] : []).map(
        (event: Readonly<Record<string, unknown>>) => String(event['event_type'] ?? event['type']),
      )
      tally.attempt(
        `the records of a lock read ${types.join(', ')}`,
        types.slice(0, 3).join(' ') === 'verify store_auth settle',
      )
    }
    return tally.score()
  },
}
