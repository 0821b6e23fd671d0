import { localRoles } from '@ergon/contracts'
import { bytesToHex, hexToBytes, lowerAddress, signDigest, type Address, type Hex } from '@ergon/protocols'

/** Somebody with a key. */
export type Wallet = { readonly name: string; readonly address: Address; sign(digest: Uint8Array): Hex }

const names = ['ada', 'ben', 'cleo', 'dan', 'eve', 'fay'] as const

export const wallets: readonly Wallet[] = localRoles.wallets.map(({ address, privateKey }, index) => {
  const key = hexToBytes(privateKey)
  return { name: names[index] ?? 'someone', address: lowerAddress(address), sign: (digest) => bytesToHex(signDigest(digest, key)) }
})

export function walletOf(index: number): Wallet {
  const wallet = wallets[index]
  if (wallet === undefined) throw new Error(`there is no wallet ${String(index)}`)
  return wallet
}
