import { evidenceTypes } from '@ergon/contract'
import { describe, expect, test } from 'vitest'
import { evidenceRules, fitsRule, requireEvidence, scoreOf } from './evidence-rules.ts'

describe('every evidence type has its rule', () => {
  test('the rules cover the vocabulary', () => {
    expect(Object.keys(evidenceRules).toSorted()).toEqual([...evidenceTypes].toSorted())
  })

  test.each([
    ['photo', 'https://evidence/1', true], ['photo', 'a photo', false], ['photo', 'javascript:alert(1)', false], ['photo', 'https://e/ x', false],
    ['gps', { lat: 48.2, lng: 16.3 }, true], ['gps', { lat: 91, lng: 0 }, false], ['gps', { lat: 0, lng: -181 }, false], ['gps', { lat: '1', lng: 2 }, false], ['gps', 'here', false],
    ['text_response', 'It is open.', true], ['text_response', '   ', false], ['text_response', 7, false],
    ['json_response', { a: 1 }, true], ['json_response', null, false], ['json_response', 'x'.repeat(100_001), false],
    ['url_reference', 'http://example.org/', true], ['url_reference', 'ftp://example.org/', false],
  ] as const)('%s %j: %s', (type, value, fits) => {
    expect(fitsRule(type, value)).toBe(fits)
  })
})

test('missing evidence is named', () => {
  expect(() => requireEvidence({ gps: {} }, ['photo', 'gps', 'text_response'], [])).toThrow(expect.objectContaining({ code: 'EVIDENCE_MISSING', details: { missing: ['photo', 'text_response'] } }))
})

test('evidence nobody asked for is refused', () => {
  expect(() => requireEvidence({ photo: 'x', video: 'y' }, ['photo'], ['gps'])).toThrow(expect.objectContaining({ code: 'EVIDENCE_INVALID' }))
})

describe('nothing invents a number (decision 0041)', () => {
  const check = (result: Parameters<typeof scoreOf>[0][number]['result']) => ({ name: 'a', result, reason: '' })
  test('no decided check, no score', () => {
    expect(scoreOf([check('not_configured'), check('inconclusive')])).toEqual({ score: null, coverage: 0 })
  })
  test('the score is the share of decided checks and coverage stands beside it', () => {
    expect(scoreOf([check('passed'), check('failed'), check('not_configured'), check('inconclusive'), check('not_applicable')])).toEqual({ score: 0.5, coverage: 0.5 })
  })
})
