import { expect, test } from 'vitest'
import { completeLockfile, missingOptionals, withoutIntegrity } from './complete-lockfile.ts'

const packages = {
  'node_modules/parser': {
    version: '1.0.0',
    optionalDependencies: { '@p/binding-linux-x64-gnu': '1.0.0', '@p/binding-win32-ia32-msvc': '1.0.0' },
  },
  'node_modules/@p/binding-linux-x64-gnu': { version: '1.0.0', optional: true },
}

test('an optional package that the lock leaves out is added for its platform', () => {
  expect(missingOptionals(packages)).toEqual({
    'node_modules/@p/binding-win32-ia32-msvc': { version: '1.0.0', optional: true, os: ['win32'], cpu: ['ia32'] },
  })
})

test('completing twice adds nothing the second time', () => {
  const once = completeLockfile(JSON.stringify({ packages }))
  expect(once.added).toHaveLength(1)
  expect(completeLockfile(once.text)).toEqual({ text: once.text, added: [] })
})

test('a copy nested under its parent counts as locked', () => {
  const nested = {
    'node_modules/a/node_modules/b': { optionalDependencies: { 'c-darwin-arm64': '1.0.0' } },
    'node_modules/a/node_modules/c-darwin-arm64': { version: '1.0.0' },
  }
  expect(missingOptionals(nested)).toEqual({})
})

test('an optional package whose name tells no platform is refused rather than guessed', () => {
  expect(() => missingOptionals({ 'node_modules/a': { optionalDependencies: { mystery: '1.0.0' } } })).toThrow(
    'mystery',
  )
})

test('every entry has its integrity, or comes inside another one', () => {
  const entries = {
    'node_modules/proven': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/own': { link: true },
    'node_modules/proven/node_modules/inside': { version: '1.0.0', inBundle: true },
    'node_modules/bare': { version: '1.0.0' },
  }
  expect(withoutIntegrity(entries)).toEqual(['node_modules/bare'])
})
