import type { Server, ServerResponse } from 'node:http'

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

/** Calls once when the connection of an answer has ended, or its caller's side: nothing is waited for any more. */
export function whenLeft(response: ServerResponse, run: () => void): void {
  if (response.destroyed || response.writableFinished || response.req.socket.readableEnded) {
    run()
    return
  }
  let isTold = false
  const tell = (): void => {
    if (isTold) return
    isTold = true
    run()
  }
  response.once('close', tell)
  whenSideEnds(response, tell)
}

function whenSideEnds(response: ServerResponse, run: () => void): void {
  const { socket } = response.req
  socket.once('end', run)
  response.once('close', () => socket.off('end', run))
}
