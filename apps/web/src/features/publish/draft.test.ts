import { expect, test } from 'vitest'
import { emptyDraft, publishFields, templates } from './draft.ts'

test('who asks for a photo with position asks for the position, which the checks look at', () => {
  const photo = templates.find(({ key }) => key === 'photo')
  expect(publishFields({ ...emptyDraft, ...photo?.part }, 'en')['evidence_required']).toEqual(['photo_geo', 'gps'])
  expect(publishFields({ ...emptyDraft, evidence: ['gps', 'photo_geo'] }, 'en')['evidence_required']).toEqual(['gps', 'photo_geo'])
  const added = publishFields({ ...emptyDraft, evidence: ['gps'], optionalEvidence: ['photo_geo'] }, 'en')
  expect([added['evidence_required'], added['evidence_optional']]).toEqual([['gps'], ['photo_geo']])
  // Five kinds are the most that a task may ask for.
  const full = ['photo_geo', 'photo', 'video', 'receipt', 'document'] as const
  expect(publishFields({ ...emptyDraft, evidence: full }, 'en')['evidence_required']).toEqual(full)
})
