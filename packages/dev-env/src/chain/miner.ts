import type { NodeSocket } from './node-socket.ts'

const HEARTBEAT_MS = 60_000

/**
 * Mines what is pending after `mineAfterMs`, and one block a minute so that the chain's clock follows the wall's. A
 * node that mines every second by itself would store 86,400 empty blocks a day; one that mines on arrival gets slower
 * with each transaction in flight.
 */
export async function startMiner(node: NodeSocket, mineAfterMs: number): Promise<Disposable> {
  let timer: NodeJS.Timeout | undefined
  let lastHead = performance.now()
  const mine = async (): Promise<void> => {
    timer = undefined
    const pool = await node.call('txpool_status')
    const pending = typeof pool === 'object' && pool !== null && 'pending' in pool ? Number(pool.pending) : 0
    if (pending > 0) await node.call('evm_mine')
  }
  const attempt = (work: Promise<unknown>): void => {
    // A node that went away fails every call; its end is seen and told by the launcher.
    work.catch(() => undefined)
  }
  await node.subscribe('newPendingTransactions', () => {
    timer ??= setTimeout(() => {
      attempt(mine())
    }, mineAfterMs)
  })
  await node.subscribe('newHeads', () => {
    lastHead = performance.now()
  })
  const heartbeat = setInterval(() => {
    if (performance.now() - lastHead >= HEARTBEAT_MS) attempt(node.call('evm_mine'))
  }, HEARTBEAT_MS)
  // What a loaded state left pending was announced before this subscription.
  attempt(mine())
  return {
    [Symbol.dispose]: () => {
      clearTimeout(timer)
      clearInterval(heartbeat)
    },
  }
}
