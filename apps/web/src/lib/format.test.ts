import { describe, expect, test } from 'vitest'
import { createFormat } from './format.ts'

const now = Date.parse('2026-11-21T10:00:00Z')
const at = (seconds: number): string => new Date(now + seconds * 1_000).toISOString()
const hour = 3_600
const [en, es] = [createFormat('en-GB'), createFormat('es-ES')]

describe('a time as it is seen from now', () => {
  test.each([
    [48 * hour, 'in 2 days', 'dentro de 2 días'],
    // A task of 48 hours a moment after it was published does not end tomorrow.
    [48 * hour - 20, 'in 2 days', 'dentro de 2 días'],
    [46 * hour, 'in 46 hours', 'dentro de 46 horas'],
    [24 * hour, 'in 24 hours', 'dentro de 24 horas'],
    [71 * hour, 'in 3 days', 'dentro de 3 días'],
    [60 * hour, 'in 2 days', 'dentro de 2 días'],
    [90 * 60, 'in 90 minutes', 'dentro de 90 minutos'],
    [60, 'in 1 minute', 'dentro de 1 minuto'],
    [40, 'in 40 seconds', 'dentro de 40 segundos'],
    [0, 'now', 'ahora'],
    [-30 * hour, '30 hours ago', 'hace 30 horas'],
    [-49 * hour, '2 days ago', 'hace 2 días'],
  ])('%d s', (seconds, english, spanish) => {
    expect([en.relative(at(seconds), now), es.relative(at(seconds), now)]).toEqual([english, spanish])
  })

  test('what has happened is never told as still to come, whatever the clock of the reader says', () => {
    for (const ahead of [1, 40, 600, 5 * hour])
      expect([en.ago(at(ahead), now), es.ago(at(ahead), now)]).toEqual(['now', 'ahora'])
    expect(en.ago(at(-120), now)).toBe('2 minutes ago')
  })
})
