import {
  addressOf,
  bytesToHex,
  hashMessage,
  hashTypedData,
  signDigest,
  type Hex,
  type TypedData,
} from '@ergon/protocols'
import type { Passkey } from './authenticator.ts'
import { deedOfDocument, deedOfText, type Deed, type Unread } from './deed.ts'
import { PasskeyFault } from './faults.ts'
import { requirePassphrase, stretched, writeKeyFile } from './key-file.ts'
import { readLocale } from '../../lib/language.ts'
import { dollarsOf, firstLimits, weigh, type Limits, type Spent } from './limits.ts'
import { randomBytes, wiping, type Bytes } from './sealing.ts'
import { freshKey, resealed, sealWallet, withKey, type LockPlace, type SealedWallet } from './sealed-wallet.ts'
import { createUnlocking, type Unlocking } from './unlocking.ts'
import type { WalletSheet } from './wallet-sheet.ts'
import type { WalletStore } from './wallet-store.ts'

export type VaultDeps = {
  readonly store: WalletStore
  readonly passkeys: {
    readonly create: (name: string) => Promise<Passkey>
    readonly valueOf: (passkey: Passkey) => Promise<Bytes>
  }
  readonly sheet: Pick<WalletSheet, 'ask'>
  /** Whose page this is; a sign-in to another site is refused. */
  readonly host: string
  readonly now: () => number
  /** One question at a time in all tabs; false while another tab asks. */
  readonly alone: <T>(act: () => Promise<T>) => Promise<T | typeof busy>
}

/** Another tab asks the person something with this wallet. */
export const busy = Symbol('another tab is asking')

export type Protection = { readonly kind: 'passkey' } | { readonly kind: 'passphrase'; readonly passphrase: string }

/** The wallets of this browser. Each signature is asked for anew; a key is in memory only while it signs. */
export type Vault = {
  readonly make: (name: string, protection: Protection) => Promise<SealedWallet>
  /** Takes in a key of elsewhere and wipes it. */
  readonly bring: (name: string, key: Bytes, protection: Protection) => Promise<SealedWallet>
  /** `isShown`: the app has explained exactly this, and the person agreed. */
  readonly signText: (address: string, text: string, isShown: boolean) => Promise<Hex>
  readonly signDocument: (address: string, document: TypedData, isShown: boolean) => Promise<Hex>
  readonly setLimits: (address: string, limits: Limits) => Promise<void>
  readonly keyFile: (address: string, passphrase: string) => Promise<string>
  readonly markSaved: (address: string) => Promise<void>
  /** The key in hex. A text cannot be wiped: whoever shows it lets go of it soon. */
  readonly reveal: (address: string) => Promise<Hex>
  readonly forget: (address: string) => Promise<void>
  /** Drops what a passphrase opened. */
  readonly lock: () => void
}

/** The wallets of this browser, over its store and its passkeys. */
export function createVault(deps: VaultDeps): Vault {
  const { store, now, passkeys, sheet, alone } = deps
  const unlocking = createUnlocking({ valueOf: passkeys.valueOf, sheet, now })
  const inTurn = async <T>(act: () => Promise<T>): Promise<T> => {
    const done = await alone(act)
    if (done === busy) throw new PasskeyFault('otherTab')
    return done
  }
  /** For what concerns the key itself: whoever held the device a moment ago is asked again. */
  const withFresh = <T>(address: string, act: (wallet: SealedWallet, key: CryptoKey) => Promise<T>): Promise<T> =>
    inTurn(async () => {
      const wallet = await store.read(address)
      const words = { deed: undefined, exact: undefined }
      const isAgreed = wallet.lock.kind === 'passkey'
      return intact(act(wallet, await unlocking.open(wallet, { words, isAgreed, isFresh: true })))
    })
  const sign = createSigning(deps, inTurn, unlocking.open)
  return {
    make: (name, protection) =>
      inTurn(() => wiping(freshKey(), (key) => keepNew(deps, key, protection, { name, savedAt: null }))),
    bring: (name, key, protection) =>
      inTurn(() => wiping(key, (one) => keepNew(deps, one, protection, { name, savedAt: now() }))),
    ...sign,
    setLimits: (address, limits) =>
      withFresh(address, async (wallet, key) => store.keep(await resealed(wallet, key, { limits }))),
    async keyFile(address, passphrase) {
      requirePassphrase(passphrase)
      return withFresh(address, (wallet, key) => withKey(wallet, key, (secret) => writeKeyFile(secret, passphrase)))
    },
    markSaved: (address) =>
      inTurn(async () => {
        await store.keep({ ...(await store.read(address)), savedAt: now() })
      }),
    reveal: (address) => withFresh(address, (wallet, key) => withKey(wallet, key, bytesToHex)),
    async forget(address) {
      unlocking.drop(address)
      await store.forget(address)
    },
    lock: unlocking.dropAll,
  }
}

