import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { binary, openTerminal, type Terminal } from './binary.ts'

/** How the bridge ends, and what it says when the service does not: as a process, as hosts start it. */
type Asked = { readonly path: string; readonly id: unknown }
type Manner = (asked: Asked, response: ServerResponse) => void

const answers: Manner = ({ id }, response) => {
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } }))
}
const saysNothing: Manner = () => undefined
const policy: Manner = (_asked, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ supported_chains: [31_337] }))
}

let asked: Asked[] = []
let tools: Manner = answers
let signing: Manner = policy
const server = createServer((request: IncomingMessage, response) => {
  void text(request).then((body) => {
    const path = request.url ?? ''
    const one = { path, id: body === '' ? undefined : (JSON.parse(body) as { id?: unknown }).id }
    asked.push(one)
    if (path.startsWith('/mcp')) tools(one, response)
    else signing(one, response)
  })
})
let terminal: Terminal
const started: ChildProcess[] = []
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  terminal = openTerminal({ ERGON_URL: `http://127.0.0.1:${String(port)}` })
  expect(await terminal.json(['init', '--network', 'localnet'])).toMatchObject({ code: 0 })
})
afterAll(() => {
  terminal[Symbol.dispose]()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = []
  ;[tools, signing] = [answers, policy]
})
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

function openBridge(...node: readonly string[]) {
  const child = spawn(process.execPath, [...node, binary, 'mcp', 'serve'], {
    env: { ...terminal.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  started.push(child)
  child.stdin.on('error', () => undefined)
  const said: Record<string, unknown>[] = []
  createInterface({ input: child.stdout }).on('line', (line) => said.push(JSON.parse(line) as Record<string, unknown>))
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(code ?? signal)
    })
  })
  return {
    child,
    said,
    ended,
    call: (id: number, method = 'tools/call') =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: { name: 'svc_get_task' } })}\n`),
  }
}
const until = (what: () => boolean) => expect.poll(what, { timeout: 30_000, interval: 20 }).toBe(true)
const within = async (ended: Promise<unknown>, ms: number) => {
  const timer = Promise.withResolvers<'still there'>()
  const limit = setTimeout(() => {
    timer.resolve('still there')
  }, ms)
  return Promise.race([ended, timer.promise]).finally(() => {
    clearTimeout(limit)
  })
}
const goodMs = 3_000

test.each(['its input is closed', 'SIGTERM', 'SIGINT'] as const)(
  'it ends at once on %s, though the service is silent',
  async (what) => {
    tools = saysNothing
    const bridge = openBridge()
    bridge.call(1)
    await until(() => asked.length === 2)
    if (what === 'its input is closed') bridge.child.stdin.end()
    else bridge.child.kill(what)
    expect(await within(bridge.ended, goodMs)).toBe(0)
    expect(bridge.said).toEqual([])
  },
)

test.each(['SIGTERM', 'its input is closed'] as const)(
  'it ends at once on %s before it began, though the service is silent',
  async (what) => {
    signing = saysNothing
    const bridge = openBridge()
    await until(() => asked.length === 1)
    if (what === 'SIGTERM') bridge.child.kill(what)
    else bridge.child.stdin.end()
    expect(await within(bridge.ended, goodMs)).not.toBe('still there')
  },
)

test('it ends with the host that started it, however that ended', async () => {
  tools = saysNothing
  const host = spawn(
    process.execPath,
    [
      '-e',
      `const { spawn } = require('node:child_process')
       const child = spawn(process.execPath, ${JSON.stringify([binary, 'mcp', 'serve'])}, { stdio: ['pipe', 'pipe', 'ignore'] })
       child.stdin.write(${JSON.stringify(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call' })}\n`)})
       console.log(child.pid)
       setInterval(() => {}, 1000)`,
    ],
    { env: { ...terminal.env }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  started.push(host)
  const pid = Number(
    await new Promise<string>((resolve) => createInterface({ input: host.stdout }).once('line', resolve)),
  )
  await until(() => asked.length === 2)
  host.kill('SIGKILL')
  const isThere = (): boolean => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  await expect.poll(isThere, { timeout: goodMs }).toBe(false)
})

test.each(['tools/call', 'tools/list'])(
  'a stream that ends before its answer to %s is answered by the bridge',
  async (method) => {
    tools = (_one, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n')
    }
    const bridge = openBridge()
    bridge.call(7, method)
    await until(() => bridge.said.length === 1)
    expect(bridge.said).toMatchObject([{ id: 7, error: { message: 'the tool server ended its answer early' } }])
  },
)

test('a call that finds nobody is made when the service is there again, and a cut one is said to be in doubt', async () => {
  const bridge = openBridge()
  bridge.call(1)
  await until(() => bridge.said.length === 1)
  const { port } = server.address() as AddressInfo // it listens on a port
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  bridge.call(2)
  await pause(1_000)
  expect(bridge.said).toHaveLength(1)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await until(() => bridge.said.length === 2)
  expect(bridge.said[1]).toMatchObject({ id: 2, result: {} })
  tools = (_one, response) => void response.destroy()
  bridge.call(3)
  await until(() => bridge.said.length === 3)
  expect(bridge.said[2]).toMatchObject({
    id: 3,
    error: { message: expect.stringMatching(/may be done or not: read first/) },
  })
  expect(asked.filter(({ path }) => path.startsWith('/mcp')).map(({ id }) => id)).toEqual([1, 2, 3])
})

test('thousands of calls and cut connections leave nothing behind in it', async () => {
  // What is left of a call would fill this heap: a response that is forgotten is 10 kB and more.
  const bridge = openBridge('--max-old-space-size=48', '--max-semi-space-size=2')
  const manners: readonly Manner[] = [
    answers,
    (_one, response) => void response.destroy(),
    (_one, response) => void response.writeHead(503).end(),
    ({ id }, response) => {
      const answer = JSON.stringify({ jsonrpc: '2.0', id, result: {} })
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${answer}\n\n`)
    },
    (_one, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': nothing\n\n')
      setImmediate(() => response.destroy())
    },
  ]
  tools = (one, response) => manners[Number(one.id) % manners.length]?.(one, response)
  let next = 0
  const round = async (calls: number): Promise<number> => {
    for (const end = next + calls; next < end;) {
      for (let index = 0; index < 20; index += 1, next += 1)
        bridge.call(next, next % 2 === 0 ? 'tools/call' : 'tools/list')
      await until(() => bridge.said.length === next)
    }
    server.closeAllConnections()
    return readdirSync(`/proc/${String(bridge.child.pid)}/fd`).length
  }
  const before = await round(1_000)
  const after = await round(9_000)
  expect(new Set(bridge.said.map(({ id }) => id)).size).toBe(10_000)
  expect(after).toBeLessThan(before + 20)
  bridge.child.stdin.end()
  expect(await within(bridge.ended, goodMs)).toBe(0)
}, 300_000)
