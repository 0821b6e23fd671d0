import { expect, test } from 'vitest'
import { faultsOf } from '../../lib/form.ts'
import { emptyReplay, replayFields } from './replay-range.ts'

const id = '019c5a2e-7b1f-7cc0-8a4e-6f1d2c3b4a50'

test('a range says both moments in the time of the world, and no end means until now', () => {
  const from = '2026-11-21T08:30'
  expect(replayFields(id, { ...emptyReplay, from, since: 'typed before' })).toEqual({
    webhook_id: id,
    from: new Date(from).toISOString(),
  })
  expect(replayFields(id, { ...emptyReplay, from, to: '2026-11-21T09:00' })).toEqual({
    webhook_id: id,
    from: new Date(from).toISOString(),
    to: new Date('2026-11-21T09:00').toISOString(),
  })
  expect(faultsOf('webhooks.replay', replayFields(id, { ...emptyReplay, from }))).toEqual({})
})

test('a cursor is sent alone, whatever was typed for a range', () => {
  expect(replayFields(id, { by: 'cursor', from: '2026-11-21T08:30', to: '', since: ' 12-3 ' })).toEqual({
    webhook_id: id,
    since: '12-3',
  })
})

test.each([
  ['from', emptyReplay],
  ['since', { ...emptyReplay, by: 'cursor' }],
  ['to', { ...emptyReplay, from: '2026-11-21T08:30', to: 'soon' }],
] as const)('%s is asked for where it is needed', (field, draft) => {
  expect(Object.keys(faultsOf('webhooks.replay', replayFields(id, draft)))).toEqual([field])
})
