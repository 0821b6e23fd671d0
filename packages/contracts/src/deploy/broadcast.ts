import { setTimeout as delay } from 'node:timers/promises'
import type { Hex } from '@ergon/protocols'
import { BaseError, keccak256, RpcRequestError, type PublicClient, type TransactionReceipt } from 'viem'

const tries = 4
const firstPauseMs = 500
const patienceMs = 180_000

/**
 * Brings signed bytes to the chain. A node that says nothing may have taken them, so the same bytes are sent again:
 * they are carried out once.
 * @throws where the node refuses them, or where after some tries nobody knows
 */
export async function broadcast(reader: PublicClient, signed: Hex): Promise<Hex> {
  const hash = keccak256(signed)
  let isUnknown = false
  for (let attempt = 0; attempt < tries; attempt += 1) {
    if (attempt > 0) await delay(firstPauseMs * 2 ** (attempt - 1))
    const failure = await sendOnce(reader, signed)
    if (failure === undefined || (await isKnown(reader, hash))) return hash
    const answer = answerIn(failure)
    if (answer !== undefined && !isUnknown) throw new Error(`the node refused ${hash}: ${answer}`, { cause: failure })
    isUnknown = true
  }
  throw unknown(hash)
}

/** @throws where it is in no block after some minutes, which is no proof that it never will be */
export async function receiptOf(reader: PublicClient, hash: Hex): Promise<TransactionReceipt> {
  const receipt = await reader.waitForTransactionReceipt({ hash, timeout: patienceMs }).catch((error: unknown) => {
    throw unknown(hash, error)
  })
  // Something else that the account sent took its place.
  if (receipt.transactionHash !== hash) throw unknown(hash)
  return receipt
}

function unknown(hash: Hex, cause?: unknown): Error {
  return new Error(
    `${hash} was sent, and the node does not say what became of it: ` +
      'run the same command again, it goes on with what is on the chain',
    { cause },
  )
}

async function sendOnce(reader: PublicClient, signed: Hex): Promise<unknown> {
  try {
    await reader.request({ method: 'eth_sendRawTransaction', params: [signed] }, { retryCount: 0 })
    return undefined
  } catch (error) {
    return error
  }
}

/** In a pool or in a block. A node that does not answer this either says nothing of it. */
async function isKnown(reader: PublicClient, hash: Hex): Promise<boolean> {
  const asked = reader.request({ method: 'eth_getTransactionByHash', params: [hash] }, { retryCount: 0 })
  return (await asked.catch(() => null)) !== null
}

/** What the node itself said; undefined where no answer of it came back. */
function answerIn(failure: unknown): string | undefined {
  const said = failure instanceof BaseError ? failure.walk((one) => one instanceof RpcRequestError) : undefined
  return said instanceof RpcRequestError ? said.details : undefined
}
