/** A call of JSON-RPC as it comes in. */
export type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

type Answer = { readonly id: number; readonly result?: unknown }

const quantity = (value: number): string => `0x${value.toString(16)}`
const isPast = (block: unknown, head: number): boolean => typeof block === 'string' && Number(block) > head

/**
 * What a backend whose newest block is `head` is asked instead, of one that has more: its state at that block, and logs
 * up to it. Whoever balances load sends each request to another backend, and they are not at one block.
 */
export function asBehind(call: Call, head: number): Call {
  const { method, params } = call
  const [first, block] = params
  if (/^eth_(?:call|getBalance|getCode|getTransactionCount)$/.test(method) && block === 'latest')
    return { ...call, params: [first, quantity(head), ...params.slice(2)] }
  if (method === 'eth_getBlockByNumber' && first === 'latest')
    return { ...call, params: [quantity(head), ...params.slice(1)] }
  if (method !== 'eth_getLogs') return call
  const filter = first as { readonly toBlock: string } // our own client's
  const toBlock = filter.toBlock === 'latest' || isPast(filter.toBlock, head) ? quantity(head) : filter.toBlock
  return { ...call, params: [{ ...filter, toBlock }] }
}

/** What it makes of the answer of one that has more; undefined where it does not know the block that is named. */
export function saidBehind({ method, params }: Call, answer: Answer, head: number): Answer | undefined {
  const { id, result } = answer
  if (method === 'eth_blockNumber') return { id, result: quantity(Math.min(head, Number(result))) }
  if (/^eth_getTransaction(?:Receipt|ByHash)$/.test(method)) {
    const { blockNumber } = (result ?? {}) as { readonly blockNumber?: unknown } // a node's
    return isPast(blockNumber, head) ? { id, result: null } : answer
  }
  if (method === 'eth_getBlockByNumber') return isPast(params[0], head) ? { id, result: null } : answer
  if (/^eth_(?:call|getBalance|getCode|getTransactionCount)$/.test(method) && isPast(params[1], head)) return undefined
  return answer
}
