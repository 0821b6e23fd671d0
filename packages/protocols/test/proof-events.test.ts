import { describe, expect, test } from 'vitest'
import {
  eventTopic,
  expectAuthorized,
  expectCaptured,
  expectFeedback,
  findEvent,
  findEvents,
  type Address,
  type EventLog,
  type Hex,
} from '@ergon/protocols'

const escrow: Address = `0x${'11'.repeat(20)}`
const hash: Hex = `0x${'22'.repeat(32)}`
const captured: EventLog = {
  address: escrow.toUpperCase().replace('0X', '0x'),
  topics: [eventTopic('PaymentCaptured'), hash],
  data: `0x${'5'.padStart(64, '0')}`,
}

describe('the topic of an event is the published one', () => {
  test.each([
    ['PaymentAuthorized', '0x1c81fb2e'],
    ['PaymentCaptured', '0xe749f7bb'],
    ['PaymentCharged', '0x943ae434'],
    ['PaymentVoided', '0xcadce8c3'],
    ['PaymentPartiallyVoided', '0x8cfa0660'],
    ['PaymentReclaimed', '0x78e1d723'],
    ['PaymentRefunded', '0x1bf41537'],
    ['Transfer', '0xddf252ad'],
    ['AuthorizationUsed', '0x98de5035'],
    ['AuthorizationCanceled', '0x1cdd46ff'],
    ['Registered', '0xca52e62c'],
    ['NewFeedback', '0x6a4a6174'],
    ['FeedbackRevoked', '0x25156fd3'],
    ['ResponseAppended', '0xb1c6be0b'],
  ] as const)('%s', (event, prefix) => {
    expect(eventTopic(event).slice(0, 10)).toBe(prefix)
  })
})

describe('an expected event', () => {
  test('is shown only by its emitter, its payment and its amount', () => {
    expect(findEvent(expectCaptured(escrow, hash, 5n), [captured])).toBe(captured)
    expect(findEvent(expectCaptured(escrow, hash, undefined), [captured])).toBe(captured)
    expect(findEvent(expectCaptured(escrow, hash, 6n), [captured])).toBeUndefined()
    expect(findEvent(expectCaptured(escrow, `0x${'23'.repeat(32)}`, 5n), [captured])).toBeUndefined()
    expect(findEvent(expectCaptured(`0x${'12'.repeat(20)}`, hash, 5n), [captured])).toBeUndefined()
    expect(findEvent(expectAuthorized(escrow, hash, 5n), [captured])).toBeUndefined()
    expect(findEvent(expectCaptured(escrow, hash, 5n), [{ ...captured, data: '0x' }])).toBeUndefined()
    expect(findEvents(expectCaptured(escrow, hash, 5n), [captured, captured])).toHaveLength(2)
  })

  test('of a rating admits any rater where none is named', () => {
    const topic = (word: string): Hex => `0x${word.padStart(64, '0')}`
    const rating = { address: escrow, topics: [eventTopic('NewFeedback'), topic('7'), topic('aa')], data: '0x' }
    expect(findEvent(expectFeedback(escrow, 7, null), [rating])).toBe(rating)
    expect(findEvent(expectFeedback(escrow, 7n, `0x${'bb'.repeat(20)}`), [rating])).toBeUndefined()
    expect(findEvent(expectFeedback(escrow, 8, null), [rating])).toBeUndefined()
  })

  test('is plain JSON, so that a sender can write it down', () => {
    const expected = expectAuthorized(escrow, hash, 5n)
    expect(JSON.parse(JSON.stringify(expected))).toEqual(expected)
  })
})
