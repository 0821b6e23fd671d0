import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * Posts a body of zeros to a listener of this machine as a program does that looks for the answer once everything is
 * sent; what came back, as text.
 */
export async function sendWhole(port: number, path: string, bytes: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let [answer, sent] = ['', 0]
  // What resets the connection takes the answer with it: it is seen in what came back.
  socket.on('error', () => undefined)
  socket.on('data', (piece) => (answer += piece.toString('latin1')))
  socket.once('end', () => socket.end())
  const closed = once(socket, 'close')
  const head = [`POST ${path} HTTP/1.1`, `host: 127.0.0.1:${String(port)}`, `content-length: ${String(bytes)}`]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.pause()
  const piece = new Uint8Array(65_536)
  while (sent < bytes && !socket.destroyed) {
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed])
    sent += piece.length
  }
  socket.resume()
  await closed
  return answer
}
