import { createHmac, createSecretKey, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import { Agent, createServer, request } from 'node:http'

const port = Number(process.env['BARE_PORT'])
if (!(port > 0)) throw new Error('set BARE_PORT')

type Order = { readonly url: string; readonly count: number; readonly concurrency: number; readonly body: string; readonly isSigned: boolean }

/** The least a post can cost: the same bytes over kept connections, and the answer read to its end. */
const agent = new Agent({ keepAlive: true, maxSockets: 1_000 })

const secret = createSecretKey(randomBytes(32))
const { privateKey } = generateKeyPairSync('ed25519')

/** Both signatures of Standard Webhooks, and nothing else that a delivery needs. */
function signatures(body: string): Readonly<Record<string, string>> {
  const [id, timestamp] = [randomUUID(), String(Math.floor(Date.now() / 1_000))]
  const signed = Buffer.from(`${id}.${timestamp}.${body}`)
  const both = `v1,${createHmac('sha256', secret).update(signed).digest('base64')} v1a,${sign(null, signed, privateKey).toString('base64')}`
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': both }
}

function post(url: string, body: string, isSigned: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...(isSigned ? signatures(body) : {}) }
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => { response.on('end', resolve).on('error', reject).resume() })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

async function send({ url, count, concurrency, body, isSigned }: Order): Promise<void> {
  let left = count
  const line = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await post(url, body, isSigned)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, line))
}

createServer((incoming, response) => {
  let text = ''
  incoming.setEncoding('utf8').on('data', (part: string) => { text += part }).on('end', () => {
    if (text === '') response.end('ok')
    else send(JSON.parse(text) as Order).then(() => { response.end('sent') }, () => { response.writeHead(500).end() })
  })
}).listen(port, '127.0.0.1')
process.once('SIGTERM', () => process.exit())
process.once('disconnect', () => process.exit())
