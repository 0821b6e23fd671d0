import { localRoles } from '@ergon/contracts'
import type { WalletCaller } from '@ergon/core'
import { bytesToHex, hexToBytes, lowerAddress, signDigest, type Address, type Hex } from '@ergon/protocols'

/** A person or program with a key. */
export type Wallet = {
  readonly name: string
  readonly address: Address
  readonly caller: WalletCaller
  sign(digest: Uint8Array): Hex
}

const names = ['ada', 'ben', 'cleo', 'dan', 'eve', 'fay'] as const

export const wallets: readonly Wallet[] = localRoles.wallets.map((account, index) => {
  const key = hexToBytes(account.privateKey)
  const address = lowerAddress(account.address)
  return {
    name: names[index] ?? 'someone',
    address,
    caller: { kind: 'wallet', wallet: address, agentId: index + 1, via: 'signature' },
    sign: (digest) => bytesToHex(signDigest(digest, key)),
  }
})

export function walletOf(index: number): Wallet {
  const wallet = wallets[index]
  if (wallet === undefined) throw new Error(`there is no wallet ${String(index)}`)
  return wallet
}

/** Whom the operator names; no side of any task. */
export const arbiter: Wallet = walletOf(5)
