import type { Task } from '@ergon/core'
import type { CaseFile } from '../people/case-file.ts'
import type { MemoryDatabase } from '../store/index.ts'
import type { OutboxRow } from '../store/rows.ts'
import type { Universe } from '../world/universe.ts'

const hourMs = 3_600_000
/** Two clocks that differ, and one that runs. */
const skewMs = 10_000

const waitFor = ({ rows }: MemoryDatabase, taskId: string): number =>
  rows.applications().filter((one) => one.taskId === taskId && one.status === 'pending').length

/** At no moment do more wait for a task than its policy lets (decision 0174). */
export function checkQueue({ violate }: Pick<Universe, 'violate'>, database: MemoryDatabase): void {
  for (const { task } of database.rows.tasks()) {
    const most = task.policy?.applicationsMost ?? null
    if (most === null) continue
    const waiting = waitFor(database, task.id)
    if (waiting > most) violate(`${String(waiting)} wait for ${task.id}, which takes ${String(most)}`)
  }
}

/** Tasks whose worker has not begun in time, though another worker waits. */
export function waitingInVain(database: MemoryDatabase, now: number): readonly string[] {
  return database.rows.tasks().flatMap(({ task: { id, status, startBy, escrowStatus } }) => {
    const isLate = status === 'accepted' && startBy !== null && startBy.getTime() <= now
    // Whoever was paid keeps the task.
    return isLate && escrowStatus !== 'released' && waitFor(database, id) > 0
      ? [`task ${id.slice(0, 8)} is not handed on, though its worker has not begun`]
      : []
  })
}

/** What is handed on goes from the one who was assigned to one who applied, and not before its time was over. */
export function brokenHandOns(database: MemoryDatabase, files: readonly CaseFile[]): readonly string[] {
  const events = database.rows.events()
  return files.flatMap((file) => {
    const task = database.rows.tasks().find((row) => row.task.id === file.taskId)?.task
    if (task === undefined) return []
    const own = events.filter(({ taskId }) => taskId === task.id)
    return own.flatMap((one, at) =>
      one.type === 'task.handed_on'
        ? faultsOf(file, task, one, own.slice(0, at)).map((text) => `${file.name} ${text}`)
        : [],
    )
  })
}

function faultsOf(
  { plan, mode }: CaseFile,
  { id, policy }: Task,
  { data, at }: OutboxRow,
  before: readonly OutboxRow[],
): readonly string[] {
  const { executor_id: next, was, challenge } = data
  const assigned = before.findLast(({ type }) => type === 'task.assigned')
  const last = before.at(-1)
  const isOpen = last?.type === 'task.withdrawn' && last.data['executor_id'] === was
  const applied = before.some(({ type, data: said }) => type === 'worker.applied' && said['executor_id'] === next)
  const asked = mode === 'fase1' ? null : `/api/v1/tasks/${id}/assign/challenge?executor_id=${String(next)}`
  // Nobody steps down in the others: only the timer hands them on.
  const isByTimer = !plan.ending.startsWith('withdraw')
  const dueAt = (assigned?.at.getTime() ?? 0) + (policy?.startHours ?? Infinity) * hourMs
  return [
    ...(isOpen ? [] : ['was handed on, and its worker had not lost it']),
    ...(assigned?.data['executor_id'] === was ? [] : ['was taken from a worker who never had it']),
    ...(applied && next !== was ? [] : ['was handed on to a worker who does not wait']),
    ...(challenge === asked ? [] : [`was handed on, and what to sign for it is ${String(challenge)}`]),
    ...(isByTimer && at.getTime() + skewMs < dueAt ? ['was handed on before the time to begin was over'] : []),
  ]
}
