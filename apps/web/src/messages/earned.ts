import { defineMessages } from '../lib/messages.ts'

/** What is left of a bounty for its worker, wherever an amount is shown to one. */
export const earnedMessages = defineMessages({
  en: { youGet: 'You get', wouldGet: 'You would have got', ofBounty: 'of a bounty of {bounty}', bounty: 'Bounty' },
  es: {
    youGet: 'Recibes',
    wouldGet: 'Habrías recibido',
    ofBounty: 'de una recompensa de {bounty}',
    bounty: 'Recompensa',
  },
})
