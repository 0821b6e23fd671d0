import { ask } from '../ask.ts'
import { createTally, type AttackClass } from '../attack-class.ts'
import { freshAddress, newCaller } from '../caller.ts'
import { signedIn } from '../person.ts'
import { inWaves } from '../waves.ts'

const forgeries = 700
const forgers = 20
const path = '/api/v1/services/mine'

/** More forged signatures than an address may fail with in a minute, beside neighbours who prove who they are. */
export const forgedSignatures: AttackClass = {
  name: 'forged signatures behind one address',
  on: 'any',
  goesOn: true,
  held: 'SVC_RATE_ANON_PER_MIN a claim and ten times as many an address; who proved an account within the hour spends none of it',
  async attack(target) {
    const tally = createTally()
    const address = freshAddress()
    const neighbour = newCaller(target, address)
    const { own, caller: person } = await signedIn(target, address)
    const isKnown = (await neighbour.signed('GET', path)).status === 200
    tally.attempt('a neighbour is not served before anybody forges', isKnown)
    const forged = await Promise.all(
      Array.from({ length: forgers }, () =>
        newCaller(target, address).prepare('GET', path, undefined, { moved: -900 }),
      ),
    )
    const named = await newCaller(target, address).prepare('GET', path)
    // One of them names the neighbour's own wallet.
    const asNeighbour = {
      ...named,
      headers: {
        ...named.headers,
        'signature-input': (named.headers['signature-input'] ?? '').replace(
          /0x[0-9a-fA-F]{40}/,
          neighbour.signer.address,
        ),
      },
    }
    const statuses = await inWaves(
      forgeries,
      16,
      async (index) =>
        (await ask(target.url, (index % 7 === 0 ? undefined : forged[index % forgers]) ?? asNeighbour)).status,
    )
    tally.many(
      'a forged signature was taken',
      forgeries,
      statuses.filter((status) => status !== 401 && status !== 429).length,
    )
    tally.attempt('whoever proved a wallet is shut out', (await neighbour.signed('GET', path)).status === 200)
    tally.attempt(
      'whoever has a session is shut out',
      (await person.ask('GET', '/api/v1/users/blocked', undefined, own)).status === 200,
    )
    tally.attempt(
      'whoever signs nothing is shut out',
      (await newCaller(target, address).ask('GET', '/api/v1/tasks/available')).status === 200,
    )
    tally.attempt('another address is shut out', (await newCaller(target).signed('GET', path)).status === 200)
    return tally.score()
  },
}
