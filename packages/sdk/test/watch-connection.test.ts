import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchConnection } from '../src/watch-connection.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const word = new TextEncoder().encode(': \n\n')

/** A line on which something is said when the test says so. */
function lineOf() {
  let say: (bytes: Uint8Array) => void = () => undefined
  let end = (): void => undefined
  const cancelled = vi.fn()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      say = (bytes) => {
        controller.enqueue(bytes)
      }
      end = () => {
        controller.close()
      }
    },
    cancel: cancelled,
  })
  return { body, say: () => say(word), end: () => end(), cancelled }
}

test('a stream on which nothing is heard is given up, sooner before its first byte', async () => {
  const [unbegun, begun] = [watchConnection(undefined), watchConnection(undefined)]
  const line = lineOf()
  const reader = begun.heard(line.body).getReader()
  line.say()
  expect(await reader.read()).toEqual({ done: false, value: word })
  void reader.read()
  await vi.advanceTimersByTimeAsync(10_000)
  expect([unbegun.signal.aborted, begun.signal.aborted]).toEqual([true, false])
  line.say()
  await vi.advanceTimersByTimeAsync(0)
  void reader.read()
  await vi.advanceTimersByTimeAsync(59_000)
  expect(begun.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(begun.signal.aborted).toBe(true)
})

test('whoever is busy with what it was told is not deaf: only a read that waits tells of silence', async () => {
  const connection = watchConnection(undefined)
  const line = lineOf()
  const reader = connection.heard(line.body).getReader()
  line.say()
  await reader.read()
  for (let minute = 0; minute < 20; minute += 1) {
    await vi.advanceTimersByTimeAsync(60_000)
    line.say()
  }
  expect(connection.signal.aborted).toBe(false)
  for (let minute = 0; minute < 20; minute += 1) expect(await reader.read()).toEqual({ done: false, value: word })
  line.end()
  expect(await reader.read()).toEqual({ done: true, value: undefined })
})

test('who leaves lets the line go', async () => {
  const connection = watchConnection(undefined)
  const line = lineOf()
  const reader = connection.heard(line.body).getReader()
  line.say()
  await reader.read()
  await reader.cancel()
  connection.end()
  expect(line.cancelled).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})
