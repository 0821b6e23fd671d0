import { expect, test } from 'vitest'
import { faultsOf } from '../../lib/form.ts'
import { createFields, draftOf, emptyEndpoint, updateFields } from './endpoint-draft.ts'

const endpoint = {
  webhook_id: 'w',
  url: 'https://example.org/told',
  description: null,
  events: ['task.created', 'task.completed'],
}

test('what an endpoint says goes into the form and comes out as no change', () => {
  expect(updateFields(endpoint, draftOf(endpoint))).toEqual({ webhook_id: 'w' })
  expect(
    updateFields(
      { ...endpoint, events: ['*'], description: 'mine' },
      draftOf({ ...endpoint, events: ['*'], description: 'mine' }),
    ),
  ).toEqual({ webhook_id: 'w' })
})

test.each([
  ['another URL', { url: ' https://example.org/else ' }, { url: 'https://example.org/else' }],
  ['the same URL with spaces is the same', { url: ` ${endpoint.url} ` }, {}],
  ['other types', { events: ['task.created'] }, { events: ['task.created'] }],
  ['the same types in another order are the same', { events: ['task.completed', 'task.created'] }, {}],
  ['everything', { all: true }, { events: ['*'] }],
  ['a description', { description: 'mine' }, { description: 'mine' }],
])('a change sends what differs: %s', (_name, change, sent) => {
  expect(updateFields(endpoint, { ...draftOf(endpoint), ...change })).toEqual({ webhook_id: 'w', ...sent })
})

test('a description that is emptied is taken away', () => {
  expect(updateFields({ ...endpoint, description: 'mine' }, { ...draftOf(endpoint), description: ' ' })).toEqual({
    webhook_id: 'w',
    description: null,
  })
})

test('an empty form lacks a URL, and a choice of none lacks a type', () => {
  expect(faultsOf('webhooks.create', createFields(emptyEndpoint))).toEqual({ url: { rule: 'required' } })
  expect(faultsOf('webhooks.create', createFields({ ...emptyEndpoint, url: endpoint.url, all: false }))).toEqual({
    events: { rule: 'too_few', limit: 1 },
  })
  expect(faultsOf('webhooks.create', createFields({ ...emptyEndpoint, url: endpoint.url }))).toEqual({})
})
