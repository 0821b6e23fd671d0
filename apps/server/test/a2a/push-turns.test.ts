import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool, createPushConfigs } from '../../src/adapters/postgres/index.ts'
import { createSealedText } from '../../src/adapters/sealed-text.ts'
import { createPushNews } from '../../src/api/a2a/push-news.ts'
import { createGuardedClient } from '../../src/delivery/guarded-client.ts'
import { createPost } from '../../src/delivery/post.ts'
import { createPushTasks } from '../../src/delivery/push-tasks.ts'
import { caughtUp, gateTask, openStage, publisher, type Stage } from '../market/stage.ts'

/** An agent that answers when it is told to. */
type Agent = AsyncDisposable & {
  readonly url: string
  /** The events it was told of, in the order in which it was told. */
  readonly told: string[]
  readonly open: ServerResponse[]
}

async function startAgent(): Promise<Agent> {
  const [told, open]: [string[], ServerResponse[]] = [[], []]
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      told.push(String(request.headers['x-idempotency-key']))
      expect(body).toContain('"kind":"task"')
      open.push(response)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${String(port)}/updates`,
    told,
    open,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

/** One process that posts. */
function openProcess({ databaseUrl, market }: Stage) {
  const pool = createPool(databaseUrl)
  const client = createGuardedClient({ near: 'loopback' })
  const configs = createPushConfigs(pool, createSealedText(Buffer.alloc(32, 7)))
  const faults: unknown[] = []
  const tasks = createPushTasks({
    configs,
    news: createPushNews(market),
    post: createPost({ client, timeoutMs: 60_000, now: () => new Date() }),
    random: Math.random,
    now: () => new Date(),
    onRoom: () => undefined,
    onError: (error) => void faults.push(error),
  })
  return {
    ...tasks,
    configs,
    faults,
    async [Symbol.asyncDispose]() {
      await tasks.settled()
      client[Symbol.dispose]()
      await pool.end()
    },
  }
}

const config = (taskId: string, url: string) => ({
  ...{ taskId, wallet: publisher.wallet, id: 'mine', url },
  ...{ token: null, schemes: [], credentials: null },
})
const until = (what: () => boolean) => expect.poll(what, { timeout: 5_000, interval: 5 }).toBe(true)
type Process = ReturnType<typeof openProcess>

/** A task whose updates an agent hears from now on. */
async function followed(one: Process, agent: Agent): Promise<string> {
  const { task } = await stage.market.publish(publisher, gateTask())
  // Its first event lies behind the place.
  await caughtUp(stage)
  await one.configs.put(config(task.id, agent.url), await stage.market.eventHorizon(), 10)
  return task.id
}

async function happens(taskId: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1)
    await stage.market.updateTask(publisher, taskId, { title: `Photograph gate ${String(time)}` })
  await caughtUp(stage)
}

async function answered(agent: Agent, status = 200): Promise<void> {
  await until(() => agent.open.length > 0)
  agent.open.shift()?.writeHead(status).end()
}

/** What its process could not renew, because it was stopped or ended. */
const leaseEnds = (taskId: string) =>
  stage.pool.query('update a2a_push_configs set due_at = now() where task_id = $1', [taskId])

test('what happens while an update is posted is posted after it, at once, and nothing twice', async () => {
  await using agent = await startAgent()
  await using one = openProcess(stage)
  await using other = openProcess(stage)
  const taskId = await followed(one, agent)
  await happens(taskId)
  expect(await one.begin()).toBe(1)
  await until(() => agent.open.length === 1)
  await happens(taskId)
  await other.configs.tell([taskId])
  expect([await other.begin(), await one.begin()]).toEqual([0, 0])
  await answered(agent)
  await one.settled()
  expect(await other.begin()).toBe(1)
  await answered(agent)
  await other.settled()
  expect([agent.told.length, new Set(agent.told).size]).toEqual([2, 2])
  expect([...one.faults, ...other.faults]).toEqual([])
})

test('so is what happens while a post that failed before goes through', async () => {
  await using agent = await startAgent()
  await using one = openProcess(stage)
  const taskId = await followed(one, agent)
  await happens(taskId)
  await one.begin()
  await answered(agent, 500)
  await one.settled()
  await leaseEnds(taskId)
  await one.begin()
  await until(() => agent.open.length === 1)
  await happens(taskId)
  await one.configs.tell([taskId])
  await answered(agent)
  await one.settled()
  expect(await one.begin()).toBe(1)
  await answered(agent)
  await one.settled()
  expect([agent.told.length, new Set(agent.told).size]).toEqual([3, 2])
})

test('of a process that stops in the middle of a backlog, the one update that it was posting is posted again', async () => {
  await using agent = await startAgent()
  await using stopped = openProcess(stage)
  await using other = openProcess(stage)
  const taskId = await followed(stopped, agent)
  await happens(taskId, 4)
  await stopped.begin()
  await answered(agent)
  await answered(agent)
  await until(() => agent.open.length === 1)
  const late = agent.open.splice(0)
  await leaseEnds(taskId)
  await other.begin()
  await answered(agent)
  await answered(agent)
  await other.settled()
  // It comes back when another has gone on: it says nothing more, and takes nothing back.
  for (const one of late) one.end()
  await stopped.settled()
  await leaseEnds(taskId)
  expect(await other.begin()).toBe(1)
  await other.settled()
  const [first, second, third, ...rest] = agent.told
  expect(new Set([first, second, third]).size).toBe(3)
  expect(rest).toEqual([third, expect.any(String)])
})

test('a long backlog is posted in rounds that end within their lease', async () => {
  await using agent = await startAgent()
  await using one = openProcess(stage)
  const taskId = await followed(one, agent)
  await happens(taskId, 20)
  const rounds: number[] = []
  for (let last = 0; last < 20; last = agent.told.length) {
    expect(await one.begin()).toBe(1)
    const over = one.settled()
    let isOver = false
    void over.then(() => (isOver = true))
    while (!isOver) {
      agent.open.shift()?.end()
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    rounds.push(agent.told.length - last)
  }
  // Ten seconds is the most that one takes, two minutes is how long a lease is renewed.
  expect(Math.max(...rounds)).toBeLessThan(12)
  expect([agent.told.length, new Set(agent.told).size]).toEqual([20, 20])
})

test('an address that is gone takes with it no address that was named in its place', async () => {
  await using gone = await startAgent()
  await using agent = await startAgent()
  await using one = openProcess(stage)
  const taskId = await followed(one, gone)
  await happens(taskId)
  await one.begin()
  await until(() => gone.open.length === 1)
  await one.configs.put(config(taskId, agent.url), await stage.market.eventHorizon(), 10)
  await answered(gone, 410)
  await one.settled()
  expect(await one.begin()).toBe(1)
  await answered(agent)
  await one.settled()
  expect(agent.told).toEqual(gone.told)
})

test('an address that is named again with another token is told nothing twice', async () => {
  await using agent = await startAgent()
  await using one = openProcess(stage)
  const taskId = await followed(one, agent)
  await happens(taskId)
  await one.begin()
  await until(() => agent.open.length === 1)
  await one.configs.put({ ...config(taskId, agent.url), token: 't' }, await stage.market.eventHorizon(), 10)
  expect(await one.begin()).toBe(0)
  await answered(agent)
  await one.settled()
  expect(await one.begin()).toBe(1)
  await one.settled()
  expect(agent.told).toHaveLength(1)
})
