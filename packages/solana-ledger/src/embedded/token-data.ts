import { addressBytes } from '@ergon/channels'

/** Bytes of the two accounts of SPL Token, by the layout that program publishes. Amounts in atomic units. */
export const mintLength = 82
export const tokenAccountLength = 165
const present = 1

/** The data of an initialized mint. Without a freeze authority nobody can freeze an account of it. */
export function mintData(terms: {
  readonly authority: string
  readonly decimals: number
  readonly supply: bigint
  readonly freezeAuthority?: string
}): Uint8Array {
  const data = Buffer.alloc(mintLength)
  data.writeUInt32LE(present, 0)
  data.set(addressBytes(terms.authority), 4)
  data.writeBigUInt64LE(terms.supply, 36)
  data.writeUInt8(terms.decimals, 44)
  data.writeUInt8(1, 45)
  if (terms.freezeAuthority !== undefined) {
    data.writeUInt32LE(present, 46)
    data.set(addressBytes(terms.freezeAuthority), 50)
  }
  return data
}

/** What is read of a mint; undefined for what is no initialized mint of SPL Token. */
export function readMint(data: Uint8Array): { readonly decimals: number; readonly supply: bigint } | undefined {
  const bytes = Buffer.from(data)
  if (bytes.length !== mintLength || bytes[45] !== 1) return undefined
  return { supply: bytes.readBigUInt64LE(36), decimals: bytes.readUInt8(44) }
}

/** The data of an initialized token account, frozen if so said. */
export function tokenAccountData(terms: {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
  readonly frozen?: boolean
}): Uint8Array {
  const data = Buffer.alloc(tokenAccountLength)
  data.set(addressBytes(terms.mint), 0)
  data.set(addressBytes(terms.owner), 32)
  data.writeBigUInt64LE(terms.amount, 64)
  data.writeUInt8(terms.frozen === true ? 2 : 1, 108)
  return data
}

/** What is read of a token account; undefined for what is none. */
export function readTokenAccount(data: Uint8Array):
  | {
      readonly mint: Uint8Array
      readonly owner: Uint8Array
      readonly amount: bigint
      readonly isFrozen: boolean
    }
  | undefined {
  const bytes = Buffer.from(data)
  if (bytes.length !== tokenAccountLength || bytes[108] === 0) return undefined
  return {
    mint: bytes.subarray(0, 32),
    owner: bytes.subarray(32, 64),
    amount: bytes.readBigUInt64LE(64),
    isFrozen: bytes[108] === 2,
  }
}
