import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Line } from './line.ts'
import type { Decide, Fate, Lost, Passing } from './passing.ts'
import { reachLocal } from './sockets.ts'

export type HttpLineOptions = {
  readonly line: 'http' | 'rpc' | 'api'
  readonly from: string
  /**
   * Ports in the order they are tried; the next one only when a connection is refused, so nothing is delivered twice by
   * chance.
   */
  readonly targets: () => readonly number[]
  readonly nameOf: (request: HttpQuestion) => { readonly name: string; readonly hasEffect: boolean }
  readonly decide: Decide
  readonly onLost: Lost
}

export type HttpQuestion = { readonly method: string; readonly path: string; readonly body: Buffer }
type Asked = HttpQuestion & { readonly headers: IncomingHttpHeaders }
type Answered = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }

/**
 * A proxy before an HTTP service. What was taken from the asker is delivered even when the asker has gone. While nobody
 * listens behind the line nobody listens at it: a refused connection proves that nothing was sent.
 */
export async function startHttpLine(options: HttpLineOptions): Promise<Line> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  let isOpen = true
  const silent = new WeakSet<Socket>()
  const known = new Set<Socket>()
  const server = createServer((request, response) => {
    if (silent.has(request.socket)) return
    if (!isOpen) {
      request.socket.destroy()
      return
    }
    carry(options, agent, request, response).catch(() => {
      request.socket.destroy()
    })
  })
  server.keepAliveTimeout = 60_000
  server.on('clientError', (_error, socket) => {
    socket.destroy()
  })
  server.on('connection', (socket) => {
    known.add(socket)
    socket.once('close', () => known.delete(socket))
  })
  // A port that is taken in the moment it is free is tried again at the next look.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('a line listens on TCP')
  const { port } = address
  const mirror = setInterval(() => {
    void mirrorTargets(server, port, options.targets())
  }, mirrorMs)
  const breakAll = (): void => {
    server.closeAllConnections()
  }
  return {
    port,
    breakAll,
    silence() {
      for (const socket of known) {
        silent.add(socket)
        socket.pause()
        socket.cork() // an answer under way is kept back too
      }
    },
    close() {
      isOpen = false
      breakAll()
    },
    open() {
      isOpen = true
    },
    async [Symbol.asyncDispose]() {
      clearInterval(mirror)
      const closed = new Promise((resolve) => server.close(resolve))
      breakAll()
      agent.destroy()
      await closed
    },
  }
}

const mirrorMs = 50

async function mirrorTargets(server: Server, port: number, targets: readonly number[]): Promise<void> {
  const isAnybodyThere = (await Promise.all(targets.map(listens))).includes(true)
  if (isAnybodyThere && !server.listening) server.listen(port, '127.0.0.1')
  if (!isAnybodyThere && server.listening) server.close()
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = reachLocal(port)
    socket
      .once('connect', () => {
        socket.destroy()
        resolve(true)
      })
      .once('error', () => {
        resolve(false)
      })
  })
}

async function carry(
  options: HttpLineOptions,
  agent: Agent,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bytesOf(request)
  const asked: Asked = { method: request.method ?? 'GET', path: request.url ?? '/', headers: request.headers, body }
  const passing: Passing = { line: options.line, from: options.from, ...options.nameOf(asked) }
  const fate = options.decide(passing)
  const break_ = (): void => {
    request.socket.destroy()
  }
  switch (fate.kind) {
    case 'cut':
      return break_()
    case 'refuse':
      return tell(response, {
        status: 413,
        headers: { 'content-type': 'text/plain' },
        body: Buffer.from('batch too large'),
      })
    case 'hold':
      await pause(fate.ms)
      return tell(response, await deliver(options, agent, asked))
    case 'slow': {
      const answer = await deliver(options, agent, asked)
      await pause(fate.ms)
      return tell(response, answer)
    }
    case 'repeat': {
      const [first] = await Promise.all([
        deliver(options, agent, asked),
        deliver(options, agent, asked).catch(() => undefined),
      ])
      return tell(response, first)
    }
    case 'lose':
    case 'failover':
      return lose(
        options,
        passing,
        fate.kind === 'lose' ? fate : { kind: 'lose' },
        await deliver(options, agent, asked),
        break_,
      )
    case 'pass':
      return tell(response, await deliver(options, agent, asked))
  }
}

async function lose(
  { onLost }: HttpLineOptions,
  passing: Passing,
  { ms = 0 }: Extract<Fate, { kind: 'lose' }>,
  { status }: Answered,
  end: () => void,
): Promise<void> {
  if (status < 400) onLost(passing, 'lose')
  if (ms > 0) await pause(ms)
  end()
}

function tell(response: ServerResponse, { status, headers, body }: Answered): void {
  if (response.destroyed) return
  const { connection: _connection, 'transfer-encoding': _encoding, 'keep-alive': _alive, ...kept } = headers
  response.writeHead(status, { ...kept, 'content-length': String(body.length) }).end(body)
}

async function deliver(options: HttpLineOptions, agent: Agent, asked: Asked): Promise<Answered> {
  let refused: unknown = new Error('nobody is there')
  for (const port of options.targets()) {
    try {
      return await exchange(agent, port, asked)
    } catch (error) {
      if (!isRefused(error)) throw error
      refused = error
    }
  }
  throw refused
}

function exchange(agent: Agent, port: number, { method, path, headers, body }: Asked): Promise<Answered> {
  const { connection: _connection, 'transfer-encoding': _encoding, 'content-length': _length, ...kept } = headers
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent,
        headers: { ...kept, ...(body.length > 0 || method !== 'GET' ? { 'content-length': String(body.length) } : {}) },
      },
      (answer) => {
        bytesOf(answer).then((bytes) => {
          resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: bytes })
        }, reject)
      },
    )
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer) // no encoding is set: chunks are buffers
  return Buffer.concat(chunks)
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
}
