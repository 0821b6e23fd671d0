import { expect, test } from 'vitest'
import { readStartOptions } from './start-options.ts'

test('the options of the command are read', () => {
  expect(
    readStartOptions(['--data', 'd', '--mode', 'fase1', '--reset', '--json'], { DATABASE_URL: 'postgres://h/d' }),
  ).toEqual({
    dataDir: 'd',
    paymentMode: 'fase1',
    reset: true,
    web: true,
    json: true,
    help: false,
    databaseUrl: 'postgres://h/d',
  })
})

test('no option is needed', () => {
  expect(readStartOptions([], {})).toEqual({ reset: false, web: true, json: false, help: false })
})

test('the app can be left out', () => {
  expect(readStartOptions(['--no-app'], {}).web).toBe(false)
})

test.each([['--mode', 'fase3'], ['--dta', 'x'], ['stray']])('a wrong word is refused: %s', (...args) => {
  expect(() => readStartOptions(args, {})).toThrow()
})
