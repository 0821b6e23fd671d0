import { MarketError } from '@ergon/core'
import type { Authenticate } from '../dispatch/authenticate.ts'
import { demand } from '../dispatch/limits.ts'
import { isRefused } from '../dispatch/prove.ts'
import { claimOf, type RefusedSignatures } from '../dispatch/refused-signatures.ts'
import { proveFrame, type FrameOrigin } from './auth-frame.ts'
import type { Occupant } from './connection.ts'
import { createSeats } from '../dispatch/seats.ts'

export type OccupantDeps = {
  readonly authenticate: Authenticate
  readonly refused: Pick<RefusedSignatures, 'look' | 'failed' | 'proved'>
  /** Milliseconds. */
  readonly now: () => number
  readonly isBanned: (wallet: string) => boolean
  readonly connectionsEach: number
}

export type Person = { readonly wallet: string; mayStay(): Promise<boolean> }

/** Who is here, and how many connections each of them holds. */
export type Occupants = {
  /** @throws the codes of a refused signature, WALLET_BLOCKED for banned wallets, RATE_LIMITED */
  prove(payload: Readonly<Record<string, unknown>>, from: FrameOrigin): Promise<Occupant>
  /** @throws WALLET_BLOCKED for banned wallets, RATE_LIMITED */
  seat(person: Person): Occupant
  readonly wallets: number
}

export function createOccupants({ authenticate, refused, now, isBanned, connectionsEach }: OccupantDeps): Occupants {
  const seats = createSeats(Number.MAX_SAFE_INTEGER, connectionsEach)
  const sit = (wallet: string, via: Occupant['via'], mayStay: () => Promise<boolean>): Occupant => {
    if (isBanned(wallet)) throw new MarketError('WALLET_BLOCKED')
    return {
      wallet,
      via,
      release: seats.take(wallet),
      mayHear: () => !isBanned(wallet),
      mayStay: async () => !isBanned(wallet) && mayStay(),
    }
  }
  return {
    async prove(payload, from) {
      const input = payload['signature-input']
      const claim = claimOf({
        ip: from.ip,
        headers: [['signature-input', typeof input === 'string' ? input : '']],
      }) ?? { ip: from.ip, account: '' }
      const verdict = refused.look(claim, now())
      if (verdict !== null) demand(verdict, now())
      const { wallet } = await proveFrame(authenticate, payload, from).catch((error: unknown) => {
        if (isRefused(error)) refused.failed(claim, now())
        throw error
      })
      refused.proved(claim, now())
      return sit(wallet, 'signature', () => Promise.resolve(true))
    },
    seat: (person) => sit(person.wallet, 'session', () => person.mayStay()),
    get wallets() {
      return seats.held
    },
  }
}
