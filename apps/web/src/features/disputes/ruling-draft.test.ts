import { describe, expect, test } from 'vitest'
import { conditionsOf, noRuling, readRuling } from './ruling-draft.ts'

const id = '018f0000-0000-7000-8000-000000000001'
const listed = ['The gate is on it.', 'By daylight.']
const whole = { ...noRuling, verdict: 'split', share: '40', reason: 'Half of it.', chosen: ['By daylight.'] }

describe('A ruling is read', () => {
  test('with the conditions that were ticked, in the order of the list, and the own words last', () => {
    const chosen = ['By daylight.', 'The gate is on it.', 'A condition of another task.']
    expect(readRuling(id, { ...whole, chosen, own: ' The hour\n fits. ' }, listed)).toEqual({
      said: {
        dispute_id: id,
        verdict: 'split',
        split_pct: 40,
        reason: 'Half of it.',
        criteria: ['The gate is on it.', 'By daylight.', 'The hour fits.'],
      },
    })
  })
  test('without a share where nothing is split', () => {
    expect(readRuling(id, { ...whole, verdict: 'refund' }, listed)).toMatchObject({ said: { verdict: 'refund' } })
    expect(readRuling(id, { ...whole, verdict: 'refund' }, listed)).not.toHaveProperty('said.split_pct')
  })
  test.each([
    [{ verdict: '' }, 'verdict'],
    [{ share: '' }, 'split_pct'],
    [{ share: '100' }, 'split_pct'],
    [{ reason: 'no' }, 'reason'],
    [{ chosen: [] }, 'criteria'],
    [{ chosen: ['A condition of another task.'] }, 'criteria'],
  ])('and %o is refused by its field', (part, field) => {
    expect(readRuling(id, { ...whole, ...part }, listed)).toMatchObject({ faults: { [field]: {} } })
  })
})

test('what is at issue comes before what else the task asks for, each once', () => {
  const instructions = 'Photograph it.\n\nAccepted when:\n- The gate is on it.\n- By daylight.'
  expect(conditionsOf(['By daylight.'], instructions)).toEqual(['By daylight.', 'The gate is on it.'])
  expect(conditionsOf([], 'Photograph it.')).toEqual([])
})
