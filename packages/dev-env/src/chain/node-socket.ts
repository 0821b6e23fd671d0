/** One WebSocket to the node: calls, and the subscriptions that save polling. */
export type NodeSocket = {
  call(method: string, params?: readonly unknown[]): Promise<unknown>
  /** Calls `heard` for each notification of `eth_subscribe`. */
  subscribe(kind: 'newHeads' | 'newPendingTransactions', heard: () => void): Promise<void>
  close(): void
}

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }

export async function openNodeSocket(url: string): Promise<NodeSocket> {
  const socket = new WebSocket(url)
  const waiting = new Map<number, Waiting>()
  const listeners = new Map<string, () => void>()
  let lastId = 0
  socket.addEventListener('message', (event) => {
    receive(String(event.data), waiting, listeners)
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the local chain closed the connection'))
    waiting.clear()
  })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener(
      'open',
      () => {
        resolve()
      },
      { once: true },
    )
    socket.addEventListener(
      'error',
      () => {
        reject(new Error(`no WebSocket at ${url}`))
      },
      { once: true },
    )
  })

  const call = (method: string, params: readonly unknown[] = []): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (socket.readyState !== WebSocket.OPEN) {
        reject(new Error('the local chain is gone'))
        return
      }
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    })
  return {
    call,
    subscribe: async (kind, heard) => {
      listeners.set(String(await call('eth_subscribe', [kind])), heard)
    },
    close: () => {
      socket.close()
    },
  }
}

type Frame = {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
  readonly params?: { readonly subscription: string }
}

function receive(text: string, waiting: Map<number, Waiting>, listeners: ReadonlyMap<string, () => void>): void {
  const frame = JSON.parse(text) as Frame // The node is our own child and speaks JSON-RPC 2.0.
  if (frame.id === undefined) {
    listeners.get(frame.params?.subscription ?? '')?.()
    return
  }
  const waiter = waiting.get(frame.id)
  waiting.delete(frame.id)
  if (frame.error === undefined) waiter?.resolve(frame.result)
  else waiter?.reject(new Error(frame.error.message))
}
