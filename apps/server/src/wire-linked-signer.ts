import { randomUUID } from 'node:crypto'
import { hashTypedData, isLoopback, type Hex, type TypedData } from '@ergon/protocols'
import type { Pool } from 'pg'
import { createHttpSigner } from './adapters/linked-signer/http-signer.ts'
import { createLinkedSigners, type LinkedSigners } from './adapters/postgres/index.ts'
import { createSealedText } from './adapters/sealed-text.ts'
import type { Config } from './config/config.ts'
import { createGuardedClient } from './delivery/guarded-client.ts'
import type { ContractWallets } from './dispatch/authenticate.ts'
import { isSignedBy } from './dispatch/release-approval.ts'
import type { LinkedSigner } from './dispatch/wallet-actions.ts'
import { createLinkedSignIn, type LinkedSignIn } from './sessions/linked-sign-in.ts'
import { createLinkedSigner } from './sessions/linked-signer.ts'
import { keyFor } from './surroundings/key-for.ts'

/** What this deployment does with signers that wallets link; off, it still deletes what was kept. */
export type WiredLinks = {
  readonly links: Pick<LinkedSigners, 'find' | 'unlink'>
  /** Null where no signer is linked. */
  readonly signs: { readonly signer: LinkedSigner; readonly signIn: LinkedSignIn } | null
}

type Wiring = {
  readonly config: Pick<Config, 'linkedSigner'>
  readonly key: string | undefined
  readonly book: LinkedSigners
  readonly contracts: ContractWallets
  readonly parts: AsyncDisposableStack
  readonly now: () => Date
}

/** Links are sealed with a key of their own (decision 0135). */
export const openLinkBook = (pool: Pool, secret: string): LinkedSigners =>
  createLinkedSigners(pool, createSealedText(keyFor(secret, 'linked signers')))

export function wireLinkedSigner({ config, key, book, contracts, parts, now }: Wiring): WiredLinks {
  if (config.linkedSigner === null) return { links: book, signs: null }
  const { url, timeoutMs } = config.linkedSigner
  const client = parts.use(createGuardedClient({ near: isLoopback(new URL(url).hostname) ? 'loopback' : 'none' }))
  const door = createHttpSigner({ client, url, key, timeoutMs })
  const signer = createLinkedSigner({
    door,
    book,
    now,
    newId: () => randomUUID(),
    isSigned(wallet, { typedData }, signature) {
      const document = typedData as unknown as TypedData // as our challenges build it
      // The adapter lets nothing but hex after 0x through.
      return isSignedBy(
        { contracts },
        wallet,
        Number(document.domain.chainId),
        hashTypedData(document),
        signature as Hex,
      )
    },
  })
  return { links: book, signs: { signer, signIn: createLinkedSignIn({ door, book }) } }
}
