import { expect, test } from 'vitest'
import { gather } from './gather.ts'

const task = {
  id: '018f4ad2-7f3a-7c1e-8b11-0f6d2f9c1a55',
  evidence_required: ['photo', 'text_response'] as const,
  evidence_optional: ['measurement', 'receipt'] as const,
}
const asked = {
  ...task,
  evidence_required: [...task.evidence_required],
  evidence_optional: [...task.evidence_optional],
}
type Captured = { readonly kind: 'file'; readonly name: string } | { readonly kind: 'value'; readonly value: unknown }
// Either kind of answer, and not the one that it happens to be.
const captured = (answer: Captured): Captured => answer
const photo = captured({ kind: 'file', name: 'gate.jpg' })

test('what is required and absent is wrong, and what may be added is not asked for', () => {
  expect(gather(asked, {}, { note: '' }, 'en')).toEqual({
    complete: {},
    notes: undefined,
    wrong: { 'evidence.photo': { rule: 'required' }, 'evidence.text_response': { rule: 'required' } },
  })
})

test('what was added goes along, and its mistakes are told', () => {
  expect(
    gather(asked, { photo }, { text_response: 'Open.', measurement: '21.5 °C', note: '  From the park side. ' }, 'en'),
  ).toEqual({
    complete: {
      photo,
      text_response: { kind: 'value', value: 'Open.' },
      measurement: { kind: 'value', value: { value: 21.5, unit: '°C' } },
    },
    notes: 'From the park side.',
    wrong: {},
  })
  expect(gather(asked, { photo }, { text_response: 'Open.', measurement: 'warm', note: '' }, 'en').wrong).toEqual({
    'evidence.measurement': { rule: 'malformed' },
  })
})

test('a note is held against the limit of the operation', () => {
  expect(gather(asked, { photo }, { text_response: 'Open.', note: 'x'.repeat(1_001) }, 'en').wrong).toMatchObject({
    notes: { limit: 1_000 },
  })
})

test('a photo with position is not complete without its position, which goes along where the task asks for it', () => {
  const gps = captured({
    kind: 'value',
    value: { lat: 40, lng: -3, accuracy_meters: 8, timestamp: '2026-11-21T10:00:00Z' },
  })
  const alone = { ...asked, evidence_required: ['photo_geo' as const], evidence_optional: [] }
  expect(gather(alone, { photo_geo: photo }, {}, 'en').wrong).toEqual({ 'evidence.gps': { rule: 'required' } })
  expect(gather(alone, { photo_geo: photo, gps }, {}, 'en')).toMatchObject({
    complete: { photo_geo: photo },
    wrong: {},
  })
  // A type that the task does not ask for is refused; the picture carries the position.
  expect(gather(alone, { photo_geo: photo, gps }, {}, 'en').complete).not.toHaveProperty('gps')
  expect(
    gather({ ...alone, evidence_required: ['photo_geo', 'gps'] }, { photo_geo: photo, gps }, {}, 'en').complete,
  ).toEqual({ photo_geo: photo, gps })
  expect(
    gather({ ...alone, evidence_required: [], evidence_optional: ['photo_geo'] }, { gps }, {}, 'en').wrong,
  ).toEqual({})
})
