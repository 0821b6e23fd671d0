import { evidenceTypes } from '@ergon/contract'
import { evidenceKinds } from '@ergon/contract/facts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitsRule, requireEvidence, storedFile } from './evidence-rules.ts'

describe('every evidence type has its rule', () => {
  test('the kinds cover the vocabulary', () => {
    expect(Object.keys(evidenceKinds).toSorted()).toEqual([...evidenceTypes].toSorted())
  })

  const at = '2026-11-21T12:00:00Z'
  const fix = { lat: 48.2, lng: 16.3, accuracy_meters: 8, timestamp: at }
  test.each([
    ['photo', 'https://evidence/1', true],
    ['photo', 'a photo', false],
    ['photo', 'javascript:alert(1)', false],
    ['photo', 'https://e/ x', false],
    ['photo', { key: 'x' }, false],
    ['gps', { lat: 48.2, lng: 16.3 }, true],
    ['gps', fix, true],
    ['gps', { lat: 91, lng: 0 }, false],
    ['gps', { lat: 0, lng: -181 }, false],
    ['gps', { lat: '1', lng: 2 }, false],
    ['gps', 'here', false],
    ['gps', [48, 16], false],
    ['gps', { ...fix, accuracy_meters: -1 }, false],
    ['gps', { ...fix, timestamp: 'noon' }, false],
    ['gps', { ...fix, timestamp: '2026-11-21' }, false],
    ['gps', { ...fix, timestamp: '2026-13-41T12:00:00Z' }, false],
    ['gps', { ...fix, samples: [fix, fix] }, true],
    ['gps', { ...fix, samples: [] }, false],
    ['gps', { ...fix, samples: Array.from({ length: 30 }, () => fix) }, true],
    ['gps', { ...fix, samples: Array.from({ length: 31 }, () => fix) }, false],
    ['gps', { ...fix, samples: [fix, { lat: 1 }] }, false],
    ['text_response', 'It is open.', true],
    ['text_response', '   ', false],
    ['text_response', 7, false],
    ['text_report', 'x'.repeat(20_001), false],
    ['json_response', { a: 1 }, true],
    ['json_response', 0, true],
    ['json_response', null, false],
    ['json_response', 'x'.repeat(100_001), false],
    ['url_reference', 'https://example.org/a?b#c', true],
    ['url_reference', 'http://example.org/', false],
    ['url_reference', 'ftp://example.org/', false],
    ['url_reference', 'https://', false],
    ['url_reference', 'https://user:pass@example.org/', false],
    ['measurement', { value: 21.5, unit: '°C' }, true],
    ['measurement', { value: 21.5, unit: '°C', uncertainty: 0.5, taken_at: at }, true],
    ['measurement', { value: '21.5', unit: '°C' }, false],
    ['measurement', { value: 21.5 }, false],
    ['measurement', { value: Number.NaN, unit: 'm' }, false],
    ['measurement', { value: 1, unit: 'm', uncertainty: -1 }, false],
    ['measurement', 21.5, false],
    ['timestamp_proof', { timestamp: at, proof: 'MIIB…' }, true],
    ['timestamp_proof', { timestamp: at, proof: 'token', sha256: 'ab'.repeat(32) }, true],
    ['timestamp_proof', { timestamp: at }, false],
    ['timestamp_proof', { timestamp: 1, proof: 'x' }, false],
    ['timestamp_proof', { timestamp: at, proof: 'x', sha256: 'ab' }, false],
    ['api_response', { status: 200, body: null }, true],
    ['api_response', { status: 404, body: 'none', url: 'https://api.test/', headers: { a: 'b' } }, true],
    ['api_response', { status: 200 }, false],
    ['api_response', { status: 99, body: 1 }, false],
    ['api_response', { status: 200, body: 1, headers: { a: 1 } }, false],
    ['api_response', { status: 200, body: 'x'.repeat(100_001) }, false],
    ['code_output', { stdout: '', exit_code: 0 }, true],
    ['code_output', { stdout: 'ok', exit_code: -9, stderr: '', command: 'make' }, true],
    ['code_output', { stdout: 'ok' }, false],
    ['code_output', { stdout: 'ok', exit_code: 0.5 }, false],
    ['code_output', { exit_code: 0 }, false],
    ['code_output', 'ok', false],
    ['structured_data', [1], true],
    ['structured_data', { a: 1 }, true],
    ['structured_data', {}, false],
    ['structured_data', [], false],
    ['structured_data', 'a', false],
  ] as const)('%s %j: %s', (type, value, fits) => {
    expect(fitsRule(type, value)).toBe(fits)
  })

  test('no JSON whatever makes a rule throw', () => {
    fc.assert(
      fc.property(fc.constantFrom(...evidenceTypes), fc.jsonValue(), (type, value) => {
        expect(typeof fitsRule(type, value)).toBe('boolean')
      }),
    )
  })
})

test('missing evidence is named', () => {
  expect(() => requireEvidence({ gps: {} }, ['photo', 'gps', 'text_response'], [])).toThrow(
    expect.objectContaining({ code: 'EVIDENCE_MISSING', details: { missing: ['photo', 'text_response'] } }),
  )
})

test('evidence nobody asked for is refused', () => {
  expect(() => requireEvidence({ photo: 'x', video: 'y' }, ['photo'], ['gps'])).toThrow(
    expect.objectContaining({ code: 'EVIDENCE_INVALID' }),
  )
})

test('evidence of a type the task asks for or allows is welcome', () => {
  const given = { photo: 'x', gps: {}, video: 'y' }
  expect(() => requireEvidence(given, ['photo', 'gps'], ['video', 'document'])).not.toThrow()
  expect(() => requireEvidence(given, ['photo'], ['video', 'document'])).toThrow(
    expect.objectContaining({ details: { field: 'gps', constraint: 'a type this task asks for' } }),
  )
})

test('a file is stored behind the types whose rule is a file, and behind no other', () => {
  const file = { key: 'k', content_type: 'image/jpeg', bytes: 1, sha256: 'a' }
  expect([storedFile('photo', file), storedFile('text_response', file), storedFile('nothing', file)]).toEqual([
    file,
    null,
    null,
  ])
})

describe('a rule ends where it says', () => {
  const position = { lat: 90, lng: -180, accuracy_meters: 100_000 }
  const output = { stdout: '', exit_code: 255 }
  const response = { status: 599, body: 1 }
  test.each([
    ['text_response', 'x'.repeat(20_000), true],
    ['gps', position, true],
    ['gps', { ...position, lat: -90, lng: 180, accuracy_meters: 0 }, true],
    ['json_response', 'x'.repeat(99_998), true],
    ['json_response', 'x'.repeat(99_999), false],
    ['code_output', output, true],
    ['code_output', { ...output, exit_code: -128 }, true],
    ['code_output', { ...output, exit_code: 256 }, false],
    ['code_output', { ...output, exit_code: -129 }, false],
    ['code_output', { ...output, stderr: 1 }, false],
    ['code_output', { ...output, command: 1 }, false],
    ['code_output', { ...output, command: 'x'.repeat(2_000) }, true],
    ['code_output', { ...output, command: 'x'.repeat(2_001) }, false],
    ['api_response', response, true],
    ['api_response', { ...response, status: 100 }, true],
    ['api_response', { ...response, status: 600 }, false],
    ['api_response', { ...response, headers: { a: 'b', c: 1 } }, false],
    ['api_response', { ...response, headers: ['a'] }, false],
    ['api_response', { ...response, headers: null }, false],
  ] as const)('%s %#: %s', (type, value, fits) => {
    expect(fitsRule(type, value)).toBe(fits)
  })
})
