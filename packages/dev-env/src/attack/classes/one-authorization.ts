import { withRandomSalt } from '@ergon/server/testing'
import { codeOf } from '../ask.ts'
import { createTally, type AttackClass } from '../attack-class.ts'
import { applied, assignWith, newParty, paymentAuth, type Job, type Party } from '../market.ts'
import type { Target } from '../target.ts'

/** What was signed for one task, for another, at the door of the service. */
export const oneAuthorization: AttackClass = {
  name: 'one authorization for two tasks',
  on: 'any',
  held: 'the salt carries the task, the hash is unique: PAYMENT_AUTH_USED for good',
  async attack(target) {
    const tally = createTally()
    const [publisher, worker, stranger] = [
      await newParty(target, 10n),
      await newParty(target),
      await newParty(target, 5n),
    ]
    const jobs: readonly Job[] = [
      await applied(publisher, worker),
      await applied(publisher, worker),
      await applied(publisher, worker),
    ]
    // What is signed for a later one outlives the deadlines of those before it.
    const [two, three, one] = jobs
    if (one === undefined || two === undefined || three === undefined) throw new Error('there are three jobs')
    const code = async (by: Party, job: Job, auth: string): Promise<string> => codeOf(await assignWith(by, job, auth))
    const used = async (what: string, job: Job, auth: string): Promise<void> => {
      const answer = await code(publisher, job, auth)
      tally.attempt(`${what}: ${answer}`, answer === 'PAYMENT_AUTH_USED')
    }
    const signed = await paymentAuth(publisher, one)
    await used('for another task, before its own', two, signed)
    tally.attempt('by a stranger', (await code(stranger, one, signed)) !== '')
    await assignWith(publisher, one, signed)
    await used('for another task, after its own', two, signed)
    const foreign = await withRandomSalt(await paymentAuth(publisher, three), publisher.signer)
    const both = await Promise.all([assignWith(publisher, two, foreign), assignWith(publisher, three, foreign)])
    tally.attempt(
      'a random salt for two at once',
      both.filter(({ status }) => status === 200).length === 1 &&
        both.filter((reply) => codeOf(reply) === 'PAYMENT_AUTH_USED').length === 1,
    )
    for (const job of [two, three]) tally.attempt('a random salt again', (await code(publisher, job, foreign)) !== '')
    const before = await held(target, jobs)
    tally.attempt(`${String(before)} of three tasks are locked by two signatures`, before === 2)
    return tally.score()
  },
}

/** How many of the tasks hold money, by the records of the service. */
async function held(target: Target, jobs: readonly Job[]): Promise<number> {
  const [row] = await target.rows(
    "select count(*)::int as held from tasks where id = any($1) and status = 'accepted' and escrow_tx is not null",
    [jobs.map(({ taskId }) => taskId)],
  )
  return Number(row?.['held'])
}
