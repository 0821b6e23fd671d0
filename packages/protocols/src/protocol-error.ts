/**
 * The one error this package throws: the value handed in is not what its specification allows.
 * `code` is stable, `message` says what was wrong and where; neither carries keys or signatures.
 */
export class ProtocolError extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ProtocolError'
    this.code = code
  }
}
