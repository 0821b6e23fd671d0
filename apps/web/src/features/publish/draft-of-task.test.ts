import { expect, test } from 'vitest'
import { draftOfTask } from './draft-of-task.ts'
import { placeFields, publishFields } from './draft.ts'

const task = {
  title: 'Photograph the door',
  instructions: 'The whole front.\n\nAccepted when:\n- It is sharp\n- It is day',
  category: 'location_based',
  bounty_usd: 12.5,
  created_at: '2026-01-01T00:00:00.000Z',
  deadline: '2026-01-03T00:00:01.000Z',
  evidence_required: ['photo_geo', 'gps'],
  evidence_optional: ['text_response'],
  target_executor_type: 'human',
  min_reputation: 60,
  payment_network: 'base',
  location_hint: 'Calle Mayor',
  area: { lat: 40.41, lng: -3.7, radius_m: 300 },
  policy: null,
} as const
const exact = { lat: 40.416_775, lng: -3.703_79, radius_m: 300, precision: 'exact' } as const

test('a task that is repeated asks for what the first asked for, in either language', () => {
  for (const locale of ['en-GB', 'es-ES']) {
    const draft = draftOfTask(
      { ...task, evidence_required: [...task.evidence_required], evidence_optional: [...task.evidence_optional] },
      { place: exact, terms: undefined },
      locale,
    )
    expect(publishFields(draft, 'en', locale)).toMatchObject({
      title: task.title,
      instructions: task.instructions,
      category: 'location_based',
      bounty_usd: 12.5,
      deadline_hours: 48,
      evidence_required: ['photo_geo', 'gps'],
      evidence_optional: ['text_response'],
      location_hint: 'Calle Mayor',
      min_reputation: 60,
      payment_network: 'base',
      target_executor_type: 'human',
    })
    expect(placeFields(draft, locale)).toEqual({ lat: 40.416_775, lng: -3.703_79, radius_m: 300 })
  }
})

test('the middle of an area is not taken for the place: the form asks where', () => {
  const mutable = {
    ...task,
    evidence_required: [...task.evidence_required],
    evidence_optional: [...task.evidence_optional],
  }
  for (const place of [undefined, { ...exact, precision: 'area' } as const])
    expect(placeFields(draftOfTask(mutable, { place, terms: undefined }, 'en-GB'), 'en-GB')).toEqual({ radius_m: 300 })
})

test('a metered task that is repeated costs the same for each unit, and no more in all', () => {
  const metered = { ...task, evidence_required: [...task.evidence_required], evidence_optional: [], bounty_usd: 9 }
  const terms = { unit: 'scan', price_per_unit: '0.05', cap_usd: 7.5 } as const
  for (const locale of ['en-GB', 'es-ES']) {
    const draft = draftOfTask({ ...metered, payment_network: 'solana' }, { place: undefined, terms }, locale)
    expect(publishFields(draft, 'en', locale)).toMatchObject({
      bounty_usd: 7.5,
      payment_network: 'solana',
      payment_streaming: { rail: 'solana_channel', unit: 'scan', price_per_unit: '0.05', cap_usd: '7.5' },
    })
  }
})
