import { createTally, type AttackClass } from '../attack-class.ts'
import { freshAddress, newCaller } from '../caller.ts'
import { signedIn } from '../person.ts'
import { settingsOf } from '../settings-of.ts'
import { inWaves } from '../waves.ts'

const reads = 150

/** A visitor who spends all that an address has, beside people with a session and behind other addresses. */
export const neighbours: AttackClass = {
  name: 'neighbours behind one address',
  on: 'any',
  held: 'SVC_RATE_ANON_PER_MIN an address, SVC_RATE_WALLET_PER_MIN a wallet or session',
  async attack(target) {
    const tally = createTally()
    const address = freshAddress()
    const [one, two] = [await signedIn(target, address), await signedIn(target, address)]
    const greedy = newCaller(target, address)
    const statuses = await inWaves(reads, 16, async () => (await greedy.ask('GET', '/api/v1/tasks/available')).status)
    const { 'rates.anonymous_per_minute': limit } = await settingsOf(target)
    tally.many(
      'a read beyond the limit of an address',
      reads - limit,
      statuses.filter((status) => status !== 429).length - limit,
    )
    for (const person of [one, two]) {
      for (const path of ['/api/v1/tasks/available', '/api/v1/users/blocked'])
        tally.attempt(
          `a person is shut out of ${path}`,
          (await person.caller.ask('GET', path, undefined, person.own)).status === 200,
        )
    }
    tally.attempt(
      'a wallet is shut out',
      (await newCaller(target, address).signed('GET', '/api/v1/services/mine')).status === 200,
    )
    tally.attempt(
      'another address is shut out',
      (await newCaller(target).ask('GET', '/api/v1/tasks/available')).status === 200,
    )
    return tally.score()
  },
}
