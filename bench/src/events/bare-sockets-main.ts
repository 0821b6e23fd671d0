import { createServer } from 'node:http'
import { WebSocket, WebSocketServer } from 'ws'

const port = Number(process.env['BARE_PORT'])
if (!(port > 0)) throw new Error('set BARE_PORT')

/** The least a broadcast can cost: every text is written down once and sent to whoever reads. */
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
const maxBufferedBytes = 512 * 1024
const server = createServer((request, response) => {
  if (request.method === 'POST') {
    request.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n')) if (line !== '') broadcast(Buffer.from(line))
    })
  }
  request
    .on('end', () => {
      response.end('ok')
    })
    .resume()
})
function broadcast(bytes: Buffer): void {
  for (const client of sockets.clients) {
    if (client.readyState !== WebSocket.OPEN) continue
    if (client.bufferedAmount > maxBufferedBytes) client.terminate()
    else client.send(bytes, { binary: false })
  }
}
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (client) => {
    sockets.emit('connection', client)
  })
})
server.listen(port, '127.0.0.1')
process.once('SIGTERM', () => process.exit())
process.once('disconnect', () => process.exit())
