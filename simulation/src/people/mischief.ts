import { cancelDigest } from '../chain/token.ts'
import { paymentStateOf } from '../chain/escrow.ts'
import { balanceKey } from '../chain/token.ts'
import type { Facilitators } from '../parts/facilitator.ts'
import type { Random } from '../world/random.ts'
import type { Universe } from '../world/universe.ts'
import type { CaseFile, Signed } from './case-file.ts'
import { byHand, send } from './hand.ts'
import type { Mischief } from './plan.ts'
import { askToAuthorize, askToMove } from './past-us.ts'
import { walletOf, wallets } from './wallets.ts'

/** When in the life of a task an act makes sense. */
export type Moment = 'signed a lock' | 'locked' | 'signed a payout' | 'later'

const moments: Readonly<Record<Mischief, Moment>> = {
  'dust release': 'locked',
  'release part': 'locked',
  'release all': 'locked',
  charge: 'signed a lock',
  'charge part': 'signed a lock',
  'authorize by hand': 'signed a lock',
  'authorize part': 'signed a lock',
  'authorize, then release all': 'signed a lock',
  'stranger authorizes': 'signed a lock',
  'cancel authorization': 'signed a lock',
  'move the money away': 'later',
  'distribute fees': 'later',
  'relay the payout': 'signed a payout',
  'relay the fee': 'signed a payout',
  'cancel the payout': 'signed a payout',
  'cancel the fee': 'signed a payout',
  'cancel the payout, relay the fee': 'signed a payout',
  reclaim: 'later',
  'asks the facilitator to release': 'locked',
  'asks the facilitator to authorize': 'signed a lock',
  'worker asks the facilitator to refund': 'locked',
}

/** Comes before what was signed reaches anybody: the payout is refused, and its fee with it. */
const prompt: Mischief = 'cancel the payout, relay the fee'

/** Whoever acts past us: each planned act once, some time after the moment that makes it possible. */
export function createMischief(
  universe: Universe,
  facilitators: Facilitators,
  file: CaseFile,
  planned: readonly Mischief[],
  random: Random,
): (moment: Moment) => void {
  const left = [...planned]
  return (moment) => {
    for (const what of left.filter((one) => moments[one] === moment)) {
      left.splice(left.indexOf(what), 1)
      const after = what === prompt ? 0 : random.chance(0.5) ? random.between(0, 2_500) : random.between(2_500, 20_000)
      file.intended += 1
      universe.scheduler.after(after, null, `${file.name}: a person is about to ${what}`, () => {
        file.intended -= 1
        act({ universe, facilitators, file, random }, what)
      })
    }
  }
}

function newest(file: CaseFile, kind: Signed['kind']): Signed | undefined {
  return file.signed.findLast((one) => one.kind === kind)
}

type Scene = {
  readonly universe: Universe
  readonly facilitators: Facilitators
  readonly file: CaseFile
  readonly random: Random
}

function act(scene: Scene, what: Mischief): void {
  const { universe, file, random } = scene
  const { publisher } = file
  const { chain } = universe.driver
  if (what === 'distribute fees') {
    send(universe, walletOf(5).address, byHand.distributeFees(), what)
    return
  }
  if (what === 'move the money away') {
    const balance = chain.state.get(balanceKey(publisher.address))
    const away = balance - BigInt(random.below(2)) * (balance / 2n)
    if (away === 0n) return
    send(universe, publisher.address, byHand.transfer(walletOf(5).address, away), what)
    // Often enough it comes back: what was refused for want of it could be carried out now.
    if (!random.chance(0.6)) return
    file.intended += 1
    universe.scheduler.after(random.between(2_500, 25_000), null, 'money comes back', () => {
      file.intended -= 1
      send(universe, walletOf(5).address, byHand.transfer(publisher.address, away), 'gives the money back')
    })
    return
  }
  if (what === prompt) {
    cancelThenRelay(scene)
    return
  }
  const lock = newest(file, 'lock')
  if (lock?.info !== null && lock !== undefined) actOnLock(scene, what, lock, lock.info)
  const direct = newest(file, what.endsWith('fee') ? 'fee' : 'payout')
  if (direct !== undefined) actOnDirect(universe, file, what, direct)
}

