import { done } from '../../dispatch/handlers.ts'
import { answerAccepted, presentOffer } from '../present/offer.ts'
import type { RecoveriesOf, RecoveryDeps } from './recoveries.ts'

export function recoverOffers({ market }: RecoveryDeps): RecoveriesOf<'offers'> {
  return {
    'offers.propose': async ({ caller }, { task_id }, { offer }) => {
      const found = (await market.offers(caller, task_id)).find((one) => one.id === offer)
      return found === undefined ? null : done(presentOffer(found))
    },
    'offers.accept': async ({ caller }, { offer_id }) => {
      const found = await market.readOffer(caller, offer_id)
      if (found.status !== 'accepted' && found.status !== 'settled') return null
      return answerAccepted({ state: found.status === 'settled' ? 'settled' : 'settling', offer: found })
    },
    'offers.close': async ({ caller }, { offer_id }) => {
      const found = await market.readOffer(caller, offer_id)
      return found.status === 'refused' || found.status === 'withdrawn' ? done(presentOffer(found)) : null
    },
  }
}
