import { ErgonError } from '@ergon/sdk'

/** The fee of an earlier task that its publisher still owes, as the refusal names it. */
export type OwedFee = {
  readonly taskId: string
  readonly network: string
  readonly token: string
  readonly amountUsd: number
  readonly wallet: string
  /** What was signed at the approval may still be carried out; money on the wallet is enough. */
  readonly isUnderWay: boolean
}

/** What a refusal says is owed; undefined for every other error. */
export function readOwedFee(error: unknown): OwedFee | undefined {
  if (!(error instanceof ErgonError) || error.code !== 'FEE_UNPAID') return undefined
  const {
    task_id: taskId,
    network,
    token,
    required_usdc: amountUsd,
    wallet_address: wallet,
    is_under_way: isUnderWay,
  } = error.details
  const isTold =
    typeof taskId === 'string' &&
    typeof network === 'string' &&
    typeof token === 'string' &&
    typeof amountUsd === 'number' &&
    typeof wallet === 'string'
  return isTold ? { taskId, network, token, amountUsd, wallet, isUnderWay: isUnderWay === true } : undefined
}
