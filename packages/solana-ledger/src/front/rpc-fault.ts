/** A refusal in the words of JSON-RPC 2.0; numbers below −32000 are those of Solana's nodes. */
export class RpcFault extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'RpcFault'
    this.code = code
    this.data = data
  }
}

export const rpcCode = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
  preflight: -32_002,
  slotNotReached: -32_016,
} as const

export function wrongParams(message: string): RpcFault {
  return new RpcFault(rpcCode.params, `Invalid params: ${message}`)
}
