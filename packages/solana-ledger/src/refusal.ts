/** The ledger ran a transaction on trial and did not take it: these bytes would fail as things are. */
export class TransactionRefused extends Error {
  /** As a Solana node writes it: `BlockhashNotFound`, or `{ InstructionError: [1, { Custom: 234 }] }`. */
  readonly transactionError: unknown
  readonly logs: readonly string[]

  constructor(transactionError: unknown, logs: readonly string[]) {
    super(`the ledger refused the transaction: ${JSON.stringify(transactionError)}`)
    this.name = 'TransactionRefused'
    this.transactionError = transactionError
    this.logs = logs
  }
}
