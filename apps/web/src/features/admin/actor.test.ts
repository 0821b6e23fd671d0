import { describe, expect, test } from 'vitest'
import { actorInput, isActorSendable } from './actor.ts'

describe('who acts, as it travels in a header', () => {
  test.each([
    ['', {}],
    ['   ', {}],
    [' José ', { actor: 'José' }],
  ] as const)('%j is sent as %j', (typed, sent) => {
    expect(actorInput(typed)).toEqual(sent)
  })

  test.each([
    ['', true],
    ['José Núñez', true],
    ['Łukasz', false],
    ['line\nbreak', false],
    ['😀', false],
    ['a'.repeat(100), true],
    ['a'.repeat(101), false],
  ] as const)('%j can be sent: %s', (typed, isSendable) => {
    expect(isActorSendable(typed)).toBe(isSendable)
  })
})
