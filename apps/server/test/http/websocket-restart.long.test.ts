import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../adapters/rig.ts'
import { aTask, expectStatus, type Party } from './live-market.ts'
import { startLiveProcesses, type LiveProcesses } from './live-processes.ts'
import { authenticated, authFrame } from './live-socket.ts'

let live: LiveProcesses
let publisher: Party
beforeAll(async () => {
  live = await startLiveProcesses()
  publisher = await live.party(0n)
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

const publishTask = async (): Promise<string> =>
  String(expectStatus(await publisher.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])

test('a server that is killed loses nothing for whoever comes back with a cursor', async () => {
  const client = await authenticated(live.url, publisher.key)
  const first = await publishTask()
  const seen = await client.next(({ payload }) => JSON.stringify(payload).includes(first))
  // Committed, and perhaps never told by the process that dies.
  const [untold] = await Promise.all([publishTask(), publishTask()])
  // SIGKILL, and up again.
  await Promise.all([client.closed(), live.constellation.restart('server')])
  const later = await eventually(
    () => publishTask().catch(() => undefined),
    (id) => id !== undefined,
  )
  const told = client.events().map(({ frame }) => frame.id)
  const cursor = client.frames.findLast((frame) => frame.cursor !== undefined)?.cursor ?? seen.cursor
  using again = await authenticated(live.url, publisher.key, cursor)
  await again.next(({ payload }) => JSON.stringify(payload).includes(String(later)))
  const all = [...told, ...again.events().map(({ frame }) => frame.id)]
  expect(new Set(all).size).toBe(all.length)
  const tasks = [...client.events(), ...again.events()].map(({ taskId }) => taskId)
  expect(tasks).toEqual(expect.arrayContaining([first, untold, later]))
  expect(tasks).toHaveLength(4)
})

test('the WebSocket of the platform speaks to the service as it is', async () => {
  const url = live.url.replace('http', 'ws')
  const socket = new WebSocket(`${url}/ws`)
  const frames: { readonly type: string; readonly payload: Readonly<Record<string, unknown>> }[] = []
  socket.addEventListener('message', ({ data }) => {
    frames.push(JSON.parse(String(data)) as (typeof frames)[number])
  }) // the service sends JSON objects alone
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  socket.send(JSON.stringify(await authFrame(publisher.key, { url: `${url}/ws` })))
  const success = await eventually(
    () => Promise.resolve(frames.find(({ type }) => type.startsWith('auth_'))),
    (frame) => frame !== undefined,
  )
  expect(success).toMatchObject({ type: 'auth_success', payload: { wallet: publisher.wallet } })
  const taskId = await publishTask()
  const event = await eventually(
    () => Promise.resolve(frames.find(({ type }) => type === 'event')),
    (frame) => frame !== undefined,
  )
  expect(event?.payload).toMatchObject({ event: 'TaskCreated', payload: { task_id: taskId } })
  socket.close()
})
