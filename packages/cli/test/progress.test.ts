import { expect, test } from 'vitest'
import { createProgress } from '../src/progress.ts'

function openScreen(isTTY: boolean): {
  readonly shown: () => string
  readonly terminal: Parameters<typeof createProgress>[0]
} {
  let written = ''
  const write = (chunk: unknown): boolean => {
    written += String(chunk)
    return true
  }
  // What is on the line: the text after the last wipe.
  return { shown: () => written.split('\r\u001B[K').at(-1) ?? '', terminal: { isTTY, write } }
}

test('what lasts is on one line with its seconds, and nothing of it is left in the end', () => {
  const { shown, terminal } = openScreen(true)
  let now = 0
  const progress = createProgress(terminal, () => now)
  progress.say('the task is published; waiting')
  expect(shown()).toBe('  the task is published; waiting …')
  now = 3_000
  progress.say('the task is published; waiting')
  expect(shown()).toBe('  the task is published; waiting … 3 s')
  progress.say('the task is accepted; waiting')
  expect(shown()).toBe('  the task is accepted; waiting …')
  progress.clear()
  expect(shown()).toBe('')
})

test('a file or a pipe gets no progress', () => {
  const { shown, terminal } = openScreen(false)
  createProgress(terminal, Date.now).say('waiting')
  expect(shown()).toBe('')
})
