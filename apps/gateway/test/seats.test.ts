import { once } from 'node:events'
import { get, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { credential, proof } from './foreign-client.ts'
import {
  startChain,
  startSession,
  startStage,
  startUpstream,
  until,
  type Chain,
  type Session,
  type Stage,
  type Upstream,
} from './harness.ts'

const seats = 3
const streamMs = 1_500

/** Answers of the upstream, until they are let go. */
const held: (() => void)[] = []

function letGo(): void {
  for (const answer of held.splice(0)) answer()
}

function answer(kind: string, response: ServerResponse): void {
  if (kind === 'late') return void response.end('late')
  if (kind === 'late-and-long') return void response.end(Buffer.alloc(300_000, 'y'))
  const more = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}

let chain: Chain
let upstream: Upstream
let stage: Stage
let session: Session
beforeAll(async () => {
  chain = await startChain()
  upstream = await startUpstream((request, response) => {
    held.push(() => {
      answer((request.url ?? '').slice('/v1/'.length), response)
    })
  })
  stage = await startStage(chain, upstream.url, {
    GATEWAY_SEATS: `128/${seats}/512`,
    GATEWAY_UPSTREAM_MS: `20000/${streamMs}`,
    GATEWAY_BODIES: '1048576/100000000',
  })
  session = await startSession(chain, stage, 'operator')
})
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
  await chain[Symbol.asyncDispose]()
})

/** A buyer that pays for a call and reads nothing. */
async function pays(path: string): Promise<Socket> {
  const { hostname, port } = new URL(stage.url)
  const { buyer, channelId, challenge } = session
  const authentication = proof(buyer, channelId, challenge.echo['id'] ?? '')
  const authorization = credential(challenge.echo, { action: 'use', channelId, authentication })
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: gateway\r\nauthorization: ${authorization}\r\n\r\n`)
  return socket
}

const isFull = async (): Promise<boolean> => (await fetch(`${stage.url}/__402/health`)).status === 503

/** Buyers on every seat, whose calls the upstream has, and has not answered. */
async function takeAll(path: string): Promise<readonly Socket[]> {
  const asked = upstream.asked.length
  const buyers = await Promise.all(Array.from({ length: seats }, () => pays(path)))
  const areSeated = await until(() => Promise.resolve(upstream.asked.length === asked + seats), 5_000).then(
    () => true,
    () => false,
  )
  if (areSeated) {
    expect(await isFull()).toBe(true)
    return buyers
  }
  // A seat is free a moment after its answer has ended: who was refused meanwhile comes again.
  for (const buyer of buyers) buyer.destroy()
  letGo()
  return takeAll(path)
}

/** Whether as many calls as there are seats are under way at once. */
async function areAllFree(): Promise<boolean> {
  const asked = upstream.asked.length
  let refused = 0
  const calls = Array.from({ length: seats }, async () => {
    const response = await session.pay('/weather/late')
    await response.arrayBuffer()
    if (response.status !== 200) refused += 1
  })
  await until(() => Promise.resolve(upstream.asked.length - asked + refused === seats))
  letGo()
  await Promise.all(calls)
  return refused === 0
}

test.each(['/weather/late', '/weather/late-and-long'])(
  'buyers that leave before %s is answered leave their seats',
  async (path) => {
    const buyers = await takeAll(path)
    await Promise.all(buyers.map((buyer) => once(buyer.destroy(), 'close')))
    // Their calls are under way still.
    expect(await isFull()).toBe(true)
    letGo()
    await until(areAllFree)
  },
)

test('buyers that do not read what they bought keep their seats no longer than a stream may take', async () => {
  const buyers = await takeAll('/weather/endless')
  try {
    letGo()
    await until(areAllFree)
  } finally {
    for (const buyer of buyers) buyer.destroy()
  }
})

test('connections of one address that ask for nothing leave the door to others', async () => {
  await using small = await startStage(chain, upstream.url, { GATEWAY_SEATS: '2/2/4' })
  const { hostname, port } = new URL(small.url)
  const idle = Array.from({ length: 16 }, () => connect(Number(port), hostname).on('error', () => undefined))
  try {
    await Promise.all(idle.map((socket) => once(socket, 'connect')))
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    get({ hostname, port, path: '/__402/health', localAddress: '127.0.0.2' }, ({ statusCode }) => {
      resolve(statusCode)
    }).on('error', reject)
    expect(await promise).toBe(200)
  } finally {
    for (const socket of idle) socket.destroy()
  }
})
