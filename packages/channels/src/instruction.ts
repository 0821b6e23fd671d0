/** An account an instruction names, and what it asks of it. */
export type AccountMeta = {
  /** Base58. */
  readonly address: string
  readonly signer: boolean
  readonly writable: boolean
}

/** One instruction of a transaction, before its accounts become numbers. */
export type Instruction = {
  /** Base58 address of the program. */
  readonly program: string
  readonly accounts: readonly AccountMeta[]
  readonly data: Uint8Array
}

export function readonly(address: string): AccountMeta {
  return { address, signer: false, writable: false }
}

export function writable(address: string): AccountMeta {
  return { address, signer: false, writable: true }
}

export function signer(address: string): AccountMeta {
  return { address, signer: true, writable: false }
}

export function writableSigner(address: string): AccountMeta {
  return { address, signer: true, writable: true }
}
