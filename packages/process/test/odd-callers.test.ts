import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { answeringHalfClosed, bodiesOnDemand, createBrokenRequests, whenLeft } from '../src/index.ts'
import { sendParts } from '../src/testing/index.ts'

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

async function listening(answer: RequestListener, prepare: (server: Server) => void): Promise<number> {
  const server = createServer(answer)
  prepare(server)
  open.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const late: RequestListener = (request, response) => {
  request.resume()
  setTimeout(() => {
    response.end(`did ${request.url ?? ''}`)
  }, 150)
}
const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
const post = (more: string): string => `POST /made HTTP/1.1\r\nHost: a\r\n${more}\r\n`

describe('bytes that are no request', () => {
  const answering = (answer: RequestListener = late): Promise<number> =>
    listening(answer, (server) => {
      const broken = createBrokenRequests((reason) => ({ headers: {}, body: reason }))
      broken.watch(server)
      server.on('clientError', broken.answer)
    })

  test.each([
    ['behind a request', get('/one') + 'GARBAGE\r\n\r\n', ['did /one']],
    ['behind the last request of a connection', get('/one', 'Connection: close\r\n') + get('/two'), ['did /one']],
    ['behind two requests', get('/one') + get('/two') + '\x16\x03\x01', ['did /one', 'did /two']],
    [
      'behind a request, in a body that breaks',
      get('/one') + post('Transfer-Encoding: chunked\r\n') + 'zz\r\n',
      ['did /one'],
    ],
  ])('%s take no answer away, and are told nothing', async (_what, bytes, answers) => {
    const heard = await sendParts(await answering(), [bytes])
    expect(heard.match(/did \/(?:one|two)/g)).toEqual(answers)
    expect(heard).not.toContain('400')
  })

  test('that keep coming behind a request change nothing about its answer', async () => {
    const heard = await sendParts(await answering(), [get('/one'), '\x16\x03', '\x16\x03', '\x16\x03'])
    expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
  })

  test.each([
    ['alone', '\x16\x03\x01', '400 Bad Request', 'no_request'],
    [
      'with headers beyond measure',
      get('/one', `X: ${'x'.repeat(20_000)}\r\n`),
      '431 Request Header Fields Too Large',
      'headers_too_large',
    ],
    ['in the body of a request', post('Transfer-Encoding: chunked\r\n') + 'zz\r\n', '400 Bad Request', 'no_request'],
  ])('%s are told what they are', async (_what, bytes, status, reason) => {
    const heard = await sendParts(await answering((request) => request.resume()), [bytes])
    expect(heard).toMatch(new RegExp(`^HTTP/1\\.1 ${status}\r\n[^]*connection: close\r\n\r\n${reason}$`))
  })

  test('behind an answer are told what they are', async () => {
    const heard = await sendParts(await answering(), [get('/one'), '', '', '', '', '', '', 'GARBAGE\r\n\r\n'])
    expect(heard).toMatch(/did \/oneHTTP\/1\.1 400 [^]*no_request$/)
  })

  test('are not told anything into an answer that has begun', async () => {
    const port = await answering((_request, response) => response.write('the first half'))
    expect(await sendParts(port, [post('Transfer-Encoding: chunked\r\n'), 'zz\r\n'])).not.toContain('400')
  })
})

describe('a body that is held back (Expect: 100-continue)', () => {
  const asking = (isWanted: boolean): Promise<number> => {
    let askForBody: ReturnType<typeof bodiesOnDemand> = () => undefined
    return listening(
      (request, response) => {
        if (!isWanted) response.writeHead(413).end('too much')
        else {
          askForBody(response)
          void text(request).then((body) => response.end(`got ${body}`))
        }
      },
      (server) => {
        askForBody = bodiesOnDemand(server)
      },
    )
  }
  const held = 'Content-Length: 2\r\nExpect: 100-continue\r\n'

  test('is asked for where it is wanted', async () => {
    const heard = await sendParts(await asking(true), [post(`${held}Connection: close\r\n`), '{}'])
    expect(heard).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 [^]*got \{\}/)
  })

  test('leaves its connection open', async () => {
    const heard = await sendParts(await asking(true), [post(held), '{}', get('/two', 'Connection: close\r\n')])
    expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200', 'HTTP/1.1 200'])
  })

  test('is never asked for where it is refused, and the connection ends', async () => {
    const heard = await sendParts(await asking(false), [post(held)])
    expect(heard).toMatch(/^HTTP\/1\.1 413 [^]*Connection: close\r\n[^]*too much/)
  })

  test('what else is expected is passed over', async () => {
    const heard = await sendParts(await asking(true), [
      post('Content-Length: 2\r\nExpect: tea\r\nConnection: close\r\n'),
      '{}',
    ])
    expect(heard).toMatch(/^HTTP\/1\.1 200 [^]*got \{\}/)
  })
})

describe('whoever ends its side behind its request', () => {
  test('is answered', async () => {
    expect(await sendParts(await listening(late, answeringHalfClosed), [get('/one')], true)).toContain('did /one')
  })

  test('has left, to whoever waits for more', async () => {
    const left = Promise.withResolvers<void>()
    const port = await listening((_request, response) => {
      whenLeft(response, () => {
        response.end('nothing came')
        left.resolve()
      })
    }, answeringHalfClosed)
    expect(await sendParts(port, [get('/one')], true)).toContain('nothing came')
    await left.promise
  })

  test('is heard by everybody who waits for it, and costs a connection one listener however much it asks at once', async () => {
    const requests = 30
    const [listeners, closings, left]: [number[], number[], string[]] = [[], [], []]
    const port = await listening((request, response) => {
      // As many as hold something for it.
      for (let held = 0; held < 20; held += 1) {
        whenLeft(response, () => {
          if (held === 0) left.push(request.url ?? '')
          else if (held === 19) response.end('nothing came')
        })
        closings.push(response.listenerCount('close'))
      }
      listeners.push(request.socket.listenerCount('end'))
    }, answeringHalfClosed)
    await sendParts(port, [Array.from({ length: requests }, (_, at) => get(`/${String(at)}`)).join('')], true)
    expect(left).toHaveLength(requests)
    expect(Math.max(...listeners)).toBe(listeners[0])
    expect(Math.max(...closings)).toBe(closings[0])
  })

  test('is let go where it reads a stream that is silent', async () => {
    const ended = Promise.withResolvers<void>()
    const port = await listening((_request, response) => {
      response.write('first')
      response.once('close', ended.resolve)
    }, answeringHalfClosed)
    await sendParts(port, [get('/one')], true)
    await ended.promise
  })

  test('is told a long answer to its end, in pieces', async () => {
    const size = 8 * 1_048_576
    const port = await listening((_request, response) => {
      response.writeHead(200, { 'content-length': size })
      for (let part = 0; part < 4; part += 1) setTimeout(() => response.write('x'.repeat(size / 4)), part * 400)
      setTimeout(() => response.end(), 1_600)
    }, answeringHalfClosed)
    expect((await sendParts(port, [get('/one')], true)).length).toBeGreaterThan(size)
  })
})
