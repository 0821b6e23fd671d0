import { hearing, isPublic, makesNotice, type RecordedEvent, type Market, type TaskFacts } from '@ergon/core'
import { createBoundedCache } from '../surroundings/bounded-cache.ts'
import type { Presence } from './presence.ts'

/** What is known when an event is told: the task, and which of the wallets that were asked about belong to it. */
export type Known = {
  readonly task: TaskFacts | undefined
  readonly asked: ReadonlySet<string>
  readonly members: ReadonlySet<string>
}

export type Knowledge = {
  /** At once where nothing has to be asked: parties of an event are named by it. */
  about(event: RecordedEvent): Promise<Known> | Known
  taskOf(taskId: string): Promise<TaskFacts | undefined>
  forget(taskId: string): void
}

const nobody: ReadonlySet<string> = new Set()
const maxTasks = 10_000
const factsMs = 600_000

/** Asks the market what an event does not say itself, and only when a listener here depends on it. */
export function createKnowledge(market: Pick<Market, 'taskFacts' | 'taskMembers'>, presence: Presence): Knowledge {
  const facts = createBoundedCache<TaskFacts>(maxTasks, factsMs)
  const taskOf = async (taskId: string): Promise<TaskFacts | undefined> => {
    const cached = facts.get(taskId)
    if (cached !== undefined) return cached
    const found = await market.taskFacts(taskId)
    if (found !== null) facts.set(taskId, found)
    return found ?? undefined
  }
  const needsTask = (event: RecordedEvent): boolean =>
    (isPublic(event) && presence.categoryRooms > 0) ||
    (makesNotice(event.type) && event.wallets.some((wallet) => presence.isAnybodyIn(`user:${wallet}`)))
  return {
    taskOf,
    forget: (taskId) => {
      facts.delete(taskId)
    },
    about(event) {
      const { taskId } = event
      if (taskId === null) return { task: undefined, asked: nobody, members: nobody }
      const wallets = doubtful(event, presence.in(`task:${taskId}`))
      const task = facts.get(taskId)
      const mustAskTask = task === undefined && needsTask(event)
      if (wallets.length === 0 && !mustAskTask) return { task, asked: nobody, members: nobody }
      return (async () => {
        const [found, members] = await Promise.all([
          mustAskTask ? taskOf(taskId) : task,
          wallets.length === 0 ? [] : market.taskMembers(taskId, wallets),
        ])
        return { task: found, asked: new Set(wallets), members: new Set(members) }
      })()
    },
  }
}

/** Those in the room of the task who hear of a public event only while they belong to it. */
function doubtful(event: RecordedEvent, there: Iterable<{ readonly wallet: string }>): readonly string[] {
  if (!isPublic(event)) return []
  const wallets = new Set<string>()
  for (const { wallet } of there) if (hearing(event, wallet) !== 'party') wallets.add(wallet)
  return [...wallets]
}
