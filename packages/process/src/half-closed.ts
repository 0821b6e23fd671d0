import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const silentMs = 1_000

/**
 * Answers whoever ends its side behind its request, as scripts and plain tools do: what was asked may have been done,
 * and the answer says so. A stream that is silent is let go: who reads it may as well have left.
 */
export function answeringHalfClosed(server: Server): void {
  // By itself the platform ends the other side at once, before the answer is there.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('request', ({ socket }, response) => {
    whenSideEnds(response, () => {
      let before = socket.bytesWritten
      const timer = setInterval(() => {
        const isSilent = response.headersSent && !response.writableEnded && socket.bytesWritten === before
        before = socket.bytesWritten
        if (isSilent) socket.destroy()
      }, silentMs)
      response.once('close', () => {
        clearInterval(timer)
      })
    })
  })
}

/** By answer: what is told that nothing is waited for any more. */
const leaving = new WeakMap<ServerResponse, Set<() => void>>()

/** Calls once when the connection of an answer has ended, or its caller's side: nothing is waited for any more. */
export function whenLeft(response: ServerResponse, run: () => void): void {
  if (response.destroyed || response.writableFinished || response.req.socket.readableEnded) run()
  else leavingOf(response).add(run)
}

/** An answer has one listener of a kind, however many wait for its end. */
function leavingOf(response: ServerResponse): Set<() => void> {
  const known = leaving.get(response)
  if (known !== undefined) return known
  const runs = new Set<() => void>()
  leaving.set(response, runs)
  const tell = (): void => {
    const all = [...runs]
    runs.clear()
    for (const run of all) run()
  }
  response.once('close', tell)
  whenSideEnds(response, tell)
  return runs
}

/** By connection: what waits for its caller's side to end, once for each answer that is not written yet. */
const waiting = new WeakMap<Socket, Set<() => void>>()

function whenSideEnds(response: ServerResponse, run: () => void): void {
  const runs = waitingOn(response.req.socket)
  runs.add(run)
  response.once('close', () => runs.delete(run))
}

/** A connection has one listener however many requests it brings at once: Node warns of more than ten. */
function waitingOn(socket: Socket): Set<() => void> {
  const known = waiting.get(socket)
  if (known !== undefined) return known
  const runs = new Set<() => void>()
  waiting.set(socket, runs)
  socket.once('end', () => {
    for (const run of [...runs]) run()
  })
  return runs
}
