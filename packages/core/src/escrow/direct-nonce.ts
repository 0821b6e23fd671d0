import { saltOf, taskIn } from '@ergon/contract/facts'

/** What of a task a direct payment pays. */
export type DirectPart = 'payout' | 'fee'

const parts: readonly DirectPart[] = ['payout', 'fee']
const partShift = 120n

/**
 * The nonce of a direct payment: the sixteen bytes of its task's id, a byte for the part, then fifteen random ones, so
 * that a payment which no row names any more says what it was for (decision 0189).
 */
export function directNonceOf(taskId: string, part: DirectPart, random: bigint): string {
  const tail = (BigInt(parts.indexOf(part) + 1) << partShift) | BigInt.asUintN(Number(partShift), random)
  return `0x${saltOf(taskId, tail).toString(16).padStart(64, '0')}`
}

/** What a nonce says it pays; null for one that a client made up, or that is older than this. */
export function directlyPaid(nonce: string): { readonly taskId: string; readonly part: DirectPart } | null {
  if (!/^0x[0-9a-f]{64}$/.test(nonce)) return null
  const value = BigInt(nonce)
  const [taskId, part] = [taskIn(value), parts[Number(BigInt.asUintN(8, value >> partShift)) - 1]]
  return taskId === null || part === undefined ? null : { taskId, part }
}
