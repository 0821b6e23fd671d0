import { isWrite } from '@ergon/chain-rpc'
import type { RpcClient } from './rpc-client.ts'

/** Tells the operator in the node's own words why it did not take a transaction. */
export function notingRefusals(
  rpc: RpcClient,
  network: string,
  onTrouble: (message: string, error: unknown) => void,
): RpcClient {
  return {
    ...rpc,
    async batch(requests, limits) {
      const answers = await rpc.batch(requests, limits)
      answers.forEach(({ error }, index) => {
        const request = requests[index]
        if (error !== undefined && request !== undefined && isWrite(request) && !taken.test(error.message))
          onTrouble(`the node of ${network} did not take a transaction: ${error.message}`, error)
      })
      return answers
    },
  }
}

/** What it says about bytes that it has, or whose nonce is used. */
const taken = /already (known|imported)|known transaction|nonce too low/i
