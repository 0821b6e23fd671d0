import { createPasskey, passkeyValue } from './authenticator.ts'
import { busy, createVault, type Vault } from './vault.ts'
import { walletSheet } from './page-sheet.ts'
import { walletStore } from './wallet-store.ts'

const line = 'ergon.passkey.wallet'
let opened: Vault | undefined

/** The vault of this page. */
export function openVault(): Vault {
  if (opened !== undefined) return opened
  const vault = createVault({
    store: walletStore,
    passkeys: { create: createPasskey, valueOf: passkeyValue },
    sheet: walletSheet,
    host: location.host,
    now: Date.now,
    alone: async (act) =>
      navigator.locks.request(line, { ifAvailable: true }, async (lock) => (lock === null ? busy : act())),
  })
  // Locking one tab locks them all.
  const others = new BroadcastChannel(line)
  others.addEventListener('message', () => {
    vault.lock()
  })
  opened = {
    ...vault,
    lock() {
      vault.lock()
      others.postMessage('lock')
    },
  }
  return opened
}
