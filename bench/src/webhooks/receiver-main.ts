import { createServer } from 'node:http'

const port = Number(process.env['BARE_PORT'])
if (!(port > 0)) throw new Error('set BARE_PORT')

let got = 0
let last = ''

/** Counts what is posted, and gives the token of a challenge back; GET answers the count and the latest body. */
createServer((incoming, response) => {
  let text = ''
  incoming
    .setEncoding('utf8')
    .on('data', (part: string) => {
      text += part
    })
    .on('end', () => {
      if (incoming.method === 'GET') {
        response.end(JSON.stringify({ got, last }))
        return
      }
      const challenge = text.includes('"webhook.challenge"')
        ? (JSON.parse(text) as { readonly data: { readonly token: string } })
        : undefined
      if (challenge === undefined) {
        got += 1
        last = text
      }
      response.end(challenge?.data.token)
    })
}).listen(port, '127.0.0.1')
process.once('SIGTERM', () => process.exit())
process.once('disconnect', () => process.exit())
