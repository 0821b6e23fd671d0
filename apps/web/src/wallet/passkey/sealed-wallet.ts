import { addressOf, type Address } from '@ergon/protocols'
import type { Limits, Spent } from './limits.ts'
import { dataKey, lockKey, randomBytes, seal, unseal, wiping, type Bytes, type Sealed } from './sealing.ts'

/** One way to open the box: each holds the key of the box, sealed by something that only the person has. */
export type Lock =
  | { readonly kind: 'passkey'; readonly credentialId: Bytes; readonly salt: Bytes; readonly sealed: Sealed }
  | { readonly kind: 'passphrase'; readonly salt: Bytes; readonly sealed: Sealed }

/** A wallet as this browser keeps it. What is readable in it cannot be changed without a lock being opened. */
export type SealedWallet = {
  readonly version: 1
  readonly address: Address
  readonly name: string
  readonly limits: Limits
  readonly spent: readonly Spent[]
  /** When a key file of it was saved; null while this browser has the only copy. */
  readonly savedAt: number | null
  readonly box: Sealed
  readonly lock: Lock
}

const boxContext = ({ address, limits, spent }: Pick<SealedWallet, 'address' | 'limits' | 'spent'>): string =>
  JSON.stringify([
    'ergon wallet 1',
    address,
    limits.perPaymentAtomic,
    limits.perDayAtomic,
    spent.map(({ at, atomic }) => [at, atomic]),
  ])
const lockContext = (address: Address, kind: Lock['kind']): string => `ergon wallet 1 ${address} ${kind}`

/** What is known of a lock beside what it seals. */
export type LockPlace = { readonly kind: 'passkey'; readonly credentialId: Bytes } | { readonly kind: 'passphrase' }

/** Makes the box around a key. The key itself is the caller's to wipe. */
export async function sealWallet(
  key: Bytes,
  place: LockPlace,
  { secret, salt }: { readonly secret: Bytes; readonly salt: Bytes },
  about: Pick<SealedWallet, 'name' | 'limits' | 'spent' | 'savedAt'>,
): Promise<SealedWallet> {
  const address = addressOf(key)
  return wiping(randomBytes(32), async (raw) => ({
    version: 1,
    address,
    ...about,
    box: await seal(await dataKey(raw), key, boxContext({ address, ...about })),
    lock: { ...place, salt, sealed: await seal(await lockKey(secret, salt), raw, lockContext(address, place.kind)) },
  }))
}

/**
 * The key of the box, which no script can read out.
 * @throws OperationError when the lock is another's, or the box was changed
 */
export async function openLock({ address, lock }: SealedWallet, secret: Bytes): Promise<CryptoKey> {
  const raw = await unseal(await lockKey(secret, lock.salt), lock.sealed, lockContext(address, lock.kind))
  return wiping(raw, dataKey)
}

/** Uses the wallet's key in the moment that it is needed, and wipes it. @throws OperationError for a changed box */
export async function withKey<T>(
  wallet: SealedWallet,
  opened: CryptoKey,
  use: (key: Bytes) => T | Promise<T>,
): Promise<T> {
  return wiping(await unseal(opened, wallet.box, boxContext(wallet)), use)
}

/** The same wallet with other limits or after a payment: sealed anew, because the box vouches for both. */
export async function resealed(
  wallet: SealedWallet,
  opened: CryptoKey,
  change: Partial<Pick<SealedWallet, 'limits' | 'spent'>>,
): Promise<SealedWallet> {
  const next = { ...wallet, ...change }
  return { ...next, box: await withKey(wallet, opened, (key) => seal(opened, key, boxContext(next))) }
}

/** A key from the browser's randomness; whoever gets it wipes it. */
export function freshKey(): Bytes {
  for (;;) {
    const key = randomBytes(32)
    try {
      addressOf(key)
      return key
    } catch {
      // Outside the curve's order: once in 2^128.
    }
  }
}
