import { describe, expect, test } from 'vitest'
import { askedOf, isNarrowed, narrow, readFilters, type Task } from './filters.ts'

const task = (id: string, area: Task['area'], evidence: Task['evidence_required'] = ['photo']): Task =>
  // The rest of a task plays no part here.
  ({ id, area, evidence_required: evidence }) as Task

describe('filters of the task list', () => {
  test('an address without filters shows what people may take', () => {
    expect(askedOf(readFilters({}))).toEqual({ target_executor_type: 'human' })
    expect(isNarrowed(readFilters({}))).toBe(false)
  })

  test('everything the service filters by is asked of the service', () => {
    expect(askedOf(readFilters({ category: 'research', min: '0.5', max: '20', for: 'all' }))).toEqual({
      category: 'research',
      min_bounty: 0.5,
      max_bounty: 20,
      all_parties: true,
    })
  })

  test.each([
    { category: 'nonsense' },
    { min: '-1' },
    { min: 'ten' },
    { max: '1e3' },
    { for: 'any' },
    { evidence: 'tears' },
    { near: '95,0' },
    { within: '5' },
  ])('%o means nothing and is left out', (search) => {
    expect(readFilters(search)).toEqual(readFilters({}))
  })

  test('the part of the map that was searched is asked of the service, and what is none is left out', () => {
    expect(askedOf(readFilters({ box: '170,-20.5,-170,10' }))).toMatchObject({ box: '170.000,-20.500,-170.000,10.000' })
    for (const nonsense of ['', '1,2,3', '0,10,10,0', '0,0,190,10', '0,0,0,10', 'a,b,c,d'])
      expect(readFilters({ box: nonsense }).box).toBeUndefined()
  })

  test('near a place the closest come first, those without a place last', () => {
    const tasks = [
      task('nowhere', null),
      task('far', { lat: 1, lng: 0, radius_m: 100 }),
      task('close', { lat: 0.01, lng: 0, radius_m: 100 }),
    ]
    expect(narrow(tasks, readFilters({ near: '0,0' })).map(({ task: { id } }) => id)).toEqual([
      'close',
      'far',
      'nowhere',
    ])
  })

  test('within a distance counts every area that reaches into it', () => {
    // 0.02 degrees of latitude are 2,224 m.
    const tasks = [
      task('out', { lat: 0.02, lng: 0, radius_m: 1_000 }),
      task('reaches', { lat: 0.02, lng: 0, radius_m: 1_300 }),
      task('nowhere', null),
    ]
    expect(narrow(tasks, readFilters({ near: '0,0', within: '1' })).map(({ task: { id } }) => id)).toEqual(['reaches'])
  })

  test('evidence leaves the tasks that require it', () => {
    const tasks = [task('photo', null), task('both', null, ['gps', 'photo']), task('text', null, ['text_response'])]
    expect(narrow(tasks, readFilters({ evidence: 'photo' })).map(({ task: { id } }) => id)).toEqual(['photo', 'both'])
  })
})
