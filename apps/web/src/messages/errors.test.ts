import { describe, expect, it } from 'vitest'
import { errorCatalogue } from '@ergon/contract'
import { languages } from '../lib/language.ts'
import { errorRows, textOfCode, textOfFault } from './errors.ts'

// The words of the interface for programs mean nothing to a person.
const interfaceWords =
  /\b(?:API|GET|POST|PATCH|DELETE|JSON|endpoint|header|nonce|idempot\w*|operator_\w+|detail\.\w+|request_id|session cookie|HTTP)\b|\/api\/|_/

describe('What an error means to a person', () => {
  it('is said for every code of the catalogue and for no other, save those that the client gives itself', () => {
    expect(Object.keys(errorRows).sort()).toEqual(
      [...Object.keys(errorCatalogue), 'SETTLEMENT_PENDING', 'timeout', 'unreachable'].sort(),
    )
  })

  it.each(languages)(
    'says what happened and what to do in %s, short, as sentences, without words of the interface',
    (language) => {
      for (const [code, row] of Object.entries(errorRows)) {
        for (const sentence of row[language]) {
          expect(sentence, code).toMatch(/^[\p{Lu}].*\.$/u)
          expect(sentence.length, code).toBeLessThan(150)
          expect(sentence, code).not.toMatch(interfaceWords)
        }
      }
    },
  )

  it('is said in each language in its own words', () => {
    for (const [code, { en, es }] of Object.entries(errorRows))
      expect([es[0] === en[0], es[1] === en[1]], code).toEqual([false, false])
  })

  it('is left to the service for a code that this app does not know, and named as unknown for a fault of its own', () => {
    expect(textOfCode('A_CODE_OF_TOMORROW', 'en')).toBeUndefined()
    expect(textOfCode('constructor', 'en')).toBeUndefined()
    expect(textOfFault('toString', 'es')).toEqual(textOfFault('unknown', 'es'))
    expect(textOfCode('INSUFFICIENT_FUNDS', 'es')?.doNow).toContain('No se ha pagado nada')
  })
})
