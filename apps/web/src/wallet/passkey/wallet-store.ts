import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import { PasskeyFault } from './faults.ts'
import { listedWallets, listWallet, unlistWallet } from './listed-wallets.ts'
import type { SealedWallet } from './sealed-wallet.ts'

interface WalletSchema extends DBSchema {
  wallets: { key: string; value: SealedWallet }
}

/** The sealed wallets of this browser. */
export type WalletStore = {
  /** @throws PasskeyFault `lostStore` when the browser keeps it no longer */
  readonly read: (address: string) => Promise<SealedWallet>
  readonly keep: (wallet: SealedWallet) => Promise<void>
  readonly forget: (address: string) => Promise<void>
}

let opened: Promise<IDBPDatabase<WalletSchema>> | undefined

function database(): Promise<IDBPDatabase<WalletSchema>> {
  opened ??= opening().catch((cause: unknown) => {
    opened = undefined
    throw new PasskeyFault('noStore', {}, cause)
  })
  return opened
}

// Where it is forbidden, some browsers throw at once.
const opening = async (): Promise<IDBPDatabase<WalletSchema>> =>
  openDB<WalletSchema>('ergon-passkey-wallet', 1, {
    upgrade(db) {
      db.createObjectStore('wallets', { keyPath: 'address' })
    },
  })

export const walletStore: WalletStore = {
  async read(address) {
    const wallet = await (await database()).get('wallets', address)
    if (wallet === undefined) throw new PasskeyFault('lostStore')
    return wallet
  },
  async keep(wallet) {
    const db = await database()
    const isNew = !listedWallets().some(({ address }) => address === wallet.address)
    try {
      await db.put('wallets', wallet)
    } catch (cause) {
      throw new PasskeyFault('noStore', {}, cause)
    }
    const { address, name, savedAt } = wallet
    if (listWallet({ address, name, isSaved: savedAt !== null }) || !isNew) return
    // Nobody would find it after a reload, with what was paid to it.
    await db.delete('wallets', address)
    throw new PasskeyFault('noStore')
  },
  async forget(address) {
    await (await database()).delete('wallets', address)
    unlistWallet(address)
  },
}