type InTurn = <T>(act: () => Promise<T>) => Promise<T>
type Signable = { readonly digest: Uint8Array; readonly exact: string }

function createSigning(
  { store, host, now }: VaultDeps,
  inTurn: InTurn,
  open: Unlocking['open'],
): Pick<Vault, 'signText' | 'signDocument'> {
  const sign = (
    address: string,
    deedOf: (wallet: SealedWallet) => Deed | Unread,
    { digest, exact }: Signable,
    isAgreed: boolean,
  ): Promise<Hex> =>
    inTurn(async () => {
      const wallet = await store.read(address)
      const deed = readable(deedOf(wallet), host)
      // Refused before anybody is asked: what is not allowed is no question.
      const spent = allowed(wallet, deed, now())
      const key = await open(wallet, { words: { deed, exact }, isAgreed, isFresh: false })
      // Before the signature is given away: a payment that was not counted would be free.
      const counted = spent === wallet.spent ? wallet : await intact(resealed(wallet, key, { spent }))
      if (counted !== wallet) await store.keep(counted)
      return intact(withKey(counted, key, (secret) => bytesToHex(signDigest(digest, secret))))
    })
  return {
    signText: (address, text, isShown) =>
      sign(address, () => deedOfText(text), { digest: hashMessage(text), exact: text }, isShown),
    signDocument(address, document, isShown) {
      const exact = JSON.stringify({ ...document, types: undefined }, null, 2)
      const what = { digest: hashTypedData(document), exact }
      return sign(address, (wallet) => deedOfDocument(document, wallet.address), what, isShown)
    },
  }
}

async function keepNew(
  { store, passkeys }: VaultDeps,
  key: Bytes,
  protection: Protection,
  about: Pick<SealedWallet, 'name' | 'savedAt'>,
): Promise<SealedWallet> {
  const salt = randomBytes(32)
  const whole = { ...about, limits: firstLimits, spent: [] }
  const sealedBy = (place: LockPlace, secret: Bytes): Promise<SealedWallet> =>
    wiping(secret, (one) => sealWallet(key, place, { secret: one, salt }, whole))
  if (protection.kind === 'passphrase') {
    requirePassphrase(protection.passphrase)
    await store.keep(await sealedBy({ kind: 'passphrase' }, await stretched(protection.passphrase, salt)))
  } else {
    const { credentialId } = await passkeys.create(about.name)
    await store.keep(await sealedBy({ kind: 'passkey', credentialId }, await passkeys.valueOf({ credentialId })))
  }
  // What is not there now will not be there tomorrow.
  return store.read(addressOf(key))
}

function readable(deed: Deed | Unread, host: string): Deed {
  if (deed.kind === 'unread') throw new PasskeyFault(deed.why)
  if (deed.kind === 'signsIn' && deed.site !== host) throw new PasskeyFault('otherSite', { site: deed.site })
  return deed
}

/** What is remembered after it; the same list where nothing is paid. */
function allowed(wallet: SealedWallet, deed: Deed, now: number): readonly Spent[] {
  if (deed.kind !== 'pays') return wallet.spent
  const verdict = weigh(wallet.limits, wallet.spent, deed.atomic, now)
  if (verdict.kind !== 'within')
    throw new PasskeyFault(verdict.kind, {
      amount: dollarsOf(deed.atomic, readLocale()),
      limit: dollarsOf(verdict.limit, readLocale()),
    })
  return verdict.spent
}

/** Whatever fails under an open lock was changed from outside. */
async function intact<T>(act: Promise<T>): Promise<T> {
  try {
    return await act
  } catch (cause) {
    if (cause instanceof PasskeyFault) throw cause
    throw new PasskeyFault('changed', {}, cause)
  }
}
