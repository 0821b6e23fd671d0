/** The facilitator's verdict on a request: the chain or the rules say no, and asking again unchanged will not help. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: string
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>
  /** It holds for now: no key is bound to it, and the same request may be carried out later. */
  readonly isPassing: boolean

  constructor(
    code: string,
    message: string,
    options: {
      status?: number
      details?: Readonly<Record<string, unknown>>
      isPassing?: boolean
      cause?: unknown
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.status = options.status ?? 400
    this.details = options.details ?? {}
    this.isPassing = options.isPassing ?? false
  }
}

/** Something this service depends on does not answer: the same request may be sent again. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  readonly code: 'rpc_unavailable' | 'store_unavailable' | 'settlement_pending'
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: Unavailable['code'],
    message: string,
    options: { status?: number; details?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.status = options.status ?? 502
    this.details = options.details ?? {}
  }
}

/** Proven: no transaction of this request was sent, and the attempt that is answered sends none. */
export function notSent(message: string, cause?: unknown): Unavailable {
  return new Unavailable('rpc_unavailable', message, { details: { broadcast: false }, cause })
}

/** Not known: a transaction may have been sent or may yet be. Asking again with the same key tells. */
export function pending(details: Readonly<Record<string, unknown>> = {}, cause?: unknown): Unavailable {
  return new Unavailable('settlement_pending', 'settlement_pending', {
    details: { broadcast: true, ...details },
    cause,
  })
}

/** Names what is wrong with the deployment; the process must not serve. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError'
}

/** No node of a network says anything: nothing is wrong with it as far as anybody knows, and nothing is proven. */
export class NodeSilent extends StartupError {
  override readonly name = 'NodeSilent'
}
