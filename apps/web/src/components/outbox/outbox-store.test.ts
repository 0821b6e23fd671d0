import { expect, test } from 'vitest'
import { createOutboxStore } from './outbox-store.ts'
import type { Draft, Parcel } from './parcel.ts'

const draft: Draft = {
  wallet: '0xbruno',
  taskId: 'the-gate',
  title: 'Photograph the gate',
  answers: {
    photo: { kind: 'file', blob: new Blob(['a picture']), contentType: 'image/png', name: 'gate.png' },
    text_response: { kind: 'value', value: 'A green gate.' },
  },
}
const parcel: Parcel = {
  ...draft,
  id: 'first',
  deadline: '2026-12-01T00:00:00.000Z',
  device: { clock: '2026-11-30T00:00:00.000Z', utc_offset_minutes: 0 },
  uploaded: {},
  state: 'waiting',
  attempts: 0,
  dueAt: 0,
  failure: null,
}

// Node has no IndexedDB, as a browser that keeps nothing.

test('a browser that keeps nothing says so, and a draft lives with the page', async () => {
  const store = createOutboxStore()
  expect(await store.isReadable()).toBe(false)
  expect(await store.keepDraft(draft)).toBe(false)
  expect(await store.draft('0xbruno', 'the-gate')).toEqual(draft)
  expect(await store.drafts()).toEqual([draft])
})

test('what is handed in in a browser that keeps nothing waits in the page, once a task, and its draft is gone', async () => {
  const store = createOutboxStore()
  await store.keepDraft(draft)
  expect(await store.post(parcel)).toBe(true)
  expect(await store.drafts()).toEqual([])
  expect(await store.post({ ...parcel, id: 'second' })).toBe(false)
  expect(await store.parcels()).toEqual([parcel])
  const refused = { ...parcel, state: 'refused' } as const
  await store.keepParcel(refused)
  expect(await store.parcels()).toEqual([refused])
  expect(await store.post({ ...parcel, id: 'third' })).toBe(true)
  expect((await store.parcels()).map(({ id }) => id)).toEqual(['third'])
  await store.forget('third')
  expect(await store.parcels()).toEqual([])
})
