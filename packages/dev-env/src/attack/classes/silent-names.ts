import { createTally, type AttackClass } from '../attack-class.ts'
import { applied, aTask, idOf, newParty } from '../market.ts'
import { startListener } from '../listener.ts'
import { becomes } from '../waves.ts'
import { watchTask } from '../watch-task.ts'

const wallets = 6
const namesEach = 9
/** What the chain takes for a lock, with room; a name is given up after three seconds, and nobody waits for one. */
const mostMs = 5_000

/** Addresses of webhooks whose name servers never answer, while money is to be locked and others are to be told. */
export const silentNames: AttackClass = {
  name: 'silent name servers',
  on: 'own',
  held: 'strangers’ names in a lane of their own, 3 s each, 512 at once',
  async attack(target) {
    const tally = createTally()
    const heardBefore = target.silence?.heard() ?? 0
    const [publisher, worker] = [await newParty(target, 10n), await newParty(target)]
    await using listener = await startListener()
    const [job, watched] = [
      await applied(publisher, worker),
      idOf(await publisher.signed('POST', '/api/v1/tasks', aTask())),
    ]
    await watchTask(publisher, watched, listener.url)
    const asking = Array.from({ length: wallets }, async (_, wallet) => {
      const stranger = await newParty(target)
      for (let name = 0; name < namesEach; name += 1) {
        const made = await stranger.signed('POST', '/api/v1/webhooks', {
          url: `https://n${String(wallet)}x${String(name)}.silent.example/`,
          events: ['*'],
        })
        // It waits for the answer of that address; nobody waits for it here.
        void stranger
          .signed('POST', `/api/v1/webhooks/${String(made.body['webhook_id'])}/verify`)
          .catch(() => undefined)
      }
    })
    await Promise.all(asking)
    const isAsked = await becomes(() => (target.silence?.heard() ?? 0) - heardBefore >= 2 * wallets * namesEach, 5_000)
    tally.attempt('the names were never asked for, so nothing was tried', isAsked)
    const locking = performance.now()
    await publisher.client.assignWorker({ task_id: job.taskId, executor_id: job.executorId })
    const lockedMs = performance.now() - locking
    const told = performance.now()
    await publisher.signed('PUT', `/api/v1/tasks/${watched}`, { title: 'Photograph the other gate' })
    const isTold = await becomes(() => listener.heard() > 0, mostMs)
    const waited = `a lock took ${lockedMs.toFixed(0)} ms, telling ${(performance.now() - told).toFixed(0)} ms`
    tally.many(
      `a silent name holds up others: ${waited}`,
      wallets * namesEach,
      lockedMs < mostMs && isTold ? 0 : wallets * namesEach,
    )
    return tally.score()
  },
}
