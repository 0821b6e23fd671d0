import { expect, test } from 'vitest'
import { gather } from './gather.ts'

const task = { id: '018f4ad2-7f3a-7c1e-8b11-0f6d2f9c1a55', evidence_required: ['photo', 'text_response'] as const, evidence_optional: ['measurement', 'receipt'] as const }
const asked = { ...task, evidence_required: [...task.evidence_required], evidence_optional: [...task.evidence_optional] }
const photo = { kind: 'file', name: 'gate.jpg' } as const

test('what is required and absent is wrong, and what may be added is not asked for', () => {
  expect(gather(asked, {}, { note: '' })).toEqual({ complete: {}, notes: undefined, wrong: { 'evidence.photo': { rule: 'required' }, 'evidence.text_response': { rule: 'required' } } })
})

test('what was added goes along, and its mistakes are told', () => {
  expect(gather(asked, { photo }, { text_response: 'Open.', measurement: '21.5 °C', note: '  From the park side. ' })).toEqual({
    complete: { photo, text_response: { kind: 'value', value: 'Open.' }, measurement: { kind: 'value', value: { value: 21.5, unit: '°C' } } }, notes: 'From the park side.', wrong: {},
  })
  expect(gather(asked, { photo }, { text_response: 'Open.', measurement: 'warm', note: '' }).wrong).toEqual({ 'evidence.measurement': { rule: 'malformed' } })
})

test('a note is held against the limit of the operation', () => {
  expect(gather(asked, { photo }, { text_response: 'Open.', note: 'x'.repeat(1_001) }).wrong).toMatchObject({ notes: { limit: 1_000 } })
})
