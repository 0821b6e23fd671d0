import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createKeptConnections, type KeptConnections } from '../../src/delivery/kept-connections.ts'
import type { GuardedTarget } from '../../src/delivery/guarded-target.ts'

let servers: Server[]
let made: number
beforeEach(async () => {
  made = 0
  servers = Array.from({ length: 3 }, () =>
    createServer((_incoming, response) => {
      response.end('ok')
    }).on('connection', () => {
      made += 1
    }),
  )
  await Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((resolve) => {
          server.listen(0, '127.0.0.1', resolve)
        }),
    ),
  )
})
afterEach(() =>
  Promise.all(
    servers.map(
      (server) =>
        new Promise((resolve) => {
          server.close(resolve).closeAllConnections()
        }),
    ),
  ),
)

function targetOf(server: Server | undefined): GuardedTarget {
  const { port } = server?.address() as AddressInfo // it listens on TCP
  return {
    isSecure: false,
    address: '127.0.0.1',
    port,
    path: '/',
    authority: `127.0.0.1:${String(port)}`,
    serverName: '',
  }
}

async function get(connections: KeptConnections, target: GuardedTarget): Promise<void> {
  const connection = await connections.take(target)
  const { body } = await connection.client.request({ path: '/', method: 'GET' })
  await body.text()
  connections.giveBack(connection)
}

const count = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, found) => {
      if (error === null) resolve(found)
      else reject(error)
    })
  })
const openAll = async (): Promise<number> => (await Promise.all(servers.map(count))).reduce((sum, one) => sum + one, 0)

test('no more connections stay idle than are allowed over all hosts, and every request is served', async () => {
  using connections = createKeptConnections({ perHost: 4, idle: 2, idleMs: 30_000 })
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(servers.map((server) => get(connections, targetOf(server))))
    await expect.poll(openAll).toBe(2)
  }
})

test('a connection that was taken into use again makes room, and one that is kept is used again', async () => {
  using connections = createKeptConnections({ perHost: 4, idle: 1, idleMs: 30_000 })
  for (let round = 0; round < 3; round += 1) await get(connections, targetOf(servers[0]))
  expect([made, await openAll()]).toEqual([1, 1])
})

test('a host has no more connections than are allowed, whoever asks for one waits in turn, and one that breaks is replaced for whoever waits', async () => {
  using connections = createKeptConnections({ perHost: 2, idle: 8, idleMs: 30_000 })
  await Promise.all(Array.from({ length: 10 }, () => get(connections, targetOf(servers[0]))))
  expect(made).toBe(2)
  const [first, second] = await Promise.all([
    connections.take(targetOf(servers[0])),
    connections.take(targetOf(servers[0])),
  ])
  const turns: string[] = []
  const [third, fourth] = [
    Promise.resolve(connections.take(targetOf(servers[0]))),
    Promise.resolve(connections.take(targetOf(servers[0]))),
  ]
  void third.then(() => turns.push('third'))
  void fourth.then(() => turns.push('fourth'))
  connections.drop(first, new Error('it broke'))
  connections.giveBack(second)
  expect([(await third) === first, (await fourth) === second, turns]).toEqual([false, true, ['third', 'fourth']])
  await (await third).client.request({ path: '/', method: 'GET' }).then(({ body }) => body.text())
  expect(made).toBe(3)
})

test('another name at the same address is another connection', async () => {
  using connections = createKeptConnections({ perHost: 4, idle: 8, idleMs: 30_000 })
  const target = targetOf(servers[0])
  for (const authority of ['one.invalid', 'two.invalid', 'one.invalid', 'two.invalid'])
    await get(connections, { ...target, authority })
  expect(made).toBe(2)
})
