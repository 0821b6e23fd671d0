import { codeOf } from '../ask.ts'
import { createTally, type AttackClass } from '../attack-class.ts'
import { freshAddress } from '../caller.ts'
import { applied, assignWith, newParty, paymentAuth } from '../market.ts'
import { paymentsPerWallet } from '../own-settings.ts'
import { inWaves } from '../waves.ts'

const beyond = 6

/** A payer with a little money locks it again and again, at the gas of the operator. */
export const gasLocks: AttackClass = {
  name: 'gas by locks',
  on: 'own',
  held: 'SVC_PAYMENTS_PER_WALLET, SVC_PAYMENTS_PER_ADDRESS, SVC_PAYMENTS_PER_DAY',
  async attack(target) {
    const tally = createTally()
    const [publisher, worker] = [await newParty(target, 20n, freshAddress()), await newParty(target)]
    await worker.client.workers.register({ name: 'Wanda' })
    const ends = await inWaves(paymentsPerWallet + beyond, 4, async () => {
      const job = await applied(publisher, worker)
      const reply = await assignWith(publisher, job, await paymentAuth(publisher, job))
      return reply.status < 300 ? 'locked' : codeOf(reply)
    })
    const locked = ends.filter((end) => end === 'locked').length
    const refused = ends.filter((end) => end === 'RATE_LIMITED').length
    tally.many(
      `a lock beyond the budget of a wallet: ${[...new Set(ends)].join(', ')}`,
      beyond,
      locked - paymentsPerWallet + (ends.length - locked - refused),
    )
    const [row] = await target.rows(
      "select count(*)::int as claims from settlements s join tasks t on t.id = s.task_id where lower(t.publisher_wallet) = $1 and s.purpose = 'lock'",
      [publisher.wallet],
    )
    tally.attempt(`${String(row?.['claims'])} locks were claimed`, row?.['claims'] === paymentsPerWallet)
    return tally.score()
  },
}
