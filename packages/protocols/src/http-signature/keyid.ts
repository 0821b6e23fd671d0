import { lowerAddress, type Address } from '../bytes.ts'

/** The account a signature speaks for. */
export type KeyAccount = { readonly chainId: number; readonly address: Address }

/** What marks a keyid of this profile. */
export const keyidPrefix = 'erc8128:'

const shape = /^erc8128:([1-9][0-9]{0,15}):(0x[0-9a-fA-F]{40})$/

/** Reads a keyid; the address may come in any case, the chain id only without leading zeros. */
export function parseKeyid(keyid: string): KeyAccount | undefined {
  const match = shape.exec(keyid)
  if (match === null) return undefined
  const chainId = Number(match[1])
  return Number.isSafeInteger(chainId) ? { chainId, address: lowerAddress(match[2] ?? '') } : undefined
}

/** Writes a keyid, lowercase. */
export function formatKeyid(account: KeyAccount): string {
  return `${keyidPrefix}${account.chainId}:${lowerAddress(account.address)}`
}
