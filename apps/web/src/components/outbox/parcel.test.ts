import fc from 'fast-check'
import { expect, test } from 'vitest'
import { afterFailure, afterSending, bytesLeft, isDue, isLate, type Parcel } from './parcel.ts'

const now = Date.parse('2026-11-21T10:00:00Z')
const parcel: Parcel = {
  id: 'k',
  wallet: '0x1',
  taskId: 't',
  title: 'T',
  deadline: '2026-11-21T11:00:00Z',
  answers: { text_response: { kind: 'value', value: 'yes' } },
  device: { clock: '2026-11-21T10:00:00Z', utc_offset_minutes: 60 },
  uploaded: {},
  state: 'waiting',
  attempts: 0,
  dueAt: 0,
  failure: null,
}
const unreachable = { code: 'unreachable', canRetry: true, retryAfterSec: undefined }

test('a parcel that did not get through keeps its key and its answers and waits ever longer, up to five minutes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), (times) => {
      let kept = parcel
      let lastPause = 0
      for (let n = 0; n < times; n += 1) {
        kept = afterFailure(kept, unreachable, now)
        const pause = kept.dueAt - now
        expect(pause).toBeGreaterThanOrEqual(lastPause)
        expect(pause).toBeLessThanOrEqual(300_000)
        lastPause = pause
      }
      expect(kept).toMatchObject({ id: 'k', state: 'waiting', answers: parcel.answers, attempts: times })
    }),
  )
})

test('the service says how long to wait, and a person may ask at once', () => {
  const kept = afterFailure(parcel, { ...unreachable, retryAfterSec: 90 }, now)
  expect(isDue(kept, now + 89_999, false)).toBe(false)
  expect(isDue(kept, now + 90_000, false)).toBe(true)
  expect(isDue(kept, now, true)).toBe(true)
})

test('a parcel that was tried by a clock that was days ahead does not wait for those days', () => {
  const kept = afterFailure(parcel, unreachable, now + 48 * 3_600_000)
  expect(isDue(kept, now, false)).toBe(true)
  const again = afterFailure(kept, unreachable, now)
  expect(isDue(again, now + 3_999, false)).toBe(false)
  expect(isDue(again, now + 4_000, false)).toBe(true)
})

test('what was refused or sent is not sent again, not even when asked', () => {
  const refused = afterFailure(parcel, { code: 'DEADLINE_PASSED', canRetry: false, retryAfterSec: undefined }, now)
  expect(refused).toMatchObject({ state: 'refused', failure: 'DEADLINE_PASSED', answers: parcel.answers })
  expect(isDue(refused, now, true)).toBe(false)
  expect(isDue(afterSending(parcel), now, true)).toBe(false)
  expect(afterSending(parcel).answers).toEqual({})
})

test('what has yet to be sent are the files that are not up', () => {
  const film = {
    kind: 'file',
    blob: new Blob([new Uint8Array(700)]),
    contentType: 'video/mp4',
    name: 'gate.mp4',
  } as const
  const answers = {
    video: film,
    photo: { ...film, contentType: 'image/jpeg' as const },
    text_response: { kind: 'value', value: 'A gate' } as const,
  }
  expect(bytesLeft({ ...parcel, answers })).toBe(1_400)
  expect(bytesLeft({ ...parcel, answers, uploaded: { video: 'https://up.test/1' } })).toBe(700)
  expect(bytesLeft(afterSending(parcel))).toBe(0)
})

test('a deadline that passes while a parcel waits is known', () => {
  expect(isLate(parcel, now)).toBe(false)
  expect(isLate(parcel, Date.parse(parcel.deadline))).toBe(true)
  expect(isLate(afterSending(parcel), Date.parse(parcel.deadline))).toBe(false)
})
