import type { TaskView } from '@ergon/core'
import type { MemoryDatabase } from '../store/index.ts'
import type { JobDeps } from './job.ts'
import type { Wallet } from './wallets.ts'

const hourMs = 3_600_000
const looks = 40

/** The first worker says that it has begun, and keeps the task however long it takes (decision 0174). */
export async function sayBegun(deps: JobDeps, worker: Wallet): Promise<void> {
  const { desk, file, plan } = deps
  const reply = await desk.insist(`${file.name}: ${worker.name} begins`, (market) =>
    market.begin(worker.caller, file.taskId),
  )
  if (reply?.kind !== 'done') return
  // Whoever steps down later hands it on by itself.
  if (plan.ending !== 'withdraw, then cancel' && plan.ending !== 'withdraw, then approve')
    file.promised.push({
      text: `${file.name} was said to be begun by ${worker.name}`,
      holds: (database) => !isHandedOn(database, file.taskId),
    })
  sleepPast(deps)
}

/** The first worker does nothing; true once the task is open again for whoever waits. */
export async function isPassedOn(deps: JobDeps, look: (deps: JobDeps) => Promise<TaskView | null>): Promise<boolean> {
  sleepPast(deps)
  for (let left = looks; left > 0; left -= 1) {
    await deps.desk.pause(deps.random.between(1_000, 5_000))
    const task = await look(deps)
    if (task?.status === 'published') return true
    if (task === null || task.executorId === null || !['accepted', 'assigning'].includes(task.status)) return false
  }
  return false
}

function sleepPast({ plan, sleep, universe, file }: JobDeps): void {
  universe.note(`${file.name}: the time to begin passes`)
  sleep((plan.policy?.startHours ?? 0) * hourMs * 1.01)
}

const isHandedOn = ({ rows }: MemoryDatabase, taskId: string): boolean =>
  rows.events().some((one) => one.type === 'task.handed_on' && one.taskId === taskId)
