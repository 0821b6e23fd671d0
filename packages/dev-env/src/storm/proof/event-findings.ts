import type { ChainFacts } from './chain-facts.ts'
import type { TableFacts } from './table-facts.ts'
import type { Finding } from './verdict.ts'

/** Which events a confirmed settlement brings with it, each once. */
const eventsOf: Readonly<Record<string, readonly string[]>> = {
  lock: ['task.assigned', 'payment.escrowed'],
  release: ['submission.approved', 'task.completed'],
  payout: ['submission.approved', 'task.completed'],
  award: ['submission.approved', 'task.completed'],
  refund: ['payment.refunded'],
  return: ['payment.refunded'],
  remainder: ['payment.refunded'],
  stepdown: ['payment.refunded', 'task.withdrawn'],
}

/**
 * The events of each task are whole: it begins with its creation, and every settlement that is confirmed was told once.
 */
export function eventFindings(
  { tasks, settlements, events, submissions }: TableFacts,
  chain: ChainFacts,
): readonly Finding[] {
  const byTask = Map.groupBy(events, ({ task_id }) => task_id)
  const settled = Map.groupBy(
    settlements.filter(({ status }) => status === 'confirmed'),
    ({ task_id }) => task_id,
  )
  const wrong = tasks.flatMap(({ id, status, escrow_status, publisher_wallet }) => {
    const types = (byTask.get(id) ?? []).map(({ type }) => type)
    const count = (type: string): number => types.filter((one) => one === type).length
    const expected = new Map<string, number>()
    for (const { purpose } of settled.get(id) ?? [])
      for (const type of eventsOf[purpose] ?? []) expected.set(type, (expected.get(type) ?? 0) + 1)
    // A payer of a storm has one task: what the chain paid out of its escrow was paid for this one.
    const hashes = new Set(chain.payments.filter(({ payer }) => payer === publisher_wallet).map(({ hash }) => hash))
    expected.set(
      'payment.released',
      chain.logs.filter((log) => hashes.has(log.hash) && (log.kind === 'captured' || log.kind === 'charged')).length,
    )
    const told = [
      'payment.escrowed',
      'payment.released',
      'submission.approved',
      'task.completed',
      'task.withdrawn',
    ].filter((type) => escrow_status !== 'none' && count(type) !== (expected.get(type) ?? 0))
    const endings = { completed: 'task.completed', cancelled: 'task.cancelled', expired: 'task.expired' } as const
    const ending = status in endings ? endings[status as keyof typeof endings] : undefined // `in` has asked
    return [
      ...(types[0] === 'task.created' && count('task.created') === 1
        ? []
        : [`task ${id} does not begin with its creation: ${types.join(', ')}`]),
      ...told.map(
        (type) =>
          `task ${id} tells ${type} ${String(count(type))} times and ${String(expected.get(type) ?? 0)} should be`,
      ),
      ...(ending !== undefined && count(ending) !== 1
        ? [`task ${id} is ${status} and tells it ${String(count(ending))} times`]
        : []),
    ]
  })
  const received = events.filter(({ type }) => type === 'submission.received').length
  const all = [
    ...wrong,
    ...(received === submissions.size
      ? []
      : [`${String(submissions.size)} submissions and ${String(received)} events of one`]),
  ]
  return all.map((text) => ({ kind: 'events', text }))
}
