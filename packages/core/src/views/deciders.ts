import { whoDecides } from '@ergon/contract/facts'
import type { MarketDeps } from '../flows/deps.ts'
import type { Page } from '../page.ts'
import type { SeenTask, TaskView } from '../tasks/task.ts'

/** The tasks with who may decide what is disputed of them (decision 0285). */
export async function withDeciders<T extends TaskView>(
  deps: MarketDeps,
  tasks: readonly T[],
): Promise<readonly (T & SeenTask)[]> {
  const arbiters = tasks.some(isDisputed) ? await arbitersWithWork(deps) : []
  return tasks.map((task) => ({ ...task, deciders: isDisputed(task) ? decidersOf(task, arbiters) : null }))
}

export async function withDecider<T extends TaskView>(deps: MarketDeps, task: T): Promise<T & SeenTask> {
  const [seen] = await withDeciders(deps, [task])
  return seen ?? { ...task, deciders: null }
}

/** The same of a page. */
export async function pageWithDeciders(deps: MarketDeps, page: Page<TaskView>): Promise<Page<SeenTask>> {
  return { ...page, rows: await withDeciders(deps, page.rows) }
}

const isDisputed = ({ status }: TaskView): boolean => status === 'disputed'

type Arbiter = { readonly wallet: string; readonly executorId: string | undefined }

/** A task names its worker by id, so an arbiter is asked for the same; the operator names ten at most. */
const arbitersWithWork = ({ settings, store }: MarketDeps): Promise<readonly Arbiter[]> =>
  Promise.all(
    (settings.arbiters ?? []).map(async (wallet) => ({ wallet, executorId: (await store.workerByWallet(wallet))?.id })),
  )

const decidersOf = ({ policy, publisherWallet, executorId }: TaskView, arbiters: readonly Arbiter[]) =>
  whoDecides({
    named: policy?.arbiter ?? null,
    arbiters: arbiters.map(({ wallet }) => wallet),
    sides: [publisherWallet, ...arbiters.filter((one) => one.executorId === executorId).map(({ wallet }) => wallet)],
  })
