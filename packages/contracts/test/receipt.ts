import { setTimeout as delay } from 'node:timers/promises'
import { TransactionReceiptNotFoundError, type Hex, type PublicClient, type TransactionReceipt } from 'viem'

const everyMs = 5
const mostMs = 20_000

/**
 * The receipt of a transaction, as soon as there is one. The library waits for another block when the node tells of a
 * block before it has its receipts; a chain that mines each transaction by itself has no other block.
 */
export async function receiptOf(reader: PublicClient, hash: Hex): Promise<TransactionReceipt> {
  for (const deadline = Date.now() + mostMs; ; await delay(everyMs)) {
    try {
      return await reader.getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError) || Date.now() > deadline) throw error
    }
  }
}
