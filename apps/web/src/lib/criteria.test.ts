import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCriteria, withCriteria } from './criteria.ts'

test('criteria are read back as they were written, in either language', () => {
  const line = fc
    .string({ minLength: 1, maxLength: 60 })
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '')
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 10 }),
      fc.constantFrom('en' as const, 'es' as const),
      (criteria, language) => {
        expect(readCriteria(withCriteria('Go to the gate and take a photo.', criteria, language))).toEqual({
          instructions: 'Go to the gate and take a photo.',
          criteria,
        })
      },
    ),
  )
})

test('instructions without criteria stay as they are', () => {
  expect(withCriteria(' Count the cars. ', ['', '  '], 'en')).toBe('Count the cars.')
  expect(readCriteria('Count the cars.\nAccepted when: never.')).toEqual({
    instructions: 'Count the cars.\nAccepted when: never.',
    criteria: [],
  })
  expect(readCriteria('Accepted when:\nsomebody says so')).toEqual({
    instructions: 'Accepted when:\nsomebody says so',
    criteria: [],
  })
})
