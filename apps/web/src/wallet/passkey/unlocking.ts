import { PasskeyFault } from './faults.ts'
import { stretched } from './key-file.ts'
import { wiping, type Bytes } from './sealing.ts'
import { openLock, type SealedWallet } from './sealed-wallet.ts'
import type { Passkey } from './authenticator.ts'
import { SheetClosed, type SheetAsk, type WalletSheet } from './wallet-sheet.ts'

export type UnlockingDeps = {
  /** The secret value of a passkey, asked of the person. */
  readonly valueOf: (passkey: Passkey) => Promise<Bytes>
  readonly sheet: Pick<WalletSheet, 'ask'>
  readonly now: () => number
}

export type Shown = {
  readonly words: Pick<SheetAsk, 'deed' | 'exact'>
  /** The app has explained exactly this, and the person agreed. */
  readonly isAgreed: boolean
  /** What was opened before does not count: the key itself is about to be seen, or its limits change. */
  readonly isFresh: boolean
}

/** How the box of a wallet is opened: by its passkey each time, or by a passphrase that holds for a while. */
export type Unlocking = {
  /** Asks whom it has to ask, and opens the box for this one act. */
  readonly open: (wallet: SealedWallet, shown: Shown) => Promise<CryptoKey>
  readonly drop: (address: string) => void
  readonly dropAll: () => void
}

/** So long a passphrase need not be typed again. */
export const idleMs = 300_000

type Held = { readonly key: CryptoKey; readonly until: number; readonly timer: ReturnType<typeof setTimeout> }

export function createUnlocking({ valueOf, sheet, now }: UnlockingDeps): Unlocking {
  const held = new Map<string, Held>()
  const drop = (address: string): void => {
    clearTimeout(held.get(address)?.timer)
    held.delete(address)
  }
  const hold = (address: string, key: CryptoKey): CryptoKey => {
    drop(address)
    const timer = setTimeout(() => {
      drop(address)
    }, idleMs)
    held.set(address, { key, until: now() + idleMs, timer })
    return key
  }
  // A timer does not run while the device sleeps.
  const heldKey = (address: string): CryptoKey | undefined => {
    const one = held.get(address)
    return one !== undefined && now() < one.until ? one.key : undefined
  }
  const ask = ({ name }: SealedWallet, { words }: Shown, needsPassphrase: boolean, isWrong = false): Promise<string> =>
    sheet.ask({ name, needsPassphrase, isWrong, ...words }).catch((cause: unknown) => {
      throw cause instanceof SheetClosed ? new PasskeyFault(cause.why, {}, cause) : cause
    })

  const openByPassphrase = async (wallet: SealedWallet, shown: Shown): Promise<CryptoKey> => {
    const known = shown.isFresh ? undefined : heldKey(wallet.address)
    if (known !== undefined) {
      if (!shown.isAgreed) await ask(wallet, shown, false)
      return hold(wallet.address, known)
    }
    for (let isWrong = false; ; isWrong = true) {
      const secret = await stretched(await ask(wallet, shown, true, isWrong), wallet.lock.salt)
      const key = await wiping(secret, (one) => openLock(wallet, one).catch(() => undefined))
      if (key !== undefined) return hold(wallet.address, key)
    }
  }
  return {
    async open(wallet, shown) {
      const { lock } = wallet
      if (lock.kind === 'passphrase') return openByPassphrase(wallet, shown)
      if (!shown.isAgreed) await ask(wallet, shown, false)
      return wiping(await valueOf(lock), (value) =>
        openLock(wallet, value).catch((cause: unknown) => {
          throw new PasskeyFault('wrongKey', {}, cause)
        }),
      )
    },
    drop,
    dropAll() {
      for (const address of held.keys()) drop(address)
    },
  }
}
