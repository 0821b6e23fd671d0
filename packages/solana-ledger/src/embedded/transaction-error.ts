/** Why a transaction failed, in the form a Solana node writes it as JSON: a name, or a name with its particulars. */
export type TransactionError = string | { readonly [name: string]: unknown }

/**
 * Reads the error out of what the machine prints of a failure, such as `err: InstructionError(1, Custom(234))`. Its
 * objects carry numbers whose names it does not export.
 */
export function readTransactionError(printed: string): TransactionError {
  const [, name = 'Unknown', rest = ''] = /err: (\w+)([^,]*(?:, [^,]*\))?)/.exec(printed) ?? []
  const instruction = /^\((\d+), (\w+)(?:\((\d+)\))?/.exec(rest)
  if (name === 'InstructionError' && instruction !== null) {
    const [, index, kind = 'GenericError', code] = instruction
    return { InstructionError: [Number(index), code === undefined ? kind : { [kind]: Number(code) }] }
  }
  const account = /account_index: (\d+)/.exec(rest)
  if (account !== null) return { [name]: { account_index: Number(account[1]) } }
  const index = /^\((\d+)\)/.exec(rest)
  return index === null ? name : { [name]: Number(index[1]) }
}
