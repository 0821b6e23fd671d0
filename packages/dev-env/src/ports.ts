import { createServer } from 'node:net'

const LOOPBACK = '127.0.0.1'
const NEIGHBOURS = 200

/** The port itself if it is free on loopback; 0 asks the kernel for any; undefined when it is taken. */
function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => {
      resolve(undefined)
    })
    probe.listen({ host: LOOPBACK, port, exclusive: true }, () => {
      const address = probe.address()
      probe.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : undefined)
      })
    })
  })
}

/** The preferred port, or the next free one above it that is not `taken`; any free port when none is preferred. */
export async function freePort(preferred = 0, taken: ReadonlySet<number> = new Set()): Promise<number> {
  for (let port = preferred; port <= preferred + NEIGHBOURS; port++) {
    if (taken.has(port)) continue
    const found = await tryPort(preferred === 0 ? 0 : port)
    if (found !== undefined && !taken.has(found)) return found
  }
  throw new Error(`no free port from ${String(preferred)} to ${String(preferred + NEIGHBOURS)}`)
}

/** Below what the kernel hands out by itself: nothing that asks it for any port gets this one meanwhile. */
const apart = { from: 20_000, many: 8_000 }

/** A free port for a listener that is opened later, after others of the same process have asked for theirs. */
export function portForLater(): Promise<number> {
  return freePort(apart.from + Math.floor(Math.random() * apart.many))
}
