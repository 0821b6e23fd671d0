import { tokenSec } from './access-token.ts'
import { digestOf } from './digests.ts'
import type { SignIn } from './ports.ts'

/** Spec §8: a sign-in and its delivery token 10 minutes, a code 60 seconds. */
export const signInMs = 600_000
export const codeMs = 60_000

/** What a sign-in becomes once it is allowed and finished. */
export type ComingGrant = {
  readonly id: string
  /** When the sign-in began. */
  readonly from: Date
  /** When the last token that approves has ended, however late the sign-in is finished. */
  readonly until: Date
}

/**
 * The grant that one sign-in leads to, before it is there: what else the wallet signs for it is kept under its name. A
 * sign-in makes one grant, and nobody learns one of the two names from the other.
 */
export function comingGrant({ rid, expiresAt }: Pick<SignIn, 'rid' | 'expiresAt'>): ComingGrant {
  return {
    id: digestOf(`grant ${rid}`),
    from: new Date(expiresAt.getTime() - signInMs),
    until: new Date(expiresAt.getTime() + codeMs + tokenSec.approving * 1_000),
  }
}