function actOnLock(scene: Scene, what: Mischief, signed: Signed, info: NonNullable<Signed['info']>): void {
  const { universe, file, random } = scene
  const { address } = file.publisher
  const { capturable } = paymentStateOf({ state: universe.driver.chain.state }, signed.name)
  const part = 1n + BigInt(random.below(Number(info.maxAmount)))
  const meddle = (call: Parameters<typeof send>[2], from = address): void => {
    file.meddled = true
    signed.byHand = true
    send(universe, from, call, what)
  }
  switch (what) {
    case 'dust release':
      meddle(byHand.release(info, 1n))
      return
    case 'release part':
      meddle(byHand.release(info, part))
      return
    case 'release all':
      meddle(byHand.release(info, capturable > 0n ? capturable : info.maxAmount))
      return
    case 'charge':
      meddle(byHand.charge(info, info.maxAmount, signed.signature))
      return
    case 'charge part':
      meddle(byHand.charge(info, part, signed.signature))
      return
    case 'authorize by hand':
      meddle(byHand.authorize(info, info.maxAmount, signed.signature))
      return
    case 'authorize part':
      meddle(byHand.authorize(info, part, signed.signature))
      return
    case 'authorize, then release all':
      meddle(byHand.authorize(info, info.maxAmount, signed.signature))
      meddle(byHand.release(info, info.maxAmount))
      return
    case 'stranger authorizes':
      meddle(byHand.authorize(info, info.maxAmount, signed.signature), walletOf(5).address)
      return
    case 'cancel authorization':
      meddle(
        byHand.cancel(
          address,
          signed.authorization.nonce,
          file.publisher.sign(cancelDigest(address, signed.authorization.nonce)),
        ),
      )
      return
    case 'reclaim':
      meddle(byHand.reclaim(info))
      return
    default:
      askAboutLock(scene, what, signed, info, part)
  }
}

/** What a person asks of the facilitator past the service. */
function askAboutLock(
  { universe, facilitators, file, random }: Scene,
  what: Mischief,
  signed: Signed,
  info: NonNullable<Signed['info']>,
  part: bigint,
): void {
  switch (what) {
    case 'asks the facilitator to release':
      askToMove(universe, facilitators, { action: 'release', info, amount: part, by: file.publisher, random })
      break
    case 'asks the facilitator to authorize':
      askToAuthorize(universe, facilitators, info, signed.signature)
      break
    case 'worker asks the facilitator to refund': {
      const worker = wallets.find(({ address: one }) => one === info.receiver)
      if (worker !== undefined)
        askToMove(universe, facilitators, { action: 'refundInEscrow', info, amount: part, by: worker, random })
      break
    }
    default:
      return
  }
  file.meddled = true
  signed.byHand = true
}

/** The fee of a payment that was given up is brought to the chain all the same. */
function cancelThenRelay({ universe, file, random }: Scene): void {
  const [payout, fee] = [newest(file, 'payout'), newest(file, 'fee')]
  if (payout === undefined || fee === undefined) return
  actOnDirect(universe, file, 'cancel the payout', payout)
  file.intended += 1
  universe.scheduler.after(random.between(2_500, 40_000), null, 'the fee comes alone', () => {
    file.intended -= 1
    actOnDirect(universe, file, 'relay the fee', fee)
  })
}

function actOnDirect(universe: Universe, file: CaseFile, what: Mischief, signed: Signed): void {
  const { address } = file.publisher
  const { nonce } = signed.authorization
  if (what === 'relay the payout' || what === 'relay the fee') {
    file.meddled = true
    signed.byHand = true
    send(universe, walletOf(5).address, byHand.relay(signed.authorization, signed.signature), what)
  }
  if (what === 'cancel the payout' || what === 'cancel the fee') {
    file.meddled = true
    signed.byHand = true
    send(universe, address, byHand.cancel(address, nonce, file.publisher.sign(cancelDigest(address, nonce))), what)
  }
}
