/**
 * A call that was not paid for. `cap_reached`, `terms_refused` and `not_settled` are this client's own words; every
 * other `code` is the gateway's.
 */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused'
  readonly code: string
  /** The gateway's status; 0 where nothing was sent. */
  readonly status: number

  constructor(code: string, message: string, status = 0) {
    super(`${code}: ${message}`)
    this.code = code
    this.status = status
  }
}
