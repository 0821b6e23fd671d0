import { searchWords, type AvailableFilter, type Caller, type TaskOrder } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStage, publisher, type Stage } from './stage.ts'

const anybody: Caller = { kind: 'anonymous' }
const all: AvailableFilter = { category: null, network: null, target: null, minBountyUsd: null, maxBountyUsd: null }
const said = [
  ['Photograph the old fountain', 'Walk to the square and take photos of it.', '5', 48, 'Retiro, Madrid'],
  ['Foto del camión rojo', 'Está aparcado delante de la plaza, junto al Ayuntamiento.', '2', 10, null],
  ['Translate a menu', 'From Spanish into English; a wi-fi password is on it.', '9', 24, 'ŁÓDŹ'],
  ['Сфотографировать дом', 'Дом на улице Пушкина, вид спереди.', '2', 30, null],
] as const
const titleAt = (at: number): string => said[at]?.[0] ?? ''

describe('open tasks by their words', () => {
  let stage: Stage
  const ids: string[] = []
  const found = async (more: Partial<AvailableFilter>, limit = 20, cursor: string | null = null) =>
    stage.market.availableTasks(anybody, { ...all, ...more }, { limit, offset: 0, cursor })
  const titles = async (q: string): Promise<readonly string[]> =>
    (await found({ words: searchWords(q) })).rows.map(({ title }) => title).toReversed()

  beforeAll(async () => {
    stage = await openStage()
    for (const [title, instructions, bountyUsd, deadlineHours, locationHint] of said) {
      const { task } = await stage.market.publish(publisher, {
        ...{ title, instructions, bountyUsd, deadlineHours, locationHint },
        category: 'simple_action',
        evidenceRequired: ['photo'],
        evidenceOptional: [],
        minReputation: 0,
        network: null,
        token: null,
        target: 'any',
        publisherType: 'agent',
        paymentAuth: null,
        idempotency: null,
      })
      ids.push(task.id)
    }
  })
  afterAll(async () => {
    await stage[Symbol.asyncDispose]()
  })

  test.each([
    ['fountain', [0]],
    ['FOUNTAIN old', [0]],
    ['foto', [1]],
    ['photo', [0]],
    ['walking squares', [0]],
    ['camion', [1]],
    ['CAMIÓN', [1]],
    ['camiones rojos', [1]],
    ['ayunta', [1]],
    ['foto de la plaza', [1]],
    ['photo of the square', [0]],
    ['retiro', [0]],
    ['wi-fi', [2]],
    ['fi', [2]],
    ['łódź', [2]],
    ['дом', [3]],
    ['fountain camion', []],
    ['o', []],
    ["'; drop table task_search --", []],
  ])('"%s" finds what has all of these words', async (q, at) => {
    expect(await titles(q)).toEqual(at.map(titleAt))
  })

  test('a title that was changed is found by what it says now', async () => {
    await stage.market.updateTask(publisher, ids[2] ?? '', { title: 'Read a bill of fare' })
    expect([await titles('fare'), await titles('menu')]).toEqual([['Read a bill of fare'], []])
  })

  test('what may not be seen is not found by its words', async () => {
    await stage.pool.query('insert into hidden (target_id, hidden_at) values ($1, now())', [ids[1]])
    expect(await titles('camion')).toEqual([])
    await stage.pool.query('delete from hidden')
    expect(await titles('camion')).toEqual([titleAt(1)])
    const list = (caller: Caller) =>
      stage.market.listTasks(
        caller,
        { status: null, category: null, network: null, publisher: publisher.wallet, words: searchWords('fountain') },
        { limit: 5, offset: 0, cursor: null },
      )
    await stage.market.cancel(publisher, ids[0] ?? '', null)
    expect([(await list(publisher)).total, (await list(anybody)).total, await titles('fountain')]).toEqual([1, 0, []])
  })

  test.each<[TaskOrder, readonly number[]]>([
    ['newest', [3, 2, 1]],
    ['bounty', [2, 3, 1]],
    ['deadline', [1, 2, 3]],
  ])('%s decides what comes first, page by page', async (order, at) => {
    const seen: (string | undefined)[] = []
    for (let cursor: string | null = null; ;) {
      const page: Awaited<ReturnType<typeof found>> = await found({ order }, 1, cursor)
      seen.push(page.rows[0]?.id)
      cursor = page.nextCursor
      if (cursor === null) break
    }
    expect(seen).toEqual(at.map((one) => ids[one]))
  })

  test('a row tells what both sides call themselves, and nothing where they do not', async () => {
    expect((await found({})).rows.map(({ publisherName }) => publisherName)).toEqual([null, null, null])
    await stage.market.registerWorker(publisher, { name: 'Atlas Research', party: 'agent' })
    const { rows } = await found({})
    expect(rows.map(({ publisherName, executorName }) => [publisherName, executorName])).toEqual(
      Array.from({ length: 3 }, () => ['Atlas Research', null]),
    )
  })

  test.each(['', ' !?. ', 'a b c d e f g h i', 'x'.repeat(41), '\u0301'])('"%s" is no search', (q) => {
    expect(() => searchWords(q)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })
})
