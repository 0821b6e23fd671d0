/** One JSON-RPC call. */
export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

type RpcAnswer = { readonly id: number; readonly result?: unknown; readonly error?: { readonly message: string } }

const timeoutMs = 10_000

/**
 * Sends calls in one HTTP request and returns their results in order. Throws on the first that failed.
 */
export async function rpcBatch(rpcUrl: string, calls: readonly RpcCall[]): Promise<readonly unknown[]> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))),
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw new Error(`The node answered HTTP ${response.status}.`)
  // The node is the operator's own; a wrong shape fails in the lookups below.
  const answers = (await response.json()) as readonly RpcAnswer[]
  const byId = new Map(answers.map((answer) => [answer.id, answer]))
  return calls.map((call, id) => {
    const answer = byId.get(id)
    if (answer === undefined) throw new Error(`The node did not answer ${call.method}.`)
    if (answer.error !== undefined) throw new Error(`${call.method}: ${answer.error.message}`)
    return answer.result
  })
}

/** Sends one call and returns its result. */
export async function rpcCall(rpcUrl: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const [result] = await rpcBatch(rpcUrl, [{ method, params }])
  return result
}

const readAttempts = 8

/**
 * Sends calls that only read. A node that prunes its history and mines at an interval can lose the block it calls
 * latest between two of its own steps; such a read is simply repeated.
 */
export async function rpcRead(rpcUrl: string, calls: readonly RpcCall[]): Promise<readonly unknown[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rpcBatch(rpcUrl, calls)
    } catch (error) {
      const isPruned = error instanceof Error && error.message.includes('BlockOutOfRange')
      if (!isPruned || attempt === readAttempts) throw error
    }
  }
}
