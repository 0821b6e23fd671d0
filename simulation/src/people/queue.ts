import type { JobDeps } from './job.ts'
import type { Wallet } from './wallets.ts'

/** Who the publisher means to take, and who comes after: where only so many may wait, whoever was quick. */
export async function queue(
  { plan, workers, crowd, desk, random }: JobDeps,
  apply: (worker: Wallet) => Promise<string | null>,
): Promise<readonly [Wallet, Wallet]> {
  const [, second] = workers
  if ((plan.policy?.applicationsMost ?? null) !== null) {
    const came = await Promise.all(
      crowd.map(async (worker) => {
        await desk.pause(random.between(0, 400))
        return (await apply(worker)) === null ? null : worker
      }),
    )
    const [quickest, next] = came.filter((one) => one !== null)
    if (quickest !== undefined) return [quickest, next ?? crowd.find((one) => one !== quickest) ?? second]
  } else if (plan.start !== null) {
    // Another worker has to wait, or the first keeps the task.
    await apply(second)
  }
  return workers
}
