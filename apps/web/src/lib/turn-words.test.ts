import type { NextAct, NextOtherwise, NextWho } from '@ergon/contract'
import { describe, expect, test } from 'vitest'
import { turnMessages } from '../messages/turns.ts'
import type { Language } from './language.ts'
import { formatMessage, type MessageValues } from './messages.ts'
import { nextWith, type NextStep, type TurnReader } from './turn.ts'
import { actSaid, bySaid, otherwiseSaid, turnSaid } from './turn-words.ts'

const sayIn =
  (language: Language) =>
  (key: keyof typeof turnMessages.en, values?: MessageValues): string =>
    formatMessage(turnMessages[language][key], language, values)
const [en, es] = [sayIn('en'), sayIn('es')]
const step = (given: Partial<NextStep>): NextStep => ({
  who: 'publisher',
  what: 'decide',
  by: '2026-11-29T14:00:00.000Z',
  otherwise: 'dispute',
  ...given,
})

/** Who does it, what it reads to them, and what to everybody else; one row of every act of the contract. */
const acts: Readonly<Record<NextAct, readonly [NextWho, yours: string, others: string, spanish: string]>> = {
  apply: ['workers', 'People can apply.', 'People can apply.', 'Cualquiera puede presentarse.'],
  assign: ['publisher', 'Choose who does it.', 'The publisher chooses who does it.', 'Elige quién la hace.'],
  begin: ['worker', 'Say that you have begun.', 'The worker has to begin.', 'Di que has empezado.'],
  hand_in: [
    'worker',
    'Do it and hand in the proof.',
    'The worker does it and hands in the proof.',
    'Hazla y entrega la prueba.',
  ],
  tick: [
    'worker',
    'Let your clock run while you work.',
    'The worker is paid as time passes.',
    'Deja correr tu reloj mientras trabajas.',
  ],
  decide: [
    'publisher',
    'Look at the work and decide.',
    'The publisher looks at the work and decides.',
    'Mira el trabajo y decide.',
  ],
  rule: [
    'arbiter',
    'Read both sides and decide.',
    'An arbiter, or the operator, reads both sides and decides.',
    'Lee a las dos partes y decide.',
  ],
  settle: ['service', 'The money is on its way.', 'The money is on its way.', 'El dinero está en camino.'],
  answer_offer: [
    'worker',
    'Answer the offer to settle.',
    'The worker has to answer the offer to settle.',
    'Responde a la propuesta de acuerdo.',
  ],
  carry_out: [
    'service',
    'The ruling is carried out, unless one side takes it to the operator first.',
    'The ruling is carried out, unless one side takes it to the operator first.',
    'La resolución se ejecuta, salvo que una parte la lleve antes al operador.',
  ],
  pay: [
    'publisher',
    'Pay what the dispute awarded to the worker.',
    'The publisher has to pay what the dispute awarded to the worker.',
    'Paga a quien trabaja lo que se decidió en la disputa.',
  ],
}

const readerOf = (who: NextWho): TurnReader => (who === 'workers' || who === 'service' ? 'reader' : who)

test.each(Object.entries(acts))('what is to be done, said to whoever does it and to others: %s', (what, row) => {
  const [who, yours, others, spanish] = row
  const next = step({ who, what: what as NextAct }) // a key of the table above
  expect(actSaid(en, next, readerOf(who))).toBe(yours)
  expect(actSaid(en, next, 'reader')).toBe(others)
  expect(actSaid(es, next, readerOf(who))).toBe(spanish)
})

/** What happens otherwise, after work that holds money. */
const otherwises: Readonly<Record<NextOtherwise, string>> = {
  expire: 'Otherwise the task expires, and what is set aside goes back to the publisher.',
  hand_on: 'Otherwise the task goes to the next person who applied.',
  dispute: 'Otherwise a dispute opens, and the money does not move.',
  release_or_dispute:
    'Otherwise the work is paid if it passed the required checks and the publisher signed for that; if not, a dispute opens.',
  release_or_expire: 'Otherwise the work is paid if it passed the required checks; if not, the task expires.',
  dispute_or_expire:
    'Otherwise what was handed in before goes to a dispute if it passed the required checks; if not, the task expires.',
}

