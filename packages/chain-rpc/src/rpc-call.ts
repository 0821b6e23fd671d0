/** How long one HTTP request may take, and how large its answer may be. */
export type RpcLimits = { readonly timeoutMs: number; readonly maxBytes: number }

export type RpcRequest = { readonly method: string; readonly params: readonly unknown[] }
export type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown }
export type RpcAnswer =
  { readonly result: unknown; readonly error?: undefined } | { readonly error: RpcError; readonly result?: undefined }

/** Whether a call changes the chain, so that it matters who may have it already. */
export function isWrite({ method }: RpcRequest): boolean {
  return method === 'eth_sendRawTransaction'
}

/** A node gave no answer that can be used. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  /** False only where it is proven that the request was not taken. */
  readonly mayHaveArrived: boolean
  /** Set where the node only asks for patience. */
  readonly retryAfterMs: number | undefined
  /** There was more than the caller reads. */
  readonly isTooLarge: boolean

  constructor(
    message: string,
    options: {
      readonly mayHaveArrived?: boolean
      readonly retryAfterMs?: number
      readonly isTooLarge?: boolean
      readonly cause?: unknown
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.mayHaveArrived = options.mayHaveArrived ?? false
    this.retryAfterMs = options.retryAfterMs
    this.isTooLarge = options.isTooLarge ?? false
  }
}
