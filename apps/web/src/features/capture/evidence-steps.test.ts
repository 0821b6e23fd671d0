import { expect, test } from 'vitest'
import { isReady, stepsOf } from './evidence-steps.ts'

test('the step of a photo with position asks for the position, so that it is asked for once', () => {
  expect(stepsOf({ evidence_required: ['photo_geo', 'gps'], evidence_optional: [] })).toEqual({
    required: ['photo_geo'],
    optional: [],
  })
  expect(stepsOf({ evidence_required: ['photo_geo'], evidence_optional: ['gps'] })).toEqual({
    required: ['photo_geo'],
    optional: [],
  })
  expect(stepsOf({ evidence_required: ['photo'], evidence_optional: ['photo_geo', 'gps'] })).toEqual({
    required: ['photo'],
    optional: ['photo_geo'],
  })
  // Nobody has to add the photo to give the position that is required.
  expect(stepsOf({ evidence_required: ['gps'], evidence_optional: ['photo_geo'] })).toEqual({
    required: ['gps'],
    optional: ['photo_geo'],
  })
  expect(stepsOf({ evidence_required: ['gps', 'photo'], evidence_optional: [] })).toEqual({
    required: ['gps', 'photo'],
    optional: [],
  })
})

test('a photo with position is ready with both of them alone', () => {
  expect(isReady('photo_geo', { photo_geo: {} }, {}, 'en')).toBe(false)
  expect(isReady('photo_geo', { gps: {} }, {}, 'en')).toBe(false)
  expect(isReady('photo_geo', { photo_geo: {}, gps: {} }, {}, 'en')).toBe(true)
  expect(isReady('photo', { photo: {} }, {}, 'en')).toBe(true)
  expect(isReady('text_response', {}, { text_response: 'Open.' }, 'en')).toBe(true)
})
