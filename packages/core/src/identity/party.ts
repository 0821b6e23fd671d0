import type { Party } from '@ergon/contract'
import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'

/**
 * What a wallet is after it registers or changes its profile (decision 0095): `known` is what it was, null where it
 * never worked here, `asked` what it names. Whoever signs requests is an agent unless it says robot; human takes a
 * session, and a session is for people. Whoever names nothing stays what it is.
 * @throws SESSION_REQUIRED, SESSION_NOT_FOR_PARTY
 */
export function partyOf(via: WalletCaller['via'], known: Party | null, asked: Party | null): Party {
  const party = asked ?? known
  if (via === 'session') {
    if (party !== null && party !== 'human') throw new MarketError('SESSION_NOT_FOR_PARTY', { executor_type: party })
    return 'human'
  }
  if (asked === 'human' && known !== 'human') throw new MarketError('SESSION_REQUIRED', { executor_type: 'human' })
  return party ?? 'agent'
}

/**
 * Whose a task is that was published this way: whoever signs requests is software (spec §1.4), and a token acts for the
 * person who consented (decision 0190).
 */
export function publisherOf(via: WalletCaller['via']): 'agent' | 'human' {
  return via === 'signature' ? 'agent' : 'human'
}
