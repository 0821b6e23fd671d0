import { createServer, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { caughtUp, gateTask, publisher } from '../market/stage.ts'
import { openHookedStage, type HookedStage } from './hooked-stage.ts'
import { startReceiver } from './receiver.ts'

/** How endpoints of strangers end a post, by the first word of their name. */
const manners: Readonly<Record<string, (response: ServerResponse) => void>> = {
  stalls: () => undefined,
  redirects: (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  floods: (response) => {
    response.writeHead(200)
    for (let mb = 0; mb < 10; mb += 1) response.write(Buffer.alloc(1_048_576, 'x'))
    response.end()
  },
  breaks: (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half')
    setImmediate(() => response.destroy())
  },
  drips: (response) => {
    response.writeHead(200).write('.')
    const timer = setInterval(() => response.write('.'), 1_000)
    response.once('close', () => {
      clearInterval(timer)
    })
  },
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port // it listens on TCP
}

async function startStrangers() {
  const open = new Set<Socket>()
  const web = createServer((request, response) => {
    const [kind = ''] = (request.headers.host ?? '').split('-', 1)
    request.resume()
    manners[kind]?.(response)
  })
  // No TLS is spoken here.
  const plain = createTcpServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.destroy())
  })
  const [port, tlsPort] = [await listening(web), await listening(plain)]
  let most = 0
  for (const server of [web, plain])
    server.on('connection', (socket: Socket) => {
      open.add(socket)
      most = Math.max(most, open.size)
      socket.once('close', () => open.delete(socket))
    })
  const urlOf = (kind: string, index: number): string => {
    const name = `${kind}-${String(index)}.localhost`
    if (kind === 'refuses') return `http://${name}:1/`
    if (kind === 'tls') return `https://${name}:${String(tlsPort)}/`
    return kind === 'unknown' ? `https://${String(index)}.invalid/` : `http://${name}:${String(port)}/`
  }
  return {
    urlOf,
    most: () => most,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await Promise.all([web, plain].map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

const kinds = ['stalls', 'stalls', 'stalls', 'drips', 'redirects', 'floods', 'breaks', 'refuses', 'tls', 'unknown']

/** Endpoints that proved themselves once, each with so much to be told. */
async function strangersHave({ stage, webhooks }: HookedStage, urls: readonly string[], each: number): Promise<void> {
  const ids: string[] = []
  for (const [index] of urls.entries()) {
    const owner = `0x${index.toString(16).padStart(40, 'a')}`
    const given = { url: 'http://127.0.0.1:1/', events: ['*'], description: null, signsEd25519: false }
    ids.push((await webhooks.create(owner, given)).webhook.id)
  }
  await stage.pool.query(
    `update webhooks w set url = u.url, status = 'active' from unnest($1::uuid[], $2::text[]) as u (id, url)
      where w.id = u.id`,
    [ids, urls],
  )
  await stage.pool.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event_type, kind, body, status, due_at, created_at)
      select gen_random_uuid(), id, gen_random_uuid(), 'task.published', 'event', '{}', 'pending', '-infinity', now()
      from unnest($1::uuid[]) as id, generate_series(1, $2)`,
    [ids, each],
  )
}

test('two thousand endpoints that do everything wrong hold up no honest one, and cost a bounded amount', async () => {
  await using hooked = await openHookedStage()
  await using well = await startReceiver()
  await using strangers = await startStrangers()
  await hooked.active(well.url, ['*'], publisher.wallet)
  await hooked.stage.market.publish(publisher, gateTask())
  await hooked.round()
  expect(well.events()).toHaveLength(1)
  const urls = Array.from({ length: 2_000 }, (_, index) => strangers.urlOf(kinds[index % kinds.length] ?? '', index))
  await strangersHave(hooked, urls, 8)
  let isOver = false
  const working = (async () => {
    while (!isOver) {
      await hooked.delivery.begin()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  const waits: number[] = []
  try {
    for (let round = 0; round < 5; round += 1) {
      await hooked.stage.market.publish(publisher, gateTask())
      await caughtUp(hooked.stage)
      while ((await hooked.delivery.fanOut()) > 0);
      const at = performance.now()
      const count = well.events().length
      while (well.events().length === count && performance.now() - at < 20_000)
        await new Promise((resolve) => setTimeout(resolve, 10))
      waits.push(Math.round(performance.now() - at))
      await new Promise((resolve) => setTimeout(resolve, 3_000))
    }
  } finally {
    isOver = true
    await working
  }
  expect(Math.max(...waits)).toBeLessThan(5_000)
  // As many as may be under way, and what was closed at one end alone.
  expect(strangers.most()).toBeLessThan(320)
}, 600_000)
