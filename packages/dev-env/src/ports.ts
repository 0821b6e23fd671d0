import { createServer } from 'node:net'
import { threadId } from 'node:worker_threads'

const LOOPBACK = '127.0.0.1'
const NEIGHBOURS = 200

/**
 * The ports given out when none is preferred lie below what the kernel hands to connections and to listeners that ask
 * for any port: one that is free stays so until it is listened on, and while what listens there is restarted.
 */
const apart = { from: 10_240, blocks: 85, ports: 256 }

/** Threads and processes that run beside each other begin in blocks of their own, and walk on from there. */
const block = (process.pid * 31 + threadId) % apart.blocks
let given = Math.floor(Math.random() * (apart.ports / 2))

function nextApart(): number {
  given += 1
  return apart.from + ((block * apart.ports + given) % (apart.blocks * apart.ports))
}

/** Whether nothing listens on it on loopback. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => {
      resolve(false)
    })
    probe.listen({ host: LOOPBACK, port, exclusive: true }, () => {
      probe.close(() => {
        resolve(true)
      })
    })
  })
}

/**
 * The preferred port, or the next free one above it that is not `taken`. When none is preferred: a free one that no
 * other call of this thread was given, and that no listener or connection gets by asking the kernel for any.
 */
export async function freePort(preferred = 0, taken: ReadonlySet<number> = new Set()): Promise<number> {
  for (let tried = 0; tried <= NEIGHBOURS; tried++) {
    const port = preferred === 0 ? nextApart() : preferred + tried
    if (!taken.has(port) && (await isFree(port))) return port
  }
  const where = preferred === 0 ? '' : ` from ${String(preferred)} on`
  throw new Error(`none of ${String(NEIGHBOURS + 1)} ports${where} is free`)
}
