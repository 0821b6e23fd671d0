import { Refusal } from '../errors.ts'
import { findBound } from '../settle/carry-out.ts'
import type { Outcome } from '../store/intents.ts'
import type { Registration } from '../store/registrations.ts'
import { handOver } from './hand-over.ts'
import { mintStep, type Step } from './mint-step.ts'
import { isSame, isWhole, mintedBy } from './minted.ts'
import type { Desk } from './register.ts'
import { insist, landedOrWithdrawn, take } from './take-step.ts'

/** Mints and hands over, once however often this runs. What is done already is read again from its transaction. */
export async function finishRegistration(desk: Desk, registration: Registration): Promise<Registration> {
  const { deps } = desk
  const network = deps.networks.find(registration.network)
  if (network?.registries === undefined) {
    if (registration.status === 'done') return registration
    throw new Refusal('UnsupportedNetwork', `Network ${registration.network} is not served now`)
  }
  const { identity } = network.registries
  const { recipient } = registration
  if (registration.status === 'mint_confirmed' && recipient !== null)
    return handOver(desk, network, identity, { ...registration, recipient })
  const step = await mintStep(registration, identity, deps.account)
  const ask = registration.status === 'done' ? await known(desk, registration, step) : () => take(desk, network, step)
  if (ask === undefined) return registration
  const minted = mintedBy(await landedOrWithdrawn(desk, registration, ask))
  if (registration.status === 'done' && isSame(minted, registration)) return registration
  const isOurs = recipient === null || recipient === deps.account
  if (isOurs || minted.transferTransaction !== null)
    return insist(desk, () => deps.store.update(registration.id, { ...minted, status: 'done' }))
  // The version before minted it for itself, and has not handed it over.
  const row = await insist(desk, () => deps.store.update(registration.id, { ...minted, status: 'mint_confirmed' }))
  return handOver(desk, network, identity, { ...row, recipient })
}

/** What became of the transaction of a registration that is done; undefined where that is unknown: it was long deep. */
async function known(
  desk: Desk,
  registration: Registration,
  step: Step,
): Promise<(() => Promise<Outcome>) | undefined> {
  const ticket = isWhole(registration) ? await insist(desk, () => findBound(step, desk.deps)) : undefined
  return ticket === undefined ? undefined : () => ticket.outcome
}
