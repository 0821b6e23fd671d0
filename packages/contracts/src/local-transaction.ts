import { setTimeout as delay } from 'node:timers/promises'
import { rpcBatch, rpcCall, rpcRead } from './json-rpc.ts'

/** A transaction of an account that the local node holds the key of. */
export type LocalTransaction = {
  readonly from: `0x${string}`
  readonly to?: `0x${string}`
  readonly data: `0x${string}`
  readonly gas: number
  readonly nonce?: number
}

type Receipt = { readonly status: string; readonly contractAddress?: string | null }

const deadlineMs = 10_000
const pollMs = 5

function hexQuantity(value: number): string {
  return `0x${value.toString(16)}`
}

/**
 * Sends transactions, has them mined whatever the node's way of mining, and returns their receipts in order.
 * Throws when one reverts or none is mined in time.
 */
export async function sendLocalTransactions(
  rpcUrl: string,
  transactions: readonly LocalTransaction[],
): Promise<readonly Receipt[]> {
  const calls = transactions.map(({ gas, nonce, ...rest }) => ({
    method: 'eth_sendTransaction',
    params: [{ ...rest, gas: hexQuantity(gas), ...(nonce === undefined ? {} : { nonce: hexQuantity(nonce) }) }],
  }))
  const hashes = await rpcBatch(rpcUrl, calls)
  const receiptCalls = hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }))
  for (const deadline = Date.now() + deadlineMs; Date.now() < deadline;) {
    // The node answers null or a receipt (EIP-1474).
    const receipts = (await rpcRead(rpcUrl, receiptCalls)) as readonly (Receipt | null)[]
    const mined = receipts.filter((receipt) => receipt !== null)
    const reverted = mined.findIndex((receipt) => receipt.status !== '0x1')
    if (reverted >= 0) throw new Error(`Local transaction ${String(hashes[reverted])} reverted.`)
    if (mined.length === transactions.length) return mined
    // A node that mines on demand waits for this; one that mines by itself loses nothing by it.
    await rpcCall(rpcUrl, 'evm_mine', [])
    await delay(pollMs)
  }
  throw new Error(`The local chain did not mine ${transactions.length} transactions in ${deadlineMs} ms.`)
}
