import type { Party } from '@ergon/contract'
import { useRead } from '../../lib/market.tsx'
import { useWorkers } from '../../lib/use-workers.ts'

export type Met = {
  readonly wallet: string
  readonly name: string | null
  readonly party: Party
  readonly picture: string | null
}

/** Whom the reader has worked with, on either side of a task, each once and the latest first. */
export function usePeopleMet(wallet: string, workerId: string | null): readonly Met[] {
  const own = useRead('tasks.list', { publisher: wallet, limit: 100 })
  const worked = useRead('workers.tasks', { executor_id: workerId ?? '', limit: 100 }, { enabled: workerId !== null })
  const workers = useWorkers((own.data?.tasks ?? []).flatMap(({ executor_id: id }) => (id === null ? [] : [id])))
  const met: readonly Met[] = [
    ...[...workers.values()].map((worker) => ({
      wallet: worker.wallet_address,
      name: worker.display_name,
      party: worker.executor_type,
      picture: worker.picture_url,
    })),
    ...(worked.data?.tasks ?? []).map((task) => ({
      wallet: task.agent_id,
      name: task.publisher_name,
      party: task.publisher_type,
      picture: task.publisher_picture_url,
    })),
  ]
  return [
    ...new Map(
      met
        .filter((one) => one.wallet.toLowerCase() !== wallet.toLowerCase())
        .map((one) => [one.wallet.toLowerCase(), one] as const),
    ).values(),
  ]
}
