import { describe, expect, test } from 'vitest'
import { checkLocks } from '../../src/invariants/each-step.ts'
import { createMemoryDatabase, createMemoryStore, type Commit } from '../../src/store/index.ts'
import { created, event, fill, later, task, taskId } from './fixture.ts'

function open(fate: { commit: Commit }, point: (label: string) => Promise<void> = () => Promise.resolve()) {
  const disk = createMemoryDatabase()
  const deps = { disk, identityNetwork: 'localnet', point, commit: () => fate.commit }
  return {
    disk,
    store: createMemoryStore({ ...deps, connection: 'one' }),
    other: createMemoryStore({ ...deps, connection: 'other', point: () => Promise.resolve(), commit: () => 'commit' }),
  }
}

const lost = 'Connection terminated unexpectedly'

describe('a commit whose line is cut', () => {
  test.each(['lost before', 'lost after'] as const)('%s fails alike, and only the database knows', async (commit) => {
    const fate: { commit: Commit } = { commit: 'commit' }
    const { store, disk } = open(fate)
    await fill(store)
    fate.commit = commit
    await expect(store.transaction((tx) => tx.moveTask(taskId(0), 'accepted', later(1)))).rejects.toThrow(lost)
    await expect(store.publish(task(5), created(5, 5), null)).rejects.toThrow(lost)
    expect(
      disk.rows
        .tasks()
        .map((row) => row.task.status)
        .sort(),
    ).toEqual(commit === 'lost after' ? ['accepted', 'published', 'published'] : ['published', 'published'])
    fate.commit = 'commit'
    await store.transaction((tx) => tx.lockTask(taskId(0)))
  })
})

test('a point that fails is a line that was cut: nothing was written, and what waited goes on', async () => {
  let fails = false
  const { store, other, disk } = open({ commit: 'commit' }, () =>
    fails ? Promise.reject(new Error('connection lost')) : Promise.resolve(),
  )
  await fill(store)
  const waiting = Promise.withResolvers<undefined>()
  const cut = store.transaction(async (tx) => {
    await tx.moveTask(taskId(0), 'accepted', later(1))
    await waiting.promise
    fails = true
    await tx.addEvent(event(1, 0, null))
  })
  const locked = other.transaction((tx) => tx.lockTask(taskId(0)))
  waiting.resolve(undefined)
  await expect(cut).rejects.toThrow(lost)
  expect((await locked)?.status).toBe('published')
  expect(disk.rows.events().map(({ id }) => id)).not.toContain(event(1, 0, null).id)
})

test('a process that died leaves nothing locked, and its waiting statements to nobody', async () => {
  const held: (() => void)[] = []
  let holds = false
  const { store, other, disk } = open({ commit: 'commit' }, () =>
    holds
      ? new Promise((resolve) => {
          held.push(resolve)
        })
      : Promise.resolve(),
  )
  await fill(store)
  const dead = store.transaction(async (tx) => {
    await tx.lockTask(taskId(0))
    holds = true
    await tx.moveTask(taskId(0), 'accepted', later(1))
  })
  const told: unknown[] = []
  dead.catch((error: unknown) => told.push(error))
  const locked = other.transaction((tx) => tx.lockTask(taskId(0)))
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  expect(held).toHaveLength(1)
  disk.dropConnections('one')
  expect((await locked)?.status).toBe('published')
  // The scheduler never lets it go on; whoever did would hear of the cut line.
  expect(told).toEqual([])
  held[0]?.()
  await expect(dead).rejects.toThrow(lost)
})

test('a database that stops cuts every line and refuses new ones until it starts', async () => {
  const { store, disk } = open({ commit: 'commit' })
  await fill(store)
  const stopped = store.transaction(async (tx) => {
    await tx.lockTask(taskId(0))
    disk.stop()
    await tx.lockTask(taskId(1))
  })
  await expect(stopped).rejects.toThrow(lost)
  await expect(store.task(taskId(0))).rejects.toMatchObject({ code: 'SERVICE_BUSY' })
  disk.start()
  expect((await store.task(taskId(0)))?.status).toBe('published')
})

test('statements asked at once on one transaction are carried out one after another', async () => {
  const labels: string[] = []
  const { store } = open({ commit: 'commit' }, (label) => {
    labels.push(label)
    return Promise.resolve()
  })
  await fill(store)
  labels.length = 0
  await store.transaction((tx) =>
    Promise.all([tx.lockTask(taskId(0)), tx.lockTask(taskId(1)), tx.hasApplications(taskId(0))]),
  )
  expect(labels).toEqual(['begin', 'tx.lockTask', 'tx.lockTask', 'tx.hasApplications', 'commit'])
})

test('two that wait for each other are noted by the statement that was refused, which no seed may have', async () => {
  const { store, other, disk } = open({ commit: 'commit' })
  await fill(store)
  const both = Promise.withResolvers<undefined>()
  const waiting = store.transaction(async (tx) => {
    await tx.lockTask(taskId(0))
    await both.promise
    await tx.lockTask(taskId(1))
  })
  const refused = other.transaction(async (tx) => {
    await tx.lockTask(taskId(1))
    both.resolve(undefined)
    await tx.lockTask(taskId(0))
  })
  const ends = await Promise.allSettled([waiting, refused])
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const violations: string[] = []
  checkLocks({ violate: (what) => void violations.push(what) }, disk)
  expect(violations).toEqual(['two transactions wait for each other: one of them asked tx.lockTask'])
})
