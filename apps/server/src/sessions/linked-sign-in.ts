import { createHash } from 'node:crypto'
import type { LinkBook, SignerDoor } from './linked-signer.ts'

/** The state of a sign-in by a linked signer. */
export type SignInAnswer =
  | { readonly status: 'signed'; readonly signature: string; keep(): Promise<void> }
  | { readonly status: 'pending'; readonly approvalUrl: string | null }
  | { readonly status: 'unavailable' }

/** Has an external signer sign the text of a consent (spec §5, OAuth 12). */
export interface LinkedSignIn {
  /** One delivery token is one request, however often it is asked. `keep` links the wallet, once its signature held. */
  sign(asked: {
    readonly wallet: string
    readonly message: string
    readonly deliveryToken: string
  }): Promise<SignInAnswer>
}

export function createLinkedSignIn({
  door,
  book,
}: {
  readonly door: Pick<SignerDoor, 'sign'>
  readonly book: Pick<LinkBook, 'find' | 'link'>
}): LinkedSignIn {
  return {
    async sign({ wallet, message, deliveryToken }) {
      const secret = (await book.find(wallet))?.secret ?? null
      const document = { kind: 'message', message } as const
      const answer = await door.sign({ id: idOf(deliveryToken), wallet, secret, document })
      if (answer.status === 'pending') return answer
      if (answer.status === 'unknown') return { status: 'pending', approvalUrl: null }
      if (answer.status !== 'signed') return { status: 'unavailable' }
      const { signature, secret: given } = answer
      return {
        status: 'signed',
        signature,
        async keep() {
          if (given !== null) await book.link(wallet, given)
        },
      }
    },
  }
}

/** The same for the same token, and nothing of the token in it. */
function idOf(deliveryToken: string): string {
  const hex = createHash('sha256').update(`linked sign-in ${deliveryToken}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
