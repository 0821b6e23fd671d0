import type { Server, ServerResponse } from 'node:http'

/**
 * A body that its caller holds back (`Expect: 100-continue`) is asked for by what this answers, once it is wanted: who
 * is refused before then sends none (RFC 9110 §10.1.1), and the connection ends with the answer. Nothing else that may
 * be expected is known here, so it is passed over.
 */
export function bodiesOnDemand(server: Server): (response: ServerResponse) => void {
  const held = new WeakMap<ServerResponse, boolean>()
  server.on('checkContinue', (request, response) => {
    held.set(response, response.shouldKeepAlive)
    response.shouldKeepAlive = false
    server.emit('request', request, response)
  })
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response)
  })
  return (response) => {
    const isKept = held.get(response)
    if (isKept === undefined || response.headersSent) return
    held.delete(response)
    response.shouldKeepAlive = isKept
    response.writeContinue()
  }
}
