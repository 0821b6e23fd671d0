import { checkReasonCodes } from '@ergon/contract'
import { expect, test } from 'vitest'
import { createFormat } from '../../lib/format.ts'
import { formatMessage } from '../../lib/messages.ts'
import { reasonMessages } from './reason-messages.ts'
import { reasonValues } from './reason-values.ts'

type Code = keyof typeof reasonMessages.en
const locales = { en: 'en-GB', es: 'es-ES' } as const
const said = (language: keyof typeof locales, code: Code, figures: Readonly<Record<string, number | string>>): string =>
  formatMessage(
    reasonMessages[language][code],
    locales[language],
    reasonValues(figures, createFormat(locales[language])),
  ).replaceAll(/[\u00a0\u202f]/g, ' ')

test.each([
  [
    'outside_radius',
    { distance_m: 4_993, accuracy_m: 8, radius_m: 500 },
    'Taken 5 km from the place, known to 8 m. Up to 500 m counts.',
    'Tomada a 5 km del lugar, con una precisión de 8 m. Vale hasta 500 m.',
  ],
  [
    'journey_impossible',
    { distance_m: 9_000_000, apart_s: 600, speed_kmh: 54_000 },
    '9,000 km since an earlier position in 10 minutes: 54,000 km/h. Nobody travels that fast.',
    '9000 km desde una posición anterior en 10 minutos: 54.000 km/h. Nadie viaja tan rápido.',
  ],
  [
    'journey_doubtful',
    { distance_m: 30_000, apart_s: 60, apart_most_s: 2_400, speed_kmh: 45 },
    '30 km since an earlier position in 60 seconds to 40 minutes: at least 45 km/h. That is fast.',
    '30 km desde una posición anterior entre 60 segundos y 40 minutos: al menos 45 km/h. Es mucha velocidad.',
  ],
  [
    'captured_before_assignment',
    { early_s: 604_800 },
    'Captured 7 days before the task was assigned.',
    'Tomada 7 días antes de que se asignara la tarea.',
  ],
  [
    'zone_off',
    { apart_h: 5.3 },
    'The time zone of the device is 5.3 hours from where it claims to be.',
    'El huso horario del dispositivo está a 5,3 horas de donde dice estar.',
  ],
  [
    'files_seen_before',
    { copied: 1, files: 2 },
    '1 file was handed in before for other work, of 2 in all.',
    '1 archivo ya se había entregado para otro trabajo, de 2 en total.',
  ],
  [
    'pictures_not_opened',
    { unopened: 3, pictures: 3 },
    '3 pictures could not be opened, of 3 in all.',
    '3 imágenes no se pudieron abrir, de 3 en total.',
  ],
  [
    'reviewer_silent',
    { cause: 'timeout' },
    'The reviewer gave no answer: it took too long.',
    'El revisor no respondió: tardó demasiado.',
  ],
  [
    'reviewer_says_no',
    { words: 'It shows a {dog}.' },
    'The reviewer says no: “It shows a {dog}.”',
    'El revisor dice que no: «It shows a {dog}.»',
  ],
] as const)('%s is said in the language of the reader', (code, figures, en, es) => {
  expect(said('en', code, figures)).toBe(en)
  expect(said('es', code, figures)).toBe(es)
})

test('every reason of the service is a whole sentence in every language', () => {
  const figures = {
    distance_m: 120,
    accuracy_m: 8,
    radius_m: 500,
    fixes: 3,
    fixes_needed: 5,
    apart_s: 90,
    speed_kmh: 5,
    within_s: 30,
    early_s: 90,
    late_s: 90,
    clock_off_s: 600,
    apart_h: 4,
    copied: 1,
    files: 2,
    unopened: 1,
    pictures: 2,
    bits: 3,
    words: 'w',
    cause: 'unheard_of',
  }
  for (const language of ['en', 'es'] as const)
    for (const code of checkReasonCodes) expect(said(language, code, figures)).toMatch(/^[^{}]+[.”»]$/)
})