describe('What happens otherwise', () => {
  test.each(Object.entries(otherwises))('is said: %s', (otherwise, said) => {
    const next = step({ otherwise: otherwise as NextOtherwise }) // a key of the table above
    expect(otherwiseSaid(en, next)).toBe(said)
    expect(otherwiseSaid(es, next)).toMatch(/^Si no, .+\.$/)
  })

  test('names no money before anybody is chosen, and nothing where the service names nothing', () => {
    expect(otherwiseSaid(en, step({ what: 'assign', otherwise: 'expire' }))).toBe('Otherwise the task expires.')
    expect(otherwiseSaid(en, step({ what: 'settle', otherwise: null }))).toBeUndefined()
  })

  test('of an offer is that it lapses, and what comes without it', () => {
    expect(otherwiseSaid(en, step({ what: 'answer_offer', otherwise: 'dispute' }))).toBe(
      'Without an answer the offer lapses. If nothing else is agreed or decided, a dispute opens, and the money does not move.',
    )
  })
})

test('whose turn it is, is what the service says and not what a status suggests', () => {
  const turns = (as: TurnReader) =>
    (['publisher', 'worker', 'workers', 'arbiter', 'operator', 'service'] as const).map((who) =>
      turnSaid(en, step({ who }), as),
    )
  expect(turns('publisher')).toEqual([
    'Your turn',
    'The worker’s turn',
    'Waiting for applicants',
    'An arbiter’s turn',
    'The operator’s turn',
    'Under way',
  ])
  expect(turns('worker').slice(0, 3)).toEqual(['The publisher’s turn', 'Your turn', 'Open'])
  expect(turnSaid(en, null, 'worker')).toBe('Over')
})

test('an operator, who may decide beside an arbiter, reads so of itself', () => {
  const next = step({ who: 'arbiter', what: 'rule' })
  expect(turnSaid(en, next, 'operator')).toBe('An arbiter’s turn, or yours')
  expect(actSaid(en, next, 'operator', { arbiter: 'Carla' })).toBe('An arbiter, or you, reads both sides and decides.')
  expect(actSaid(es, next, 'operator')).toBe('Quien arbitra, o tú, lee a las dos partes y decide.')
  expect(turnSaid(es, next, 'worker')).toBe('Le toca a quien arbitra')
})

test('until when people can apply, by when others act, and after when a ruling is carried out', () => {
  const by = (what: NextAct): string => bySaid(en, step({ what }), '29 Nov', 'in 3 days')
  expect([by('apply'), by('decide'), by('carry_out')]).toEqual([
    'Until 29 Nov (in 3 days).',
    'By 29 Nov (in 3 days).',
    'After 29 Nov (in 3 days).',
  ])
})

test('where applicants are listed it is the turn of the publisher, unless the money moves already', () => {
  const open = step({ who: 'workers', what: 'apply', otherwise: 'expire' })
  expect(nextWith(open, 0)).toBe(open)
  expect(nextWith(open, 2)).toEqual({ ...open, who: 'publisher', what: 'assign' })
  const settling = step({ who: 'service', what: 'settle' })
  expect(nextWith(settling, 2)).toBe(settling)
  expect(nextWith(null, 2)).toBeNull()
})

test('a name comes before a role, and whoever has none keeps the role', () => {
  const next = step({ who: 'publisher', what: 'decide' })
  expect(turnSaid(en, next, 'worker', { publisher: 'Ada' })).toBe('Ada’s turn')
  expect(turnSaid(es, next, 'worker', { publisher: 'Ada' })).toBe('Le toca a Ada')
  expect(actSaid(en, next, 'worker', { publisher: 'Ada' })).toBe('Ada looks at the work and decides.')
  expect(turnSaid(en, next, 'worker', { publisher: '' })).toBe('The publisher’s turn')
  expect(turnSaid(en, next, 'publisher', { publisher: 'Ada' })).toBe('Your turn')
})
