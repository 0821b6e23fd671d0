import { expect, test } from 'vitest'
import { faultsOf } from '../../lib/form.ts'
import { emptyDraft, placeFields, publishFields, templates } from './draft.ts'

test('who asks for a photo with position asks for the position, which the checks look at', () => {
  const photo = templates.find(({ key }) => key === 'photo')
  expect(publishFields({ ...emptyDraft, ...photo?.part }, 'en', 'en')['evidence_required']).toEqual([
    'photo_geo',
    'gps',
  ])
  expect(publishFields({ ...emptyDraft, evidence: ['gps', 'photo_geo'] }, 'en', 'en')['evidence_required']).toEqual([
    'gps',
    'photo_geo',
  ])
  const added = publishFields({ ...emptyDraft, evidence: ['gps'], optionalEvidence: ['photo_geo'] }, 'en', 'en')
  expect([added['evidence_required'], added['evidence_optional']]).toEqual([['gps'], ['photo_geo']])
  // Five kinds are the most that a task may ask for.
  const full = ['photo_geo', 'photo', 'video', 'receipt', 'document'] as const
  expect(publishFields({ ...emptyDraft, evidence: full }, 'en', 'en')['evidence_required']).toEqual(full)
})

test('a thousand hours, dollars and metres are a thousand in both languages, and never one', () => {
  for (const [locale, thousand, unclear] of [
    ['en-GB', '1,000', '1.000'],
    ['es-ES', '1.000', '1,000'],
  ] as const) {
    const draft = {
      ...emptyDraft,
      bounty: thousand,
      deadlineHours: thousand,
      hasPlace: true,
      lat: '40.420',
      lng: '-3,689',
      radius: thousand,
    }
    expect(publishFields(draft, 'en', locale)).toMatchObject({ bounty_usd: 1_000, deadline_hours: 1_000 })
    expect(placeFields(draft, locale)).toEqual({ lat: 40.42, lng: -3.689, radius_m: 1_000 })
    // What may be one or a thousand is asked for again.
    expect(
      faultsOf('h2a.publish', publishFields({ ...emptyDraft, bounty: unclear, deadlineHours: unclear }, 'en', locale)),
    ).toMatchObject({ bounty_usd: { rule: 'no_number' }, deadline_hours: { rule: 'no_number' } })
  }
})

test('an amount finer than the service keeps is asked for again before anything is sent', () => {
  const faults = (bounty: string) => faultsOf('h2a.publish', publishFields({ ...emptyDraft, bounty }, 'en', 'en-GB'))
  expect(faults('12.345678901')).toMatchObject({ bounty_usd: { rule: 'too_fine', limit: 6 } })
  for (const bounty of ['12.345678', '4.35', '0.1', '$12.50', '12.50 USDC'])
    expect(faults(bounty)['bounty_usd'], bounty).toBeUndefined()
})

test('a price or a cap that may be a thousand or one is neither', () => {
  for (const [locale, unclear] of [
    ['en-GB', '1.000'],
    ['es-ES', '1,000'],
  ] as const) {
    const meter = { unit: 'scan', price: unclear, cap: unclear } as const
    expect(faultsOf('h2a.publish', publishFields({ ...emptyDraft, meter }, 'en', locale))).toMatchObject({
      bounty_usd: { rule: 'no_number' },
      'payment_streaming.price_per_unit': { rule: 'no_number' },
      'payment_streaming.cap_usd': { rule: 'no_number' },
    })
  }
})

test('who pays by the unit is asked for its price and the most that is lost, and for no network', () => {
  const draft = { ...emptyDraft, title: 'Count boats', bounty: '8', network: 'base' }
  const paid = (price: string, cap: string) => {
    const fields = publishFields({ ...draft, meter: { unit: 'scan', price, cap } }, 'en', 'es-ES')
    return { fields, faults: faultsOf('h2a.publish', fields) }
  }
  expect(paid('0,05', '12').fields).toMatchObject({
    bounty_usd: 12,
    payment_network: 'solana',
    payment_streaming: { rail: 'solana_channel', unit: 'scan', price_per_unit: '0.05', cap_usd: '12' },
  })
  expect(Object.keys(paid('0,05', '12').faults).some((field) => field.startsWith('payment'))).toBe(false)
  const field = 'payment_streaming.price_per_unit'
  for (const price of ['', 'five', '-1', '0,0000001']) expect(paid(price, '12').faults[field], price).toBeDefined()
  expect(paid('0,05', '').faults).toMatchObject({ bounty_usd: { rule: 'required' } })
})
