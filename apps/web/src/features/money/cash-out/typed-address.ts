import { isAddress, sameAddress, toChecksumAddress } from '@ergon/protocols'

export type AddressFault = 'noAddress' | 'wrongLetter' | 'ownWallet'

/** What is wrong with an address that money is to go to, as it was typed; null where nothing is. */
export function addressFault(typed: string, wallet: string): AddressFault | null {
  const text = typed.trim()
  if (!isAddress(text)) return 'noAddress'
  // In one case an address has no checksum; in both it has one (EIP-55).
  const isMixed = /[a-f]/.test(text.slice(2)) && /[A-F]/.test(text)
  if (isMixed && toChecksumAddress(text) !== text) return 'wrongLetter'
  return isAddress(wallet) && sameAddress(text, wallet) ? 'ownWallet' : null
}
